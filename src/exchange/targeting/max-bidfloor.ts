import { cpmUsdOf } from '../money.ts';
import { boundRule } from './bound-rule.ts';

/** Stays out of auctions with a higher floor (specification 2.6); an RTB EP refuses such requests (2.9). USD CPM. */
export const maxBidfloor = boundRule({
  field: 'MaxBidfloor',
  reason: 'floor_above_maximum',
  bound: 'maximum',
  measure: ({ floorCpmMicros }) => cpmUsdOf(floorCpmMicros),
});
