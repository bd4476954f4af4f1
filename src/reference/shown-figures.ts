import type { Counts } from './counters.ts';

const nanosPerUsd = 1_000_000_000;

export function usdOf(nanos: number): number {
  return nanos / nanosPerUsd;
}

/** 100 × impressions / requests, to six decimals; 0 without requests (reference, "Statistics"). */
export function fillRate({ impressions, requests }: Pick<Counts, 'impressions' | 'requests'>): number {
  return requests === 0 ? 0 : Math.round((1e8 * impressions) / requests) / 1e6;
}
