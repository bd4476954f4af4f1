import { isForeign } from '../currency.ts';
import { cpmUsdOf } from '../money.ts';
import type { BoundRule, RuleSubject } from './rule.ts';

/** USD CPM. */
export function leastFloorOf(supply: RuleSubject): number {
  return Math.max(supply.settings.Bidfloor ?? 0, supply.settings.MinBidfloor ?? 0);
}

/** Refuses a higher floor, in USD CPM; `refuseFloor` has bounds in other currencies. */
export const maxBidfloor: BoundRule = {
  form: 'bound',
  field: 'MaxBidfloor',
  reason: 'floor_above_maximum',
  bound: 'maximum',
  measure: ({ floorCpmMicros }) => cpmUsdOf(floorCpmMicros),
  boundOf: ({ settings }) => (isForeign(settings.Currency) ? undefined : settings.MaxBidfloor || undefined),
  possibleRange: (supply) => (isForeign(supply.settings.Currency) ? {} : { least: leastFloorOf(supply) }),
};
