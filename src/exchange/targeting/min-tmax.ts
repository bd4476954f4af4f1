import type { BoundRule } from './rule.ts';
import { limitIn } from './stored-values.ts';

/** Stays out of auctions that wait fewer milliseconds (specification 2.6). */
export const minTmax: BoundRule = {
  form: 'bound',
  field: 'MinTmax',
  reason: 'insufficient_time',
  bound: 'minimum',
  measure: ({ tmaxMs }) => tmaxMs,
  boundOf: (object) => limitIn(object, 'MinTmax'),
};
