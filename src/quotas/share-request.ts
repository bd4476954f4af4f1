import type { Grant } from '../leases/authority.ts';

/** All in units of the limit. */
interface RecentDemand {
  /** Since the last round. */
  readonly used: number;
  readonly lacked: number;
  readonly elapsedMs: number;
  /** Held at least while nobody else wants it. */
  readonly least: number;
  readonly isContested: boolean;
}

const secondsHeld = 2;
const flowKept = 0.7;
/** What came in a short round counts as a second's. */
const leastMs = 1000;

/** Use per second: rises at once, falls slowly. */
export function flowAfter(
  before: number,
  { used, lacked, elapsedMs }: Pick<RecentDemand, 'used' | 'lacked' | 'elapsedMs'>,
): number {
  const now = ((used + lacked) * 1000) / Math.max(elapsedMs, leastMs);
  const kept = before * flowKept ** (elapsedMs / 1000);
  return Math.max(now, kept < 0.01 ? 0 : kept);
}

/** Two seconds of use; one if others lack some of the limit; nothing without use if others lack some. */
function targetOf(
  flow: number,
  { lacked, least, isContested }: Pick<RecentDemand, 'lacked' | 'least' | 'isContested'>,
): number {
  if (isContested) return Math.ceil(Math.max(flow, lacked));
  return Math.max(least, lacked, Math.ceil(flow * secondsHeld));
}

/** How much of a limit a process wants, round by round. */
export interface ShareRequest {
  /** `used` and `lacked` are since the last round. */
  target(now: {
    readonly used: number;
    readonly lacked: number;
    readonly least: number;
    readonly nowMs: number;
  }): number;
  /** How much it may keep if it wants `target`. */
  most(target: number): number;
  mayAsk(nowMs: number): boolean;
  answered(grant: Pick<Grant, 'granted' | 'isContested'>, nowMs: number): void;
}

/** Repeats an unmet request after this; others remember it for twice as long (`contestedMs`). */
const askAgainMs = 1500;
const yieldingShare = 0.3;
const elapsedAtMost = 10_000;

/** Nothing is held yet; `random` is from 0 to less than 1. */
export function createShareRequest(random: () => number): ShareRequest {
  let flow = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  let isContested = false;
  let askAfterMs = Number.NEGATIVE_INFINITY;
  let hasLacked = false;
  let isYielding = false;
  return {
    target({ used, lacked, least, nowMs }) {
      flow = flowAfter(flow, { used, lacked, elapsedMs: Math.min(elapsedAtMost, nowMs - lastMs) });
      lastMs = nowMs;
      hasLacked = lacked > 0;
      const target = isYielding ? 0 : targetOf(flow, { lacked, least, isContested });
      isYielding = false;
      return target;
    },
    most: (target) => (isContested ? target : 2 * target),
    mayAsk: (nowMs) => nowMs >= askAfterMs,
    answered(grant, nowMs) {
      ({ isContested } = grant);
      if (grant.granted > 0) return;
      // Several may each hold too little for an ad: one gives way to the others.
      isYielding = isContested && hasLacked && random() < yieldingShare;
      askAfterMs = nowMs + askAgainMs * (isYielding ? 2 : 1);
    },
  };
}
