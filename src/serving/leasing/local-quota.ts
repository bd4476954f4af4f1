import type { Pool } from '../../exchange/limits/pool.ts';
import type { Grant, LimitReport, Measure, Resource } from '../../leases/authority.ts';
import { createShareRequest } from './share-request.ts';

/** What a round finds open, and what the limit allows. */
export interface QuotaState {
  readonly line: number;
  /** Held at least while nobody else wants it. */
  readonly least: number;
  /** Promises that may still come; read twice. */
  readonly open: () => number;
  /** By all processes, as the store says. */
  readonly counted: () => number;
  /** Whether to report all, not only changes. */
  readonly isWhole: boolean;
  /** Whether the silence was long enough for rates to have gone to others. */
  readonly wasSilent: boolean;
}

/** As the thread knows it that talks to the authority. */
export interface LocalQuota {
  readonly measure: Measure;
  readonly day: number;
  /** Promises before did not take from it, in minutes since 1970; 0 = all did. */
  sinceMinute: number;
  /** Undefined if nothing has changed and nothing is wanted. */
  report(now: QuotaState): LimitReport | undefined;
  /** The answer to the last report. */
  take(grant: Grant): void;
  /** Whether anything unused counts as held. */
  holds(): boolean;
  /** The last report got no answer. */
  lose(): void;
  /** Used without having been reserved. */
  addUsed(units: number): void;
  /** Gives back all that is left. */
  drop(): void;
  /** Promised, but not shown. */
  release(units: number): void;
}

export interface PoolPlace {
  readonly pool: Pool;
  readonly at: number;
  /** From 0 to less than 1. */
  readonly random: () => number;
  /** Never goes back. */
  readonly steadyMs: () => number;
}

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
  let lineTold = Number.POSITIVE_INFINITY;
  const giveBack = (units: number) => {
    const leftOf = () => Math.min(units, pool.left(at, day));
    for (let left = leftOf(); left > 0; left = leftOf()) {
      if (!pool.take(at, day, left)) continue;
      held -= left;
      return;
    }
  };
  return {
    measure,
    day,
    sinceMinute,
    report({ line, least, open, counted, isWhole }) {
      const used = Math.max(0, held - pool.left(at, day) - usedBefore);
      const target = request.target({ used, lacked: pool.lacked(at), least, nowMs: steadyMs() });
      giveBack(pool.left(at, day) - request.most(target));
      // Read before and after, so as not to miss promises made meanwhile.
      const openFirst = open();
      const unused = pool.left(at, day);
      usedBefore = held - unused;
      const stillOpen = Math.max(0, Math.min(openFirst, open(), usedBefore));
      const wanted = request.mayAsk(steadyMs()) ? Math.max(0, target - unused) : 0;
      const levels = `${usedBefore} ${stillOpen} ${unused}`;
      // A higher line matters to nobody who wants nothing.
      if (levels === told && line >= lineTold && wanted === 0 && !isWhole) return undefined;
      told = levels;
      lineTold = line;
      const known = { line, before, counted: counted(), used: usedBefore, open: stillOpen, unused, wanted };
      return { ...resource, ...known };
    },
    take(grant) {
      if (grant.granted > 0) {
        held += grant.granted;
        pool.put(at, day, grant.granted);
      }
      giveBack(grant.excess);
      before = Math.max(before, grant.before);
      request.answered(grant, steadyMs());
    },
    holds: () => pool.left(at, day) > 0,
    lose() {
      told = '';
    },
    addUsed(units) {
      held += units;
    },
    drop: () => giveBack(pool.left(at, day)),
    release(units) {
      const released = Math.min(units, held - pool.left(at, day));
      held -= released;
      usedBefore -= released;
    },
  };
}
