import { isForeign } from '../currency.ts';
import { cpmUsdOf } from '../money.ts';
import type { BoundRule, TargetedSupply } from './rule.ts';

/** CPM in the supply object's currency. A floor rule lowers its own floor, but not what requests ask. */
export function leastFloorOf({
  settings: { Bidfloor = 0, MinBidfloor = 0 },
  ruleFloorMin = Bidfloor,
}: Pick<TargetedSupply, 'settings' | 'ruleFloorMin'>): number {
  return Math.max(Math.min(Bidfloor, ruleFloorMin), MinBidfloor);
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
