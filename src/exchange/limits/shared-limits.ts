import { type ServedKind, servedKindNames } from '../../entities/kinds.ts';
import { type Refusal, refuse } from '../reasons.ts';
import { type Counters, createCounters, type LimitsMemory } from './counters.ts';
import type { DayCounters } from './day-counters.ts';
import { dayOf } from './day-line.ts';
import type { CountedInAll, LimitLooks, Limits } from './limits.ts';
import type { Limited } from './promised.ts';
import { isPromising, promising } from './promising.ts';
import { createShares } from './shares.ts';
import { createSlots, type Slots } from './slots.ts';

const hourMs = 3_600_000;
const nothingCounted: CountedInAll = { requests: 0, bids: 0, impressions: 0, amount: 0, total: 0 };

/** The number of a kind in shared memory is its place in this list, from 1 on. */
const kindNames: readonly string[] = servedKindNames;

const rateRefusal = (wanted: number) => refuse('max_qps', { field: 'MaxQps', wanted });

/** Takes one request from the daily limit and from the rate, or tells whether it could. */
function requesting({ rates, days, leased }: Counters, steadyMs: () => number) {
  const requestsRefusal = (slot: number, wanted: number, timeMs: number) => {
    const met = days.of(slot, 'requests', dayOf(timeMs));
    return refuse('requests_daily_limit', { field: 'RequestsDailyLimit', wanted, met });
  };
  return {
    take(slot: number, object: Limited, timeMs: number): Refusal | undefined {
      const { maxQps, requestsDaily } = object.limits;
      // The daily limit comes first, because it can be given back; what the rate has counted cannot.
      if (!days.take(slot, 'requests', requestsDaily, timeMs))
        return requestsRefusal(slot, requestsDaily, timeMs);
      const ofShare = leased.take(slot, 'requests', object, timeMs);
      if (!ofShare && (maxQps === 0 || rates.take(slot, leased.rateOf(slot, maxQps), steadyMs())))
        return undefined;
      days.giveBack(slot, 'requests', timeMs);
      if (!ofShare) leased.giveBack(slot, 'requests', object, timeMs);
      return ofShare ?? rateRefusal(maxQps);
    },
    may(slot: number, object: Limited, timeMs: number): Refusal | undefined {
      const { maxQps, requestsDaily } = object.limits;
      if (!days.may(slot, 'requests', requestsDaily, timeMs))
        return requestsRefusal(slot, requestsDaily, timeMs);
      const ofShare = leased.may(slot, 'requests', object, timeMs);
      if (ofShare || maxQps === 0) return ofShare;
      return rates.may(slot, leased.rateOf(slot, maxQps), steadyMs()) ? undefined : rateRefusal(maxQps);
    },
  };
}

/** Takes one bid from the daily limit, or tells whether it could. */
function bidding({ days, leased }: Counters) {
  const judged =
    (isFree: DayCounters['take']) =>
    (slot: number, { limits }: Limited, timeMs: number): Refusal | undefined => {
      const wanted = limits.bidsDaily;
      if (isFree(slot, 'bids', wanted, timeMs)) return undefined;
      const met = days.of(slot, 'bids', dayOf(timeMs));
      return refuse('bids_daily_limit', { field: 'BidsDailyLimit', wanted, met });
    };
  const [take, may] = [judged(days.take), judged(days.may)];
  return {
    take(slot: number, object: Limited, timeMs: number): Refusal | undefined {
      const refusal = take(slot, object, timeMs);
      if (refusal) return refusal;
      const ofShare = leased.take(slot, 'bids', object, timeMs);
      if (ofShare) days.giveBack(slot, 'bids', timeMs);
      return ofShare;
    },
    may: (slot: number, object: Limited, timeMs: number) =>
      may(slot, object, timeMs) ?? leased.may(slot, 'bids', object, timeMs),
    giveBack(slot: number, object: Limited, timeMs: number): void {
      days.giveBack(slot, 'bids', timeMs);
      leased.giveBack(slot, 'bids', object, timeMs);
    },
  };
}

interface Named {
  readonly kind: string;
  readonly id: number;
}

function slotFinder(slots: Slots): (object: Named) => number | undefined {
  return ({ kind, id }) => slots.of(kindNames.indexOf(kind) + 1, id);
}

/** Goes on with what was counted and promised before this process began, and beside it. */
function restoring(
  { days, promises, promisedAmounts, amounts, addresses, follow }: Counters,
  ofSlot: (object: Named, change: (slot: number) => void) => void,
): Pick<
  Limits,
  'raise' | 'raiseTotals' | 'restorePromises' | 'restoreAddresses' | 'followPromises' | 'raiseAddresses'
