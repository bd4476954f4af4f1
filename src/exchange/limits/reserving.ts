import { isDeal } from '../../entities/kinds.ts';
import type { Nanos } from '../money.ts';
import { isRefusal, type Refusal } from '../reasons.ts';
import type { Limited } from '../snapshot/limited.ts';
import { adUnits, type HasDays, rulesIn } from './ad-units.ts';
import { adRules, type LimitRule } from './limit-rules.ts';
import type { AskedIn } from './limits.ts';
import { openPromises } from './open-promises.ts';
import type { PromiseMinutes } from './promise-minutes.ts';
import type { Promised, PromisedIn, Shown } from './promised.ts';
import type { Quotas } from './quotas.ts';
import type { Taking } from './taking.ts';
import type { ViewerCounts } from './viewer-counts.ts';
import { isOfViewers, viewerLimits } from './viewer-limits.ts';

/** Whether one of the object's limits needs reservations for ads; of deals those tell which one an ad is under. */
export function isReserving({ kind, limits }: Pick<Limited, 'kind' | 'limits'>): boolean {
  return isOfViewers(limits) || adRules.some(({ limit }) => limit(limits) > 0) || isDeal(kind);
}

export interface ReservingParts {
  readonly quotas: Quotas;
  readonly viewers: ViewerCounts;
  readonly take: Taking;
  readonly made: PromiseMinutes;
}

export type Reserving = ReturnType<typeof reserving>;

const amountBits = 0b110;

/** What ads reserve of limits, and what becomes of it. */
export function reserving({ quotas, viewers, take, made }: ReservingParts) {
  const units = adUnits(quotas, take);
  const promises = openPromises(quotas, units, made);
  const ofViewers = viewerLimits(viewers);
  return {
    restore: promises.restore,
    may(slot: number, object: Limited, auction: AskedIn, nanos: Nanos) {
      const { timeMs } = auction;
      promises.endOld(slot, object, timeMs);
      // Of an ad that costs nothing, too, a limit that is reached wants no more.
      const asker = { slot, object, timeMs, nanos: Math.max(1, nanos) };
      for (const rule of adRules) {
        const refusal = take.may(rule, asker);
        if (refusal) return refusal;
      }
      return isOfViewers(object.limits) ? ofViewers.may(slot, object, auction) : undefined;
    },
    reserve(slot: number, object: Limited, auction: PromisedIn, nanos: Nanos): Promised | Refusal {
      const { kind, id } = object;
      const { timeMs } = auction;
      const asker = { slot, object, timeMs, nanos };
      const [bits, shares] = [promises.bitsOf(object), promises.sharesOf(object)];
      promises.endOld(slot, object, timeMs);
      const refusal = units.take(adRules, asker);
      if (refusal) return refusal;
      const marks = ofViewers.take(slot, object, auction);
      const isAdded =
        !isRefusal(marks) && (bits === 0 || promises.add(slot, object, auction, { impressions: 1, nanos }));
      // Again: whoever has looked at what was taken may not have seen the promise.
      if (!quotas.isAlone) quotas.touch(slot);
      if (isAdded) return { kind, id, nanos, ...marks, ...shares };
      units.give(slot, object, bits, timeMs, { impressions: 1, nanos });
      if (isRefusal(marks)) return marks;
      ofViewers.end(slot, marks, auction);
      return take.refusal(rulesIn(bits)[0] as LimitRule, asker);
    },
    reprice(
      slot: number,
      object: Limited,
      promised: Promised,
      auction: PromisedIn,
      nanos: Nanos,
    ): Promised | Refusal {
      const { timeMs } = auction;
      const more = nanos - promised.nanos;
      const bits = amountBits & (quotas.isAlone ? amountBits : (promised.shares ?? 0));
      const refusal = more > 0 && units.take(rulesIn(bits), { slot, object, timeMs, nanos: more });
      if (refusal) return refusal;
      const sum = { impressions: 0, nanos: more };
      if (more !== 0 && promises.add(slot, object, auction, sum) && more < 0)
        units.give(slot, object, bits, timeMs, { impressions: 0, nanos: -more });
      return { ...promised, nanos };
    },
    release(slot: number, object: HasDays, promised: Promised, auction: PromisedIn): void {
      ofViewers.end(slot, promised, auction);
      promises.release(slot, object, promised, auction);
    },
    commit(slot: number, object: Limited, promised: Promised | undefined, shown: Shown): void {
      const { auction, nanos, nowMs } = shown;
      const unused = promises.commit(slot, promised, auction, nanos);
      if (unused) units.use(slot, object, shown, unused);
      // Count first, then end the promise: in between the ad counts twice, but it is never missed.
      ofViewers.count(slot, object, promised, { auction, nowMs });
      if (promised) ofViewers.end(slot, promised, auction);
    },
  };
}
