import { cpmUsdOf } from '../money.ts';
import type { BoundRule, RuleSubject } from './rule.ts';

/** USD CPM. */
export function leastFloorOf(supply: RuleSubject): number {
  return Math.max(supply.settings.Bidfloor ?? 0, supply.settings.MinBidfloor ?? 0);
}

/** Refuses a higher floor, in USD CPM. */
export const maxBidfloor: BoundRule = {
  form: 'bound',
  field: 'MaxBidfloor',
  reason: 'floor_above_maximum',
  bound: 'maximum',
  measure: ({ floorCpmMicros }) => cpmUsdOf(floorCpmMicros),
  boundOf: (object) => object.settings.MaxBidfloor || undefined,
  possibleRange: (supply) => ({ least: leastFloorOf(supply) }),
};
