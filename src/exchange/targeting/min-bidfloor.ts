import { cpmUsdOf } from '../money.ts';
import { boundRule } from './bound-rule.ts';

/** An RTB EP refuses requests with a lower floor (specification 2.9). USD CPM. */
export const minBidfloor = boundRule({
  field: 'MinBidfloor',
  reason: 'floor_below_minimum',
  bound: 'minimum',
  measure: ({ floorCpmMicros }) => cpmUsdOf(floorCpmMicros),
});
