import type { Grant } from '../../leases/authority.ts';

/** What the share of a limit is measured by: all in units of the limit. */
interface RecentDemand {
  /** What was used since the last turn, and what was lacking then. */
  readonly used: number;
  readonly lacked: number;
  readonly elapsedMs: number;
  /** The least that is held while nobody else wants it. */
  readonly least: number;
  readonly isContested: boolean;
}

const secondsHeld = 2;
const flowKept = 0.7;
/** What came at once, in a turn that was early, is no more than came in a second. */
const leastMs = 1000;

/** How much is used in a second, from what it was before: at once more, and slowly less. */
export function flowAfter(
  before: number,
  { used, lacked, elapsedMs }: Pick<RecentDemand, 'used' | 'lacked' | 'elapsedMs'>,
): number {
  const now = ((used + lacked) * 1000) / Math.max(elapsedMs, leastMs);
  const kept = before * flowKept ** (elapsedMs / 1000);
  return Math.max(now, kept < 0.01 ? 0 : kept);
}

/**
 * How much a process would like to hold: what it uses in two seconds, in one where others lack some of the limit, and
 * nothing where it uses nothing and others lack some.
 */
function targetOf(
  flow: number,
  { lacked, least, isContested }: Pick<RecentDemand, 'lacked' | 'least' | 'isContested'>,
): number {
  if (isContested) return Math.ceil(Math.max(flow, lacked));
  return Math.max(least, lacked, Math.ceil(flow * secondsHeld));
}

/** How much of one limit a process wants to hold, turn after turn. */
export interface ShareRequest {
  /** How much it would like to hold now: `used` and `lacked` are of the time since the last turn. */
  target(now: {
    readonly used: number;
    readonly lacked: number;
    readonly least: number;
    readonly nowMs: number;
  }): number;
  /** How much it may keep, where it would like to hold `target`. */
  most(target: number): number;
  mayAsk(nowMs: number): boolean;
  answered(grant: Grant, nowMs: number): void;
}

/** A wish that was not met is repeated after so long; others remember it for twice as long (`contestedMs`). */
const askAgainMs = 1500;
const yieldingShare = 0.3;
const elapsedAtMost = 10_000;

/** A wish for a limit of which nothing is held yet; `random` is from 0 to less than 1. */
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
      // Several may each hold a part of what is left, too little for an ad: one of them gives way to the others.
      isYielding = isContested && hasLacked && random() < yieldingShare;
      askAfterMs = nowMs + askAgainMs * (isYielding ? 2 : 1);
    },
  };
}
