import type { Nanos } from '../money.ts';
import { type Refusal, refuse } from '../reasons.ts';
import type { ObjectLimits } from '../snapshot/exchange-object.ts';
import type { AddressCounts } from './address-counts.ts';
import { dayOf } from './day-line.ts';
import { adRules, type LimitRule } from './limit-rules.ts';
import type { RestoredPromises } from './limits.ts';
import { minuteOf, minutesAhead, type PromiseMinutes } from './promise-minutes.ts';
import {
  type Limited,
  minutesFor,
  type Promised,
  type PromisedIn,
  type PromisedTo,
  type Shown,
} from './promised.ts';
import type { PromisedSum } from './promised-minutes.ts';
import type { Quotas } from './quotas.ts';
import type { Taking } from './taking.ts';

/** Whether one of the object's limits needs reservations for ads. */
export function isReserving({ limits }: { readonly limits: ObjectLimits }): boolean {
  const { impressionsDaily, impressionsPerIp, amountDailyNanos, amountTotalNanos } = limits;
  return impressionsDaily > 0 || impressionsPerIp > 0 || amountDailyNanos > 0 || amountTotalNanos > 0;
}

/** Why the limit of an address refuses. No `met`: there is no room to count another address. */
export function addressRefusal({ limits }: Limited, met: number): Refusal {
  const details = { field: 'ImpressionsLimitPerIp', wanted: limits.impressionsPerIp };
  return refuse('impressions_per_ip', Number.isFinite(met) ? { ...details, met } : details);
}

export interface ReservingParts {
  readonly quotas: Quotas;
  readonly addresses: AddressCounts;
  readonly take: Taking;
  readonly made: PromiseMinutes;
}

export type Reserving = ReturnType<typeof reserving>;

/**
 * An impression that comes in the last moment takes seconds to be durable, or longer while the database is away. So
 * promises are held a minute longer.
 */
const heldMinutes: Readonly<Record<PromisedTo, number>> = {
  ad: minutesFor.ad + 1,
  offer: minutesFor.offer + 1,
};
const kinds = ['ad', 'offer'] as const satisfies readonly PromisedTo[];
const minuteMs = 60_000;
const nothing: PromisedSum = { impressions: 0, nanos: 0 };
const unitsIn = ({ measure }: LimitRule, { impressions, nanos }: PromisedSum) =>
  measure === 'impressions' ? impressions : nanos;

const allBits = (1 << adRules.length) - 1;
/** By their bits, so that no auction makes lists. */
const rulesByBits = Array.from({ length: allBits + 1 }, (_, bits) =>
  adRules.filter((_rule, index) => (bits & (1 << index)) !== 0),
);
const rulesIn = (bits: number): readonly LimitRule[] => rulesByBits[bits] ?? [];
function bitsLimited(limits: ObjectLimits): number {
  let bits = 0;
  for (const [index, rule] of adRules.entries()) if (rule.limit(limits) > 0) bits |= 1 << index;
  return bits;
}

