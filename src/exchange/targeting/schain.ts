import type { SupplyChain } from '../opportunity.ts';
import { type Reason, refuse } from '../reasons.ts';
import { boundRule } from './bound-rule.ts';
import type { CheckRule } from './rule.ts';
import { numberIn } from './stored-values.ts';

/** A rule that its flag switches on; `isAdmitted` judges the chain, `shown` tells it. */
function chainRule(
  field: string,
  reason: Reason,
  isAdmitted: (chain: SupplyChain | undefined) => boolean,
): CheckRule {
  return {
    form: 'check',
    field,
    reason,
    compile(object) {
      if (numberIn(object, field) !== 1) return undefined;
      return ({ supplyChain }) => {
        if (isAdmitted(supplyChain)) return undefined;
        return refuse(reason, { field, wanted: 1, met: supplyChain });
      };
    },
  };
}

/** `Schain`: only requests that carry a supply chain. */
export const schain = chainRule('Schain', 'incomplete_schain', (chain) => chain !== undefined);

/** `CompleteSchain`: only requests whose supply chain is complete (SupplyChain object 1.0, `complete`). */
export const completeSchain = chainRule(
  'CompleteSchain',
  'incomplete_schain',
  (chain) => chain?.complete === 1,
);

/** `PreventSchainLoop`: no requests whose supply chain holds this exchange already (decisions, "Values"). */
export const schainLoop = chainRule('PreventSchainLoop', 'schain_loop', (chain) => !chain?.hasOwnNode);

/** `MaxSchainNodes`: no longer supply chains. */
export const maxSchainNodes = boundRule({
  field: 'MaxSchainNodes',
  reason: 'schain_too_long',
  bound: 'maximum',
  measure: ({ supplyChain }) => supplyChain?.nodes.length,
});
