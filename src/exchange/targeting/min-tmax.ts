import { tmaxMsOf } from '../snapshot/stored-settings.ts';
import type { BoundRule } from './rule.ts';

/** Stays out of auctions that wait fewer milliseconds. */
export const minTmax: BoundRule = {
  form: 'bound',
  field: 'MinTmax',
  reason: 'insufficient_time',
  bound: 'minimum',
  measure: ({ tmaxMs }) => tmaxMs,
  boundOf: (object) => object.settings.MinTmax || undefined,
  // An RTB EP has no `Tmax` of its own: each of its requests may bring one.
  possibleRange: (supply) => ({
    most: supply.settings.Tmax === undefined ? undefined : tmaxMsOf(supply.settings),
  }),
};
