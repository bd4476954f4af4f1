import type { PairRefusal } from '../../answers/explanation.ts';
import { type DemandKindName, roleOf, type SupplyKind } from '../../entities/kinds.ts';
import { lowestFloor } from '../../reference/floor-in-force.ts';
import { isForDemand } from '../auction/floor-rules.ts';
import type { AccountObject, ConfigurationObject } from '../configuration.ts';
import { usd } from '../currency.ts';
import { type Refusal, refuse } from '../reasons.ts';
import { sellerIdOf } from '../snapshot/account.ts';
import type { FloorRules } from '../snapshot/floor-rules.ts';
import { leastFloorOf } from '../targeting/max-bidfloor.ts';
import { neverMatch } from '../targeting/never-match.ts';
import type { RuleSubject, TargetedSupply } from '../targeting/rule.ts';
import { shownRefusal } from './explanation.ts';

type Side<K extends SupplyKind | DemandKindName> = Pick<ConfigurationObject<K>, 'entity' | 'id' | 'settings'>;

/** IDs are 0 before an object is added. */
export interface ConnectedPair {
  readonly supply: Side<SupplyKind>;
  readonly demand: Side<DemandKindName>;
  readonly publisher: Pick<AccountObject, 'id' | 'teamId' | 'settings'>;
}

export interface PairServices {
  readonly nowMs: number;
  readonly floorsOf: FloorRules['of'];
}

/** A CPM; undefined if the price depends on answers. */
function fixedPriceOf({ entity, settings }: RuleSubject): number | undefined {
  const role = roleOf(entity);
  if (role.side !== 'demand' || role.price === undefined) return undefined;
  const price = settings[role.price.field];
  return role.price.isOptional ? price || undefined : price;
}

const currencyOf = ({ settings }: { readonly settings: { readonly Currency?: string | undefined } }) =>
  settings.Currency || usd;

/** Amounts in different currencies are compared by auctions alone, at their rates. */
function belowFloor(supply: TargetedSupply, demand: RuleSubject): Refusal | undefined {
  if (currencyOf(supply) !== currencyOf(demand)) return undefined;
  const [wanted, met] = [leastFloorOf(supply), fixedPriceOf(demand)];
  if (met === undefined || met >= wanted) return undefined;
  return refuse('below_floor', { field: 'Bidfloor', wanted, met });
}

const percentMax = 100;

/** Infinite if no rule is for the pair. Conditions on traffic and time are not looked at, and a floor in another currency may be any. */
function ruleFloorMin(
  { supply, demand, publisher: { id, teamId } }: ConnectedPair,
  floorsOf: FloorRules['of'],
): number {
  const own = { kind: supply.entity, id: supply.id, teamId, account: { id } };
  return floorsOf(own)
    .flatMap(({ rules }) => rules)
    .filter(({ settings }) => settings.SkipPercent < percentMax)
    .filter((rule) => isForDemand(rule, { kind: demand.entity, id: demand.id }))
    .map((rule) => (currencyOf(rule) === currencyOf(supply) ? lowestFloor(rule.settings) : 0))
    .reduce((least, cpm) => Math.min(least, cpm), Number.POSITIVE_INFINITY);
}

/** Why a pair can never match; undefined if it may. */
export function pairWarning(pair: ConnectedPair, { nowMs, floorsOf }: PairServices): PairRefusal | undefined {
  const { demand, publisher } = pair;
  const supply: TargetedSupply = {
    ...pair.supply,
    sellerId: sellerIdOf(publisher),
    nowMs,
    ruleFloorMin: ruleFloorMin(pair, floorsOf),
  };
  const refusal = neverMatch(supply, demand) ?? belowFloor(supply, demand);
  return refusal && { Rule: refusal.reason, ...shownRefusal(refusal) };
}
