import { cpmUsdOf } from '../money.ts';
import type { BoundRule } from './rule.ts';

/** An RTB EP refuses requests with a lower floor. USD CPM. */
export const minBidfloor: BoundRule = {
  form: 'bound',
  field: 'MinBidfloor',
  reason: 'floor_below_minimum',
  bound: 'minimum',
  measure: ({ floorCpmMicros }) => cpmUsdOf(floorCpmMicros),
  boundOf: (object) => object.settings.MinBidfloor || undefined,
};