/** What ads reserve of limits, and what becomes of it. */
export function reserving({ quotas, addresses, take, made }: ReservingParts) {
  const { isAlone, promised: minutes } = quotas;
  /** Uses what an ad cost that was shown, or gives it back where it is below 0. */
  const use = (
    slot: number,
    rule: LimitRule,
    { limits }: Limited,
    { auction: { timeMs }, nowMs }: Shown,
    units: number,
  ) => {
    const day = rule.dayOf(timeMs);
    const [pool, at] = [quotas.pool(rule.measure), quotas.at(slot, rule.measure, day)];
    if (isAlone || rule.limit(limits) > 0) pool.use(at, day, units, day === rule.dayOf(nowMs));
    else pool.useUnlimited(at, day, units);
  };
  const give = (slot: number, bits: number, timeMs: number, sum: PromisedSum) => {
    for (const rule of rulesIn(bits)) {
      const day = rule.dayOf(timeMs);
      quotas.pool(rule.measure).release(quotas.at(slot, rule.measure, day), day, unitsIn(rule, sum));
    }
    if (!isAlone) quotas.touch(slot);
  };
  /** Alone, whoever comes first in a minute gives back what can no longer be shown. */
  const endOld = (slot: number, timeMs: number) => {
    if (!isAlone) return;
    const minute = minuteOf(timeMs);
    for (const to of kinds) {
      const from = minute - heldMinutes[to] - 1;
      minutes[to].endOutside(slot, from, minute + minutesAhead, (ended, sum) =>
        give(slot, allBits, ended * minuteMs, sum),
      );
    }
  };
  const minuteOfPromise = (timeMs: number) => (isAlone ? made.of(timeMs) : minuteOf(timeMs));
  /** Takes of all limits, or of none. */
  const takeAll = (slot: number, object: Limited, timeMs: number, nanos: Nanos): Refusal | undefined => {
    const asker = { slot, object, timeMs, nanos };
    for (const [index, rule] of adRules.entries()) {
      const refusal = take.take(rule, asker);
      if (!refusal) continue;
      for (const taken of adRules.slice(0, index)) take.giveBack(taken, asker);
      return refusal;
    }
    return undefined;
  };
  const bitsOf = ({ limits }: Limited) => (isAlone ? allBits : bitsLimited(limits));
  return {
    may(slot: number, object: Limited, { ip, timeMs }: Pick<PromisedIn, 'timeMs' | 'ip'>, nanos: Nanos) {
      endOld(slot, timeMs);
      // Of an ad that costs nothing, too, a limit that is reached wants no more.
      const asker = { slot, object, timeMs, nanos: Math.max(1, nanos) };
      for (const rule of adRules) {
        const refusal = take.may(rule, asker);
        if (refusal) return refusal;
      }
      const limit = object.limits.impressionsPerIp;
      const met = limit > 0 && ip ? addresses.of(slot, ip, timeMs) : 0;
      return limit > 0 && met >= limit ? addressRefusal(object, met) : undefined;
    },
    reserve(slot: number, object: Limited, auction: PromisedIn, nanos: Nanos): Promised | Refusal {
      const { kind, id, limits } = object;
      const { timeMs, to, ip } = auction;
      const holder = quotas.holder();
      endOld(slot, timeMs);
      const refusal = takeAll(slot, object, timeMs, nanos);
      if (refusal) return refusal;
      const isAtAddress = limits.impressionsPerIp > 0 && ip !== undefined;
      const shares = bitsOf(object);
      const giveAll = () => give(slot, shares, timeMs, { impressions: 1, nanos });
      if (isAtAddress && !addresses.take(slot, limits.impressionsPerIp, ip, auction)) {
        giveAll();
        return addressRefusal(object, addresses.of(slot, ip, timeMs));
      }
      if (shares !== 0 && !minutes[to].add(slot, minuteOfPromise(timeMs), 1, nanos)) {
        giveAll();
        if (isAtAddress) addresses.end(slot, ip, auction);
        return take.refusal(rulesIn(shares)[0] as LimitRule, { slot, object, timeMs, nanos });
      }
      // Again: whoever has looked at what was taken may not have seen the promise.
      if (!isAlone) quotas.touch(slot);
      const promised = { kind, id, nanos, isAtAddress };
      return isAlone || shares === 0 ? promised : { ...promised, holder, shares };
    },
    reprice(
      slot: number,
      object: Limited,
      promised: Promised,
      { timeMs, to }: PromisedIn,
      nanos: Nanos,
    ): Promised | Refusal {
      const more = nanos - promised.nanos;
      const bits = isAlone ? allBits : (promised.shares ?? 0);
      if (more === 0 || bits === 0) return { ...promised, nanos };
      const minute = minuteOfPromise(timeMs);
      if (more < 0) {
        if (minutes[to].add(slot, minute, 0, more))
          give(slot, bits, timeMs, { impressions: 0, nanos: -more });
        return { ...promised, nanos };
      }
      const asker = { slot, object, timeMs, nanos: more };
      const amounts = rulesIn(bits).filter(({ measure }) => measure !== 'impressions');
      for (const [index, rule] of amounts.entries()) {
        const refusal = take.take(rule, asker);
        if (!refusal) continue;
        for (const taken of amounts.slice(0, index)) take.giveBack(taken, asker);
        return refusal;
      }
      minutes[to].add(slot, minute, 0, more);
      return { ...promised, nanos };
    },
    release(slot: number, { nanos, isAtAddress, holder, shares = 0 }: Promised, auction: PromisedIn): void {
      const { timeMs, to, ip } = auction;
      if (isAtAddress && ip) addresses.end(slot, ip, auction);
      // What shares have promised to an ad that was handed out stays promised.
      if (isAlone) give(slot, allBits, timeMs, minutes[to].take(slot, minuteOfPromise(timeMs), nanos));
      else if (shares !== 0 && holder === quotas.holder())
        if (minutes[to].add(slot, minuteOf(timeMs), -1, -nanos))
          give(slot, shares, timeMs, { impressions: 1, nanos });
    },
    commit(slot: number, object: Limited, promised: Promised | undefined, shown: Shown): void {
      const { auction, nanos, nowMs } = shown;
      const { ip, timeMs, to } = auction;
      const isRecent = dayOf(timeMs) >= dayOf(nowMs) - 1;
      const isCounted = isAlone || !promised?.holder;
      const reserved =
        promised && isAlone ? minutes[to].take(slot, minuteOfPromise(timeMs), promised.nanos) : nothing;
      const sum = { impressions: 1 - reserved.impressions, nanos: nanos - reserved.nanos };
      for (const rule of isCounted ? adRules : []) use(slot, rule, object, shown, unitsIn(rule, sum));
      if (isCounted && !isAlone) quotas.touch(slot);
      // Count first, then end the promise: in between the ad counts twice, but it is never missed.
      if (ip && object.limits.impressionsPerIp > 0 && isRecent) addresses.count(slot, ip, timeMs, 1);
      if (promised?.isAtAddress && ip) addresses.end(slot, ip, auction);
    },
    restore(slot: number, { hour, to, promised, promisedNanos }: RestoredPromises): void {
      const minute = made.restored(hour);
      const sum = { impressions: Math.max(0, promised), nanos: Math.max(0, promisedNanos) };
      if (!minutes[to].add(slot, minute, sum.impressions, sum.nanos)) return;
      for (const { measure, dayOf: dayIn } of adRules) {
        const day = dayIn(minute * minuteMs);
        const units = measure === 'impressions' ? sum.impressions : sum.nanos;
        quotas.pool(measure).use(quotas.at(slot, measure, day), day, units, false);
      }
    },
  };
}
