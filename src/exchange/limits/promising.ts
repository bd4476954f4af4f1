import { roleOf } from '../../entities/kinds.ts';
import { type Nanos, usdOf } from '../money.ts';
import { isRefusal, type Reason, type Refusal, refuse } from '../reasons.ts';
import type { ObjectLimits } from '../snapshot/exchange-object.ts';
import type { Counters } from './counters.ts';
import { dayLine, dayOf } from './day-line.ts';
import type { Limited, Promised, PromisedIn, Shown } from './promised.ts';

const amountReasons: Readonly<Record<ReturnType<typeof roleOf>['amountDaily'], Reason>> = {
  SpentDailyLimit: 'spent_daily_limit',
  SpendDailyLimit: 'spent_daily_limit',
  RevenueDailyLimit: 'revenue_daily_limit',
};

/** Whether one of the object's limits promises something to ads. */
export function isPromising({ limits }: { readonly limits: ObjectLimits }): boolean {
  const { impressionsDaily, impressionsPerIp, amountDailyNanos, amountTotalNanos } = limits;
  return impressionsDaily > 0 || impressionsPerIp > 0 || amountDailyNanos > 0 || amountTotalNanos > 0;
}

/** The impressions of a day. Refusals count in `met` what was shown and what is promised. */
function impressionsOf({ days, promises }: Counters) {
  const met = (slot: number, timeMs: number) => {
    // Promises first: what is kept meanwhile is counted before its promise ends.
    const open = promises.ad.open(slot, timeMs) + promises.offer.open(slot, timeMs);
    return open + days.of(slot, 'impressions', dayOf(timeMs));
  };
  return {
    met,
    /** Whether there is room for so many more. */
    isWithin: (slot: number, { limits }: Limited, timeMs: number, more: number) =>
      limits.impressionsDaily === 0 || met(slot, timeMs) + more <= dayLine(limits.impressionsDaily, timeMs),
    refusal: (slot: number, { limits }: Limited, timeMs: number) =>
      refuse('impressions_daily_limit', {
        field: 'ImpressionsDailyLimit',
        wanted: limits.impressionsDaily,
        met: met(slot, timeMs),
      }),
  };
}

/**
 * Amounts of a day and in all. Refusals count in `met` what is booked and what is promised, without what was asked for.
 */
function amountsOf({ amounts, promisedAmounts: { ad, offer } }: Counters) {
  const ofDay = (slot: number, timeMs: number) => {
    const open = ad.ofDay(slot, timeMs) + offer.ofDay(slot, timeMs);
    return open + amounts.ofDay(slot, dayOf(timeMs));
  };
  const inAll = (slot: number, timeMs: number) => {
    const open = ad.inAll(slot, timeMs) + offer.inAll(slot, timeMs);
    return open + amounts.total(slot);
  };
  const isWithin = (slot: number, { limits }: Limited, timeMs: number, more: Nanos) =>
    (limits.amountDailyNanos === 0 || ofDay(slot, timeMs) + more <= limits.amountDailyNanos) &&
    (limits.amountTotalNanos === 0 || inAll(slot, timeMs) + more <= limits.amountTotalNanos);
  const refusal = (slot: number, { kind, limits }: Limited, timeMs: number, more: Nanos): Refusal => {
    const { amountDailyNanos, amountTotalNanos } = limits;
    const met = ofDay(slot, timeMs);
    if (amountTotalNanos === 0 || (amountDailyNanos > 0 && met + more > amountDailyNanos)) {
      const field = roleOf(kind).amountDaily;
      return refuse(amountReasons[field], { field, wanted: usdOf(amountDailyNanos), met: usdOf(met) });
    }
    const [wanted, metInAll] = [usdOf(amountTotalNanos), usdOf(inAll(slot, timeMs))];
    return refuse('spend_total_limit', { field: 'SpendTotalLimit', wanted, met: metInAll });
  };
  return { isWithin, refusal, ofDay, inAll };
}

interface Rules {
  readonly impressions: ReturnType<typeof impressionsOf>;
  readonly amounts: ReturnType<typeof amountsOf>;
}

/** Why the limit of an address refuses. No `met`: there is no room to count another address. */
export function addressRefusal({ limits }: Limited, met: number): Refusal {
  const details = { field: 'ImpressionsLimitPerIp', wanted: limits.impressionsPerIp };
  return refuse('impressions_per_ip', Number.isFinite(met) ? { ...details, met } : details);
}

