import type { CountedOfDay, Limited } from '../../../src/exchange/limits/limits.ts';
import { unlimited } from '../unrestricted.ts';

/** A DSP VAST Tag of which nothing is limited but what `limits` says. */
export function limited(limits: Partial<Limited['limits']>, id = 7): Limited {
  return { kind: 'DspVastTag', id, limits: { ...unlimited, ...limits } };
}

/** What all processes have counted of an object: nothing but what is told. */
export function countedOf({ kind, id }: Limited, counted: Partial<CountedOfDay>): CountedOfDay {
  return { kind, id, requests: 0, bids: 0, impressions: 0, amountNanos: 0, ...counted };
}

/** 2026-11-20, midnight UTC. */
export const midnightMs = Date.UTC(2026, 10, 20);
export const dayMs = 86_400_000;

/** Room for few objects, so that a test's memory is small. */
export const smallSize = { objects: 64, addresses: 1024 };
