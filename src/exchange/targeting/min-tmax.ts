import { boundRule } from './bound-rule.ts';

/** Stays out of auctions that wait fewer milliseconds (specification 2.6). */
export const minTmax = boundRule({
  field: 'MinTmax',
  reason: 'insufficient_time',
  bound: 'minimum',
  measure: ({ tmaxMs }) => tmaxMs,
});
