import { cpmUsdOf } from '../money.ts';
import type { BoundRule, Targeted } from './rule.ts';
import { limitIn, numberIn } from './stored-values.ts';

/** The lowest floor that an opportunity of a supply object can have, in USD CPM. */
export function leastFloorOf(supply: Targeted): number {
  return Math.max(numberIn(supply, 'Bidfloor') ?? 0, numberIn(supply, 'MinBidfloor') ?? 0);
}

/** Stays out of auctions with a higher floor (specification 2.6); an RTB EP refuses such requests (2.9). USD CPM. */
export const maxBidfloor: BoundRule = {
  form: 'bound',
  field: 'MaxBidfloor',
  reason: 'floor_above_maximum',
  bound: 'maximum',
  measure: ({ floorCpmMicros }) => cpmUsdOf(floorCpmMicros),
  boundOf: (object) => limitIn(object, 'MaxBidfloor'),
  possibleRange: (supply) => ({ least: leastFloorOf(supply) }),
};
