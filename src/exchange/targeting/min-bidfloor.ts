import { isForeign } from '../currency.ts';
import { cpmUsdOf } from '../money.ts';
import type { BoundRule } from './rule.ts';

/** An RTB EP's, in USD CPM. */
export const minBidfloor: BoundRule = {
  form: 'bound',
  field: 'MinBidfloor',
  reason: 'floor_below_minimum',
  bound: 'minimum',
  measure: ({ floorCpmMicros }) => cpmUsdOf(floorCpmMicros),
  boundOf: ({ settings }) => (isForeign(settings.Currency) ? undefined : settings.MinBidfloor || undefined),
};
