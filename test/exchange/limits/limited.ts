import type { CountedOfDay, Limits } from '../../../src/exchange/limits/limits.ts';
import type { Promised, PromisedIn, PromisedTo } from '../../../src/exchange/limits/promised.ts';
import type { Nanos } from '../../../src/exchange/money.ts';
import type { IpAddress } from '../../../src/exchange/opportunity.ts';
import { isRefusal, type Refusal } from '../../../src/exchange/reasons.ts';
import type { Limited } from '../../../src/exchange/snapshot/limited.ts';
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
export const smallSize = { objects: 64, viewers: 1024 };

export function auctionAt(
  timeMs: number,
  to: PromisedTo = 'ad',
  ip?: IpAddress,
  auctionId = 'an-auction',
): PromisedIn {
  return { timeMs, to, ip, auctionId };
}

/** The promise of one impression by an object, and of no money unless told. */
export function promisedBy({ kind, id }: Limited, nanos: Nanos = 0, isAtAddress = false): Promised {
  return { kind, id, nanos, isAtAddress };
}

/** Has an object promise an ad, which costs nothing unless told; the refusal, if any. */
export function refusedBy(
  limits: Limits,
  object: Limited,
  auction: PromisedIn,
  nanos: Nanos = 0,
): Refusal | undefined {
  const promised = limits.reserve(object, auction, nanos);
  return promised && isRefusal(promised) ? promised : undefined;
}

/** Books an ad that nothing was promised to, shown at once. */
export function bookAt(limits: Limits, object: Limited, nanos: Nanos, timeMs: number): void {
  limits.commit(object, undefined, { auction: auctionAt(timeMs), nanos, nowMs: timeMs });
}
