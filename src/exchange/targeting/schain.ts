import { takesBidRequests } from '../../entities/kinds.ts';
import type { SupplyChain } from '../opportunity.ts';
import type { Reason } from '../reasons.ts';
import { allButKeys, onlyKeys } from './keys.ts';
import type { BoundRule, KeyRestriction, KeyRule, SettingWith } from './rule.ts';

/** SupplyChain object 1.0. */
function keysOf(chain: SupplyChain | undefined): readonly string[] {
  if (chain === undefined) return [];
  return ['schain', ...(chain.complete === 1 ? ['complete'] : []), ...(chain.hasOwnNode ? ['loop'] : [])];
}

function chainRule(
  field: SettingWith<number>,
  reason: Reason,
  switchedOn: KeyRestriction | undefined,
): KeyRule {
  return {
    form: 'keys',
    field,
    reason,
    keysOf: ({ supplyChain }) => keysOf(supplyChain),
    restriction: (object) => (object.settings[field] === 1 ? switchedOn : undefined),
    // Only OpenRTB requests carry a chain.
    possibleKeys: ({ entity }) => (takesBidRequests(entity) ? undefined : 'none'),
    metOf: ({ supplyChain }) => supplyChain,
  };
}

export const schain = chainRule('Schain', 'incomplete_schain', onlyKeys(['schain']));

export const completeSchain = chainRule('CompleteSchain', 'incomplete_schain', onlyKeys(['complete']));

/** Our own node in the chain (reference, "Values"). */
export const schainLoop = chainRule('PreventSchainLoop', 'schain_loop', allButKeys(['loop']));

export const maxSchainNodes: BoundRule = {
  form: 'bound',
  field: 'MaxSchainNodes',
  reason: 'schain_too_long',
  bound: 'maximum',
  measure: ({ supplyChain }) => supplyChain?.nodes.length,
  boundOf: (object) => object.settings.MaxSchainNodes || undefined,
};
