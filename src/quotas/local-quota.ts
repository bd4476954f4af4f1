import type { Pool } from '../exchange/limits/quota-pool.ts';
import type { Grant, LimitReport, Measure, Resource } from '../leases/authority.ts';
import { createShareRequest } from './share-request.ts';

/** What a round finds open, and what the limit allows. */
export interface QuotaState {
  readonly line: number;
  /** Held at least while nobody else wants it. */
  readonly least: number;
  /** Promises that may still come; read twice. */
  readonly open: () => number;
  /** Whether to report all, not only changes. */
  readonly isWhole: boolean;
}

/** As the thread knows it that talks to the authority. */
export interface LocalQuota {
  readonly measure: Measure;
  /** Its key; 0 = all days. */
  readonly day: number;
  /** Promises before did not take from it, in minutes since 1970; 0 = all did. */
  sinceMinute: number;
  /** Undefined if nothing has changed and nothing is wanted; else valid until the next report. */
  report(now: QuotaState): LimitReport | undefined;
  /** The answer to the last report. */
  take(grant: Grant): void;
  /** Others want what it holds. */
  recall(): void;
  /** Whether it must be asked of the store what was counted while the limit was not set. */
  isUncounted(): boolean;
  /** Answers that. */
  count(counted: number): void;
  /** Whether anything unused counts as held. */
  holds(): boolean;
  /** The last report got no answer. */
  lose(): void;
  /** What is held ended at that time, because the authority was away; of rates only. */
  end(fellMs: number): void;
  /** Gives back all that is left. */
  drop(): void;
  /** Promised, but not shown. */
  release(units: number): void;
}

export interface PoolPlace {
  readonly pool: Pool;
  readonly at: number;
  /** The key of the resource's day. */
  readonly day: number;
  /** From 0 to less than 1. */
  readonly random: () => number;
  /** Never goes back. */
  readonly steadyMs: () => number;
}

type Writable<T> = { -readonly [member in keyof T]: T[member] };

const nothingTold: Omit<LimitReport, keyof Resource> = {
  line: 0,
  before: 0,
  counted: undefined,
  unlimited: 0,
  used: 0,
  open: 0,
  unused: 0,
  wanted: 0,
};

/** A higher line matters to nobody who wants nothing. */
const isNews = (now: typeof nothingTold, told: typeof nothingTold) =>
  now.wanted > 0 ||
  now.line < told.line ||
  now.used !== told.used ||
  now.open !== told.open ||
  now.unused !== told.unused;

export function openLocalQuota(
  resource: Resource,
  { pool, at, day, random, steadyMs }: PoolPlace,
  sinceMinute: number,
): LocalQuota {
  const { measure } = resource;
  pool.begin(at, day);
  const request = createShareRequest(random);
  let held = 0;
  let before = 0;
  let usedBefore = 0;
  /** The last report; filled in again each time. */
  const told: Writable<LimitReport> = { ...resource, ...nothingTold };
  let countedTold: number | undefined;
  let isLost = true;
  /** Whether the authority knows the limit, or whoever may tell it has to be asked. */
  let isKnown = false;
  let isUncounted = false;
  let counted: number | undefined;
  /** What was used without a limit, and is part of what was counted. */
  let unlimited = 0;
  const giveBack = (units: number) => {
    if (units > 0) held -= pool.takeBack(at, day, Math.min(units, pool.left(at, day)));
  };
  /** What was used beyond what is held, for impressions that nobody had reserved, is held from now on. */
  const holdExcess = (left: number) => {
    if (left >= 0) return;
    pool.release(at, day, -left);
    held -= left;
  };
  const isSame = (levels: typeof nothingTold, isWhole: boolean) =>
    !isWhole && !isLost && counted === countedTold && !isNews(levels, told);
  return {
    measure,
    day,
    sinceMinute,
    report({ line, least, open, isWhole }) {
      isUncounted ||= line > 0 && pool.unlimited(at, day) > unlimited;
      if (isUncounted && !isKnown) return undefined;
      const found = pool.left(at, day);
      holdExcess(found);
      const nowMs = steadyMs();
      const leftFirst = Math.max(0, found);
      const used = Math.max(0, held - leftFirst - usedBefore);
      const target = request.target({ used, lacked: pool.lacked(at), left: leftFirst, least, nowMs });
      giveBack(found - request.most(target));
      // Read before and after, so as not to miss promises made meanwhile.
      const openFirst = open();
      const left = pool.left(at, day);
      const unused = Math.max(0, left);
      const isAsking = !isKnown && counted === undefined;
      // Until the authority knows the limit, it is told nothing that would make it known.
      usedBefore = isAsking ? 0 : held - left;
      const stillOpen = Math.max(0, openFirst && Math.min(openFirst, open(), usedBefore));
      const wanted = isUncounted ? 0 : request.wanted(target, unused, nowMs);
      const levels = { line, before, counted, unlimited, used: usedBefore, open: stillOpen, unused, wanted };
      if (isSame(levels, isWhole)) return undefined;
      isLost = false;
      countedTold = counted;
      return Object.assign(told, levels, { counted: isAsking ? undefined : (counted ?? 0) });
    },
    take(grant) {
      isUncounted ||= !grant.isKnown;
      isKnown = grant.isKnown;
      if (!grant.isKnown) return;
      counted = undefined;
      if (grant.granted > 0) {
        held += grant.granted;
        pool.release(at, day, grant.granted);
        isLost = true;
      }
      giveBack(grant.excess);
      before = Math.max(before, grant.before);
      pool.tell(at, day, held, before + grant.others);
      request.answered(grant, steadyMs());
    },
    recall: request.recall,
    isUncounted: () => isUncounted,
    count(sum) {
      counted = sum;
      unlimited = pool.unlimited(at, day);
      isUncounted = false;
    },
    holds: () => pool.left(at, day) > 0,
    lose() {
      isLost = true;
    },
    end: () => undefined,
    drop: () => giveBack(pool.left(at, day)),
    release(units) {
      const released = Math.max(0, Math.min(units, held - pool.left(at, day)));
      held -= released;
      usedBefore -= released;
    },
  };
}
