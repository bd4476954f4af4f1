import { tmaxMsOf } from '../snapshot/stored-settings.ts';
import type { BoundRule } from './rule.ts';

/** Stays out of auctions that wait less. */
export const minTmax: BoundRule = {
  form: 'bound',
  field: 'MinTmax',
  reason: 'insufficient_time',
  bound: 'minimum',
  measure: ({ tmaxMs }) => tmaxMs,
  boundOf: (object) => object.settings.MinTmax || undefined,
  // Each request of an RTB EP may bring its own `Tmax`.
  possibleRange: (supply) => ({
    most: supply.settings.Tmax === undefined ? undefined : tmaxMsOf(supply.settings),
  }),
};
