import type { Counts } from './counters.ts';

const nanosPerUsd = 1_000_000_000;

export function usdOf(nanos: number): number {
  return nanos / nanosPerUsd;
}

/** To six decimals; 0 of nothing. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((1e8 * part) / whole) / 1e6;
}

/** 100 × impressions / requests; 0 without requests (reference, "Statistics"). */
export function fillRate({ impressions, requests }: Pick<Counts, 'impressions' | 'requests'>): number {
  return percentOf(impressions, requests);
}
