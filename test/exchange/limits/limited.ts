import type { Limited } from '../../../src/exchange/limits/limits.ts';

/** A DSP VAST Tag of which nothing is limited but what `limits` says. */
export function limited(limits: Partial<Limited['limits']>, id = 7): Limited {
  return {
    kind: 'DspVastTag',
    id,
    limits: {
      maxQps: 0,
      requestsDaily: 0,
      bidsDaily: 0,
      impressionsDaily: 0,
      impressionsPerIp: 0,
      amountDailyNanos: 0,
      amountTotalNanos: 0,
      ...limits,
    },
  };
}

/** 2026-11-20, midnight UTC. */
export const midnightMs = Date.UTC(2026, 10, 20);
export const dayMs = 86_400_000;

/** Room for few objects, so that a test's memory is small. */
export const smallSize = { objects: 64, addresses: 1024 };