> {
  return {
    followPromises(made, timeMs) {
      follow();
      for (const { hour, to, promised, promisedNanos, ...object } of made) {
        ofSlot(object, (slot) => {
          promises[to].follow(slot, hour, promised, timeMs);
          promisedAmounts[to].follow(slot, hour, promisedNanos, timeMs);
        });
      }
    },
    raiseAddresses(shown) {
      for (const { ip, hour, impressions, ...object } of shown)
        ofSlot(object, (slot) => addresses.raise(slot, ip, hour * hourMs, impressions));
    },
    restorePromises(made) {
      for (const { hour, to, promised, promisedNanos, ...object } of made) {
        ofSlot(object, (slot) => {
          if (promised > 0) promises[to].restore(slot, hour, promised);
          if (promisedNanos > 0) promisedAmounts[to].restore(slot, hour, promisedNanos);
        });
      }
    },
    restoreAddresses(made) {
      for (const { ip, hour, impressions, promised, ...object } of made) {
        ofSlot(object, (slot) => {
          if (impressions > 0) addresses.count(slot, ip, hour * hourMs, impressions);
          if (promised > 0) addresses.restore(slot, ip, hour, promised);
        });
      }
    },
    raise(counted, timeMs) {
      const day = dayOf(timeMs);
      for (const object of counted) {
        ofSlot(object, (slot) => {
          for (const what of ['requests', 'bids', 'impressions'] as const)
            days.raise(slot, what, day, object[what]);
          amounts.add(slot, day, Math.max(0, object.amountNanos - amounts.ofDay(slot, day)));
        });
      }
    },
    raiseTotals(bookedInAll) {
      for (const { totalNanos, ...object } of bookedInAll) {
        ofSlot(object, (slot) => amounts.addBefore(slot, Math.max(0, totalNanos - amounts.total(slot))));
      }
    },
  };
}

/** What the process holds of limits that several share, as one of its threads sees it. */
export function sharesIn({ shares, slots, ratesFromMs }: LimitsMemory, steadyMs: () => number) {
  if (!shares) return undefined;
  const all = createSlots(slots);
  return createShares(shares, {
    originMs: ratesFromMs,
    steadyMs,
    slotOf: slotFinder(all),
    objectOf(slot) {
      const [kind, id] = all.keyOf(slot);
      return { kind: servedKindNames[kind - 1] as ServedKind, id };
    },
  });
}

/** No room for the counters of another object. */
const full = refuse('technical_error');

const judging =
  (slotOf: (object: Named) => number | undefined) =>
  <Judged>(object: Limited, judge: (slot: number) => Judged) => {
    const slot = slotOf(object);
    return slot === undefined ? full : judge(slot);
  };

function looking(counters: Counters, steadyMs: () => number, judged: ReturnType<typeof judging>): LimitLooks {
  const ads = promising(counters);
  const requests = requesting(counters, steadyMs);
  const bids = bidding(counters);
  return {
    mayRequest: (object, timeMs) => judged(object, (slot) => requests.may(slot, object, timeMs)),
    mayBid: (object, timeMs) => judged(object, (slot) => bids.may(slot, object, timeMs)),
    mayPromise(object, auction, nanos) {
      if (!isPromising(object)) return undefined;
      return judged(object, (slot) => ads.may(slot, object, auction, nanos));
    },
  };
}

/**
 * The limits of a process, as one of its threads sees them. Rates go by `steadyMs`: milliseconds that never go back and
 * have the same origin in all threads. By a clock that was set back, rates would refuse requests until it has caught
 * up.
 */
export function createLimits(memory: LimitsMemory, steadyMs: () => number): Limits {
  const counters = createCounters(memory, sharesIn(memory, steadyMs));
  const slotOf = slotFinder(createSlots(memory.slots));
  const ads = promising(counters);
  const requests = requesting(counters, steadyMs);
  const bids = bidding(counters);
  const judged = judging(slotOf);
  const ofSlot = (object: Named, change: (slot: number) => void) => {
    const slot = slotOf(object);
    if (slot !== undefined) change(slot);
  };
  const looksBy = (of: Counters) => looking(of, steadyMs, judged);
  return {
    ...looksBy(counters),
    looks: looksBy({ ...counters, leased: counters.leased.looks }),
    takeRequest: (object, timeMs) => judged(object, (slot) => requests.take(slot, object, timeMs)),
    takeBid: (object, timeMs) => judged(object, (slot) => bids.take(slot, object, timeMs)),
    giveBackBid: (object, timeMs) => ofSlot(object, (slot) => bids.giveBack(slot, object, timeMs)),
    promise(object, auction, nanos) {
      if (!isPromising(object)) return undefined;
      return judged(object, (slot) => ads.promise(slot, object, auction, nanos));
    },
    promiseAmount: (object, promised, auction, nanos) =>
      judged(object, (slot) => ads.promiseAmount(slot, object, promised, auction, nanos)),
    askRegion: () => undefined,
    withdraw: (promised, auction) => ofSlot(promised, (slot) => ads.end(slot, promised, auction)),
    counted(object, timeMs) {
      const slot = slotOf(object);
      if (slot === undefined) return nothingCounted;
      const of = (what: 'requests' | 'bids') => counters.days.of(slot, what, dayOf(timeMs));
      return { requests: of('requests'), bids: of('bids'), ...ads.counted(slot, timeMs) };
    },
    book: (object, promised, shown) => ofSlot(object, (slot) => ads.book(slot, object, promised, shown)),
    ...restoring(counters, ofSlot),
  };
}
