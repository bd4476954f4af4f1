import type { Grant } from '../leases/authority.ts';

/** Since the last round, in units of the limit. */
interface RecentDemand {
  readonly used: number;
  readonly lacked: number;
  readonly elapsedMs: number;
}

const secondsHeld = 2;
const flowKept = 0.7;
/** What came in a short round counts as a second's. */
const leastMs = 1000;

/** Use per second: rises at once, falls slowly. */
export function flowAfter(before: number, { used, lacked, elapsedMs }: RecentDemand): number {
  const now = ((used + lacked) * 1000) / Math.max(elapsedMs, leastMs);
  const kept = before * flowKept ** (elapsedMs / 1000);
  return Math.max(now, kept < 0.01 ? 0 : kept);
}

/** How much of a limit a process wants, round by round. */
export interface ShareRequest {
  /**
   * Two seconds of use. If others lack some: one second of use, nothing without any. If several hold too little for an
   * ad, each gives that back, and whoever asks first may have it all. `used` and `lacked` are since the last round,
   * `left` is unused.
   */
  target(now: {
    readonly used: number;
    readonly lacked: number;
    readonly left: number;
    /** Held at least while nobody else wants it. */
    readonly least: number;
    readonly nowMs: number;
  }): number;
  /** How much it may keep if it wants `target`. */
  most(target: number): number;
  /** How much more to ask for: nothing without use, and for a while after it got nothing. */
  wanted(target: number, unused: number, nowMs: number): number;
  answered(grant: Pick<Grant, 'granted' | 'isContested'>, nowMs: number): void;
  /** Others lack what it holds. */
  recall(): void;
}

/** Repeats an unmet request after this; others remember it for twice as long (`contestedMs`). */
const askAgainMs = 1500;
/** Who needs none for twice as long as before its last need asks for none, and gives back what others lack. */
const idleAfterMs = { least: 2000, most: 8000 } as const;
const elapsedAtMost = 10_000;

/** Nothing is held yet; `random` is from 0 to less than 1. */
export function createShareRequest(random: () => number): ShareRequest {
  let flow = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  /** In the last round that needed any. */
  let needed = 0;
  let idleMs: number = idleAfterMs.least;
  let neededMs = Number.NEGATIVE_INFINITY;
  let grantedMs = Number.NEGATIVE_INFINITY;
  let isContested = false;
  let isAsking = false;
  let askAfterMs = Number.NEGATIVE_INFINITY;
  return {
    target({ used, lacked, left, least, nowMs }) {
      flow = flowAfter(flow, { used, lacked, elapsedMs: Math.min(elapsedAtMost, nowMs - lastMs) });
      if (used + lacked > 0 || lastMs === Number.NEGATIVE_INFINITY) {
        idleMs = Math.min(idleAfterMs.most, Math.max(idleAfterMs.least, 2 * (nowMs - neededMs)));
        [needed, neededMs] = [used + lacked, nowMs];
      }
      lastMs = nowMs;
      if (!isContested) return Math.max(least, lacked, Math.ceil(flow * secondsHeld));
      if (nowMs - Math.max(neededMs, grantedMs) >= idleMs) return 0;
      const isTooLittle = used === 0 && lacked > 0 && left > 0;
      if (!isTooLittle) return Math.max(needed, Math.ceil(flow));
      askAfterMs = nowMs + random() * askAgainMs;
      return 0;
    },
    most: (target) => (isContested ? target : 2 * target),
    wanted(target, unused, nowMs) {
      const mayAsk = nowMs >= askAfterMs && nowMs - neededMs < idleMs;
      const wanted = mayAsk ? Math.max(0, target - unused) : 0;
      isAsking = wanted > 0;
      return wanted;
    },
    answered(grant, nowMs) {
      ({ isContested } = grant);
      if (grant.granted > 0) grantedMs = nowMs;
      else if (isAsking) askAfterMs = nowMs + askAgainMs;
    },
    recall() {
      isContested = true;
    },
  };
}
