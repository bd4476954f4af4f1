import type { Pool } from '../../exchange/limits/pool.ts';
import type { Grant, LimitReport, Measure, Resource } from '../../leases/authority.ts';
import { flowAfter, targetOf } from './target.ts';

/** What of a limit is open, and what it allows, as a turn finds it. */
export interface LimitNow {
  readonly line: number;
  /** The least that is held while nobody else wants it. */
  readonly least: number;
  /** What is promised and may still come; asked for twice. */
  readonly open: () => number;
  /** What all processes have counted, as the store says. */
  readonly counted: () => number;
  readonly nowMs: number;
  readonly isWhole: boolean;
}

/** What this process holds of one limit of an object, as the thread knows it that talks to the authority. */
export interface HeldLimit {
  readonly measure: Measure;
  readonly day: number;
  /** What was promised before did not take of it, in minutes since 1970; 0 where all did. */
  sinceMinute: number;
  /** What is to be said of it now; undefined where nothing has changed and nothing is wanted. */
  report(now: LimitNow): LimitReport | undefined;
  /** Takes the answer to the last report. */
  take(grant: Grant, nowMs: number): void;
  /** The answer to the last report did not come. */
  lose(): void;
  /** What was used without having been taken. */
  addUsed(units: number): void;
  /** Gives back all that is left of it. */
  drop(): void;
  /** What was promised, and did not come, is held no more. */
  release(units: number): void;
}

/** A wish that was not met is repeated after so long; others remember it for twice as long (`contestedMs`). */
const askAgainMs = 1500;
const yieldingShare = 0.3;

/** Where in shared memory a limit is held. */
export interface PoolPlace {
  readonly pool: Pool;
  readonly at: number;
  /** From 0 to less than 1. */
  readonly random: () => number;
}

/** Holds a limit of a pool in shared memory. */
export function holdLimit(
  resource: Resource,
  { pool, at, random }: PoolPlace,
  sinceMinute: number,
): HeldLimit {
  const { day, measure } = resource;
  pool.begin(at, day);
  let held = 0;
  let before = 0;
  let flow = 0;
  let usedBefore = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  let isContested = false;
  let askAfterMs = Number.NEGATIVE_INFINITY;
  let told = '';
  let hasLacked = false;
  let isYielding = false;
  /** Gives back what is more than is wanted. */
  const giveBack = (target: number) => {
    const left = pool.left(at, day);
    const excess = left - (isContested ? target : 2 * target);
    if (excess > 0 && pool.take(at, day, excess)) held -= excess;
  };
  return {
    ...{ measure, day },
    sinceMinute,
    report({ line, least, open, counted, nowMs, isWhole }) {
      const lacked = pool.lacked(at);
      const usedSince = Math.max(0, held - pool.left(at, day) - usedBefore);
      const elapsedMs = Math.min(10_000, nowMs - lastMs);
      flow = flowAfter(flow, { used: usedSince, lacked, elapsedMs });
      lastMs = nowMs;
      hasLacked = lacked > 0;
      const target = isYielding ? 0 : targetOf(flow, { lacked, least, isContested });
      isYielding = false;
      giveBack(target);
      // What is promised meanwhile must not be missing in what is used: so what is open is read before and after it.
      const openFirst = open();
      const unused = pool.left(at, day);
      const used = held - unused;
      const stillOpen = Math.max(0, Math.min(openFirst, open(), used));
      usedBefore = used;
      const wanted = nowMs >= askAfterMs ? Math.max(0, target - unused) : 0;
      const levels = `${used} ${stillOpen} ${unused}`;
      if (levels === told && wanted === 0 && !isWhole) return undefined;
      told = levels;
      const known = { line, before, counted: counted(), used, open: stillOpen, unused, wanted };
      return { ...resource, ...known };
    },
    take(grant, nowMs) {
      if (grant.granted > 0) {
        held += grant.granted;
        pool.put(at, day, grant.granted);
      } else {
        // Several may each hold a part of what is left, too little for an ad: one of them gives way to the others.
        isYielding = grant.isContested && hasLacked && random() < yieldingShare;
        askAfterMs = nowMs + askAgainMs * (isYielding ? 2 : 1);
      }
      before = Math.max(before, grant.before);
      ({ isContested } = grant);
    },
    lose() {
      told = '';
    },
    addUsed(units) {
      held += units;
    },
    drop() {
      const left = pool.left(at, day);
      if (pool.take(at, day, left)) held -= left;
    },
    release(units) {
      const released = Math.min(units, held - pool.left(at, day));
      held -= released;
      usedBefore -= released;
    },
  };
}