/** Takes what an ad promises from each limit, and gives it back. */
function taking({ promises, promisedAmounts, addresses }: Counters, { impressions, amounts }: Rules) {
  return {
    amount(slot: number, object: Limited, { timeMs, to }: PromisedIn, nanos: Nanos): Refusal | undefined {
      const isWithin = () => amounts.isWithin(slot, object, timeMs, 0);
      const isTaken = promisedAmounts[to].take(slot, timeMs, nanos, isWithin);
      return isTaken ? undefined : amounts.refusal(slot, object, timeMs, nanos);
    },
    impression(slot: number, object: Limited, { timeMs, to }: PromisedIn): Refusal | undefined {
      const isTaken = promises[to].take(slot, timeMs, () => impressions.isWithin(slot, object, timeMs, 0));
      return isTaken ? undefined : impressions.refusal(slot, object, timeMs);
    },
    atAddress(slot: number, object: Limited, auction: PromisedIn): Refusal | undefined {
      const limit = object.limits.impressionsPerIp;
      const { ip, timeMs } = auction;
      if (limit === 0 || !ip || addresses.take(slot, limit, ip, auction)) return undefined;
      return addressRefusal(object, addresses.of(slot, ip, timeMs));
    },
    end(slot: number, { nanos, isAtAddress }: Promised, auction: PromisedIn): void {
      const { timeMs, to, ip } = auction;
      promises[to].end(slot, timeMs);
      promisedAmounts[to].end(slot, timeMs, nanos);
      if (isAtAddress && ip) addresses.end(slot, ip, auction);
    },
  };
}

/** Checks whether a slot may promise an ad, and makes and ends promises. */
export function promising(counters: Counters) {
  const { days, promisedAmounts, addresses, leased } = counters;
  const rules = { impressions: impressionsOf(counters), amounts: amountsOf(counters) };
  const take = taking(counters, rules);
  return {
    may(slot: number, object: Limited, { ip, timeMs }: Pick<PromisedIn, 'timeMs' | 'ip'>, nanos: Nanos) {
      const { impressions, amounts } = rules;
      if (!impressions.isWithin(slot, object, timeMs, 1)) return impressions.refusal(slot, object, timeMs);
      // Of an ad that costs nothing, too, a limit that is reached wants no more.
      const least = Math.max(1, nanos);
      if (!amounts.isWithin(slot, object, timeMs, least)) return amounts.refusal(slot, object, timeMs, least);
      const limit = object.limits.impressionsPerIp;
      const met = limit > 0 && ip ? addresses.of(slot, ip, timeMs) : 0;
      if (limit > 0 && met >= limit) return addressRefusal(object, met);
      return leased.mayPromise(slot, object, timeMs, least);
    },
    promise(slot: number, object: Limited, auction: PromisedIn, nanos: Nanos): Promised | Refusal {
      const { kind, id, limits } = object;
      const ofImpression = take.impression(slot, object, auction);
      if (ofImpression) return ofImpression;
      const ofAmount = take.amount(slot, object, auction, nanos);
      const refusal = ofAmount ?? take.atAddress(slot, object, auction);
      const isAtAddress = !refusal && limits.impressionsPerIp > 0 && auction.ip !== undefined;
      const taken = { kind, id, nanos: ofAmount ? 0 : nanos, isAtAddress };
      const ofShares = refusal ?? leased.promise(slot, object, auction, nanos);
      if (!isRefusal(ofShares)) return { ...taken, ...ofShares };
      take.end(slot, taken, auction);
      return ofShares;
    },
    promiseAmount(
      slot: number,
      object: Limited,
      promised: Promised,
      auction: PromisedIn,
      nanos: Nanos,
    ): Promised | Refusal {
      const more = nanos - promised.nanos;
      if (more < 0) promisedAmounts[auction.to].end(slot, auction.timeMs, -more);
      const refusal = more > 0 ? take.amount(slot, object, auction, more) : undefined;
      if (refusal) return refusal;
      const ofShares = leased.promiseMore(slot, promised, auction, more);
      if (ofShares) promisedAmounts[auction.to].end(slot, auction.timeMs, more);
      return ofShares ?? { ...promised, nanos };
    },
    counted: (slot: number, timeMs: number) => ({
      impressions: rules.impressions.met(slot, timeMs),
      amount: rules.amounts.ofDay(slot, timeMs),
      total: rules.amounts.inAll(slot, timeMs),
    }),
    /** Takes a promise back. What shares have promised to an ad that was handed out stays promised. */
    end(slot: number, promised: Promised, auction: PromisedIn): void {
      take.end(slot, promised, auction);
      leased.withdraw(slot, promised, auction);
    },
    book(slot: number, object: Limited, promised: Promised | undefined, shown: Shown): void {
      const { auction, nanos, nowMs } = shown;
      const { ip, timeMs } = auction;
      const [day, today] = [dayOf(timeMs), dayOf(nowMs)];
      const isRecent = day >= today - 1;
      // Count first, then end the promise: in between the ad counts twice, but it is never missed.
      days.add(slot, 'impressions', day, today);
      if (isRecent) counters.amounts.add(slot, day, nanos);
      else counters.amounts.addBefore(slot, nanos);
      if (ip && object.limits.impressionsPerIp > 0 && isRecent) addresses.count(slot, ip, timeMs, 1);
      if (promised) take.end(slot, promised, auction);
      if (!promised?.holder) leased.noteUnpromised(slot, object, auction, nanos);
    },
  };
}
