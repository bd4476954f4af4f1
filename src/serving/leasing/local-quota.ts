import type { Pool } from '../../exchange/limits/pool.ts';
import type { Grant, LimitReport, Measure, Resource } from '../../leases/authority.ts';
import { createShareRequest } from './share-request.ts';

/** What of a limit is open, and what it allows, as a turn finds it. */
export interface QuotaState {
  readonly line: number;
  /** The least that is held while nobody else wants it. */
  readonly least: number;
  /** What is promised and may still come; asked for twice. */
  readonly open: () => number;
  /** What all processes have counted, as the store says. */
  readonly counted: () => number;
  /** Whether all is to be said, not only what has changed. */
  readonly isWhole: boolean;
  /** Whether nothing was said for so long that rates may be others' when this is heard. */
  readonly wasSilent: boolean;
}

/** What this process holds of one limit of an object, as the thread knows it that talks to the authority. */
export interface LocalQuota {
  readonly measure: Measure;
  readonly day: number;
  /** What was promised before did not take of it, in minutes since 1970; 0 where all did. */
  sinceMinute: number;
  /** What is to be said of it now; undefined where nothing has changed and nothing is wanted. */
  report(now: QuotaState): LimitReport | undefined;
  /** Takes the answer to the last report. */
  take(grant: Grant): void;
  /** The answer to the last report did not come. */
  lose(): void;
  /** What was used without having been taken. */
  addUsed(units: number): void;
  /** Gives back all that is left of it. */
  drop(): void;
  /** What was promised, and did not come, is held no more. */
  release(units: number): void;
}

/** Where in shared memory a limit is held. */
export interface PoolPlace {
  readonly pool: Pool;
  readonly at: number;
  /** From 0 to less than 1. */
  readonly random: () => number;
  /** Milliseconds that never go back. */
  readonly steadyMs: () => number;
}

/** Holds a limit of a pool in shared memory. */
export function openLocalQuota(
  resource: Resource,
  { pool, at, random, steadyMs }: PoolPlace,
  sinceMinute: number,
): LocalQuota {
  const { day, measure } = resource;
  pool.begin(at, day);
  const request = createShareRequest(random);
  let held = 0;
  let before = 0;
  let usedBefore = 0;
  let told = '';
  return {
    measure,
    day,
    sinceMinute,
    report({ line, least, open, counted, isWhole }) {
      const used = Math.max(0, held - pool.left(at, day) - usedBefore);
      const target = request.target({ used, lacked: pool.lacked(at), least, nowMs: steadyMs() });
      const excess = pool.left(at, day) - request.most(target);
      if (excess > 0 && pool.take(at, day, excess)) held -= excess;
      // What is promised meanwhile must not be missing in what is used: so what is open is read before and after it.
      const openFirst = open();
      const unused = pool.left(at, day);
      usedBefore = held - unused;
      const stillOpen = Math.max(0, Math.min(openFirst, open(), usedBefore));
      const wanted = request.mayAsk(steadyMs()) ? Math.max(0, target - unused) : 0;
      const levels = `${usedBefore} ${stillOpen} ${unused}`;
      if (levels === told && wanted === 0 && !isWhole) return undefined;
      told = levels;
      const known = { line, before, counted: counted(), used: usedBefore, open: stillOpen, unused, wanted };
      return { ...resource, ...known };
    },
    take(grant) {
      if (grant.granted > 0) {
        held += grant.granted;
        pool.put(at, day, grant.granted);
      }
      before = Math.max(before, grant.before);
      request.answered(grant, steadyMs());
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
