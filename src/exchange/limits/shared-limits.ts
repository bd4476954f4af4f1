import { usdOf } from '../money.ts';
import type { IpAddress } from '../opportunity.ts';
import { type Reason, type Refusal, refuse } from '../reasons.ts';
import { type AmountField, demandKinds, supplyKinds } from '../snapshot/kinds.ts';
import { amountsMemory, createAmounts } from './amounts.ts';
import { createDayCounters, type DayCounters, dayCountersMemory } from './day-counters.ts';
import { dayLine, dayOf } from './day-line.ts';
import { createIpCounts, ipCountsMemory } from './ip-counts.ts';
import { type Limited, type Limits, minutesFor, type PromisedTo } from './limits.ts';
import { createPromises, promisesMemory } from './promises.ts';
import { createRates, ratesMemory } from './rates.ts';
import { createSlots, type Slots, slotsMemory } from './slots.ts';

/** Memory of the counters, to be handed to every thread. Parts that no object has used yet take no physical memory. */
export interface LimitsMemory {
  /** When the process began, in ms since 1970. Of promises made before, only the hour is known. */
  readonly startMs: number;
  /** When rates begin to count, in ms of the steady clock, which never goes back. */
  readonly ratesFromMs: number;
  readonly slots: SharedArrayBuffer;
  readonly days: SharedArrayBuffer;
  readonly rates: SharedArrayBuffer;
  readonly promises: Readonly<Record<PromisedTo, SharedArrayBuffer>>;
  readonly amounts: SharedArrayBuffer;
  readonly ips: SharedArrayBuffer;
}

/** How much the counters hold. */
export interface LimitsSize {
  /** Objects with traffic. Any beyond these are refused. */
  readonly objects: number;
  /**
   * Pairs of object and IP address a day. Any beyond these are refused where the object limits impressions by address.
   */
  readonly addresses: number;
}

const sizeByDefault: LimitsSize = { objects: 1 << 18, addresses: 1 << 20 };

const amountReasons: Readonly<Record<AmountField, Reason>> = {
  SpentDailyLimit: 'spent_daily_limit',
  SpendDailyLimit: 'spent_daily_limit',
  RevenueDailyLimit: 'revenue_daily_limit',
};

const kinds = { ...supplyKinds, ...demandKinds };
/** The number of a kind in shared memory is its place in this list, from 1 on. */
const kindNames = Object.keys(kinds);

/**
 * An impression that comes in the last moment takes seconds to be durable, or longer while the database is away. So the
 * promise of an offer is held a minute longer.
 */
const heldFor = { ad: minutesFor.ad, offer: minutesFor.offer + 1 } as const;

/**
 * Memory for the counters of one process. Both times are when it begins: `startMs` since 1970, and `ratesFromMs` by the
 * clock that `createLimits` is given.
 */
export function limitsMemory(
  { startMs, ratesFromMs }: Pick<LimitsMemory, 'startMs' | 'ratesFromMs'>,
  size: LimitsSize = sizeByDefault,
): LimitsMemory {
  const { objects, addresses } = size;
  return {
    startMs,
    ratesFromMs,
    slots: slotsMemory(objects),
    days: dayCountersMemory(objects),
    rates: ratesMemory(objects),
    promises: {
      ad: promisesMemory(objects, heldFor.ad),
      offer: promisesMemory(objects, heldFor.offer),
    },
    amounts: amountsMemory(objects),
    ips: ipCountsMemory(addresses),
  };
}

function createCounters(memory: LimitsMemory) {
  return {
    days: createDayCounters(memory.days),
    rates: createRates(memory.rates, memory.ratesFromMs),
    promises: {
      ad: createPromises(memory.promises.ad, heldFor.ad, memory.startMs),
      offer: createPromises(memory.promises.offer, heldFor.offer, memory.startMs),
    },
    amounts: createAmounts(memory.amounts),
    ips: createIpCounts(memory.ips),
  };
}
type Counters = ReturnType<typeof createCounters>;

function amountRefusal({ amounts }: Counters, slot: number, object: Limited, timeMs: number) {
  const { amountDailyNanos, amountTotalNanos } = object.limits;
  const ofDay = amountDailyNanos > 0 ? amounts.ofDay(slot, dayOf(timeMs)) : 0;
  if (amountDailyNanos > 0 && ofDay >= amountDailyNanos) {
    const field = kinds[object.kind as keyof typeof kinds].amountDaily;
    return refuse(amountReasons[field], { field, wanted: usdOf(amountDailyNanos), met: usdOf(ofDay) });
  }
  const total = amountTotalNanos > 0 ? amounts.total(slot) : 0;
  if (amountTotalNanos === 0 || total < amountTotalNanos) return undefined;
  const [wanted, met] = [usdOf(amountTotalNanos), usdOf(total)];
  return refuse('spend_total_limit', { field: 'SpendTotalLimit', wanted, met });
}

function ipRefusal(
  { ips }: Counters,
  slot: number,
  { limits }: Limited,
  ip: IpAddress | undefined,
  timeMs: number,
) {
  const wanted = limits.impressionsPerIp;
  if (wanted === 0 || ip === undefined) return undefined;
  const met = ips.of(slot, ip, dayOf(timeMs));
  return met < wanted
    ? undefined
    : refuse('impressions_per_ip', { field: 'ImpressionsLimitPerIp', wanted, met });
}

/** `met` counts the impressions that were shown and those that are promised. */
const impressionsRefusal = (wanted: number, met: number) =>
  refuse('impressions_daily_limit', { field: 'ImpressionsDailyLimit', wanted, met });

/** Checks whether a slot may promise an impression, and makes the promise. */
function promising(counters: Counters) {
  const { days, promises } = counters;
  const shown = (slot: number, timeMs: number) => days.of(slot, 'impressions', dayOf(timeMs));
  const isWithin = (slot: number, limit: number, open: number, timeMs: number) =>
    shown(slot, timeMs) + open <= dayLine(limit, timeMs);
  const open = (slot: number, timeMs: number) =>
    promises.ad.open(slot, timeMs) + promises.offer.open(slot, timeMs);
  const refused = (slot: number, limit: number, timeMs: number) =>
    impressionsRefusal(limit, shown(slot, timeMs) + open(slot, timeMs));
  const others = (slot: number, object: Limited, ip: IpAddress | undefined, timeMs: number) =>
    amountRefusal(counters, slot, object, timeMs) ?? ipRefusal(counters, slot, object, ip, timeMs);
  return {
    mayPromise(slot: number, object: Limited, ip: IpAddress | undefined, timeMs: number) {
      const limit = object.limits.impressionsDaily;
      if (limit > 0 && !isWithin(slot, limit, open(slot, timeMs) + 1, timeMs))
        return refused(slot, limit, timeMs);
      return others(slot, object, ip, timeMs);
    },
    promise(slot: number, object: Limited, ip: IpAddress | undefined, timeMs: number, to: PromisedTo) {
      const refusal = others(slot, object, ip, timeMs);
      const limit = object.limits.impressionsDaily;
      if (refusal !== undefined || limit === 0) return refusal;
      const isMade = promises[to].take(slot, timeMs, () => isWithin(slot, limit, open(slot, timeMs), timeMs));
      return isMade ? undefined : refused(slot, limit, timeMs);
    },
  };
}

const rateRefusal = (wanted: number) => refuse('max_qps', { field: 'MaxQps', wanted });

/** Takes one request from the daily limit and from the rate, or tells whether it could. */
function requesting({ rates, days }: Counters, steadyMs: () => number) {
  const requestsRefusal = (slot: number, wanted: number, timeMs: number) => {
    const met = days.of(slot, 'requests', dayOf(timeMs));
    return refuse('requests_daily_limit', { field: 'RequestsDailyLimit', wanted, met });
  };
  return {
    take(slot: number, { limits }: Limited, timeMs: number): Refusal | undefined {
      const { maxQps, requestsDaily } = limits;
      // The daily limit comes first, because it can be given back; what the rate has counted cannot.
      if (!days.take(slot, 'requests', requestsDaily, timeMs))
        return requestsRefusal(slot, requestsDaily, timeMs);
      if (maxQps === 0 || rates.take(slot, maxQps, steadyMs())) return undefined;
      days.giveBack(slot, 'requests', timeMs);
      return rateRefusal(maxQps);
    },
    may(slot: number, { limits }: Limited, timeMs: number): Refusal | undefined {
      const { maxQps, requestsDaily } = limits;
      if (!days.may(slot, 'requests', requestsDaily, timeMs))
        return requestsRefusal(slot, requestsDaily, timeMs);
      return maxQps === 0 || rates.may(slot, maxQps, steadyMs()) ? undefined : rateRefusal(maxQps);
    },
  };
}

/** Takes one bid from the daily limit, or tells whether it could. */
function bidding({ days }: Counters) {
  const judged =
    (isFree: DayCounters['take']) =>
    (slot: number, { limits }: Limited, timeMs: number): Refusal | undefined => {
      const wanted = limits.bidsDaily;
      if (isFree(slot, 'bids', wanted, timeMs)) return undefined;
      const met = days.of(slot, 'bids', dayOf(timeMs));
      return refuse('bids_daily_limit', { field: 'BidsDailyLimit', wanted, met });
    };
  return { take: judged(days.take), may: judged(days.may) };
}

function slotFinder(slots: Slots): (object: Pick<Limited, 'kind' | 'id'>) => number | undefined {
  return ({ kind, id }) => slots.of(kindNames.indexOf(kind) + 1, id);
}

/** No room for the counters of another object. */
const full = refuse('technical_error');

/**
 * The limits of a process, as one of its threads sees them. Rates go by `steadyMs`: milliseconds that never go back and
 * have the same origin in all threads. By a clock that was set back, rates would refuse requests until it has caught
 * up.
 */
export function createLimits(memory: LimitsMemory, steadyMs: () => number): Limits {
  const counters = createCounters(memory);
  const { days, promises, amounts, ips } = counters;
  const slotOf = slotFinder(createSlots(memory.slots));
  const { mayPromise, promise } = promising(counters);
  const requests = requesting(counters, steadyMs);
  const bids = bidding(counters);
  const judged = (object: Limited, judge: (slot: number) => Refusal | undefined) => {
    const slot = slotOf(object);
    return slot === undefined ? full : judge(slot);
  };
  const booked = (object: Pick<Limited, 'kind' | 'id'>, book: (slot: number) => void) => {
    const slot = slotOf(object);
    if (slot !== undefined) book(slot);
  };
  return {
    takeRequest: (object, timeMs) => judged(object, (slot) => requests.take(slot, object, timeMs)),
    mayRequest: (object, timeMs) => judged(object, (slot) => requests.may(slot, object, timeMs)),
    takeBid: (object, timeMs) => judged(object, (slot) => bids.take(slot, object, timeMs)),
    giveBackBid: (object, timeMs) => booked(object, (slot) => days.giveBack(slot, 'bids', timeMs)),
    mayBid: (object, timeMs) => judged(object, (slot) => bids.may(slot, object, timeMs)),
    mayPromise: (object, ip, timeMs) => judged(object, (slot) => mayPromise(slot, object, ip, timeMs)),
    promise: (object, ip, timeMs, to) => judged(object, (slot) => promise(slot, object, ip, timeMs, to)),
    withdraw: (object, promisedMs, to) => booked(object, (slot) => promises[to].end(slot, promisedMs)),
    keepPromise: (object, ip, promisedMs, to) =>
      booked(object, (slot) => {
        // Count first, then end the promise: in between the impression counts twice, but it is never missed.
        days.add(slot, 'impressions', dayOf(promisedMs));
        if (ip && object.limits.impressionsPerIp > 0) ips.add(slot, ip, dayOf(promisedMs));
        promises[to].end(slot, promisedMs);
      }),
    bookAmount: (object, nanos, timeMs) => booked(object, (slot) => amounts.add(slot, dayOf(timeMs), nanos)),
    restorePromises(made) {
      for (const { hour, to, promised, ...object } of made)
        booked(object, (slot) => promises[to].restore(slot, hour, promised));
    },
    restoreAddresses(counted, timeMs) {
      const day = dayOf(timeMs);
      for (const { ip, impressions, ...object } of counted) {
        booked(object, (slot) => {
          for (let left = impressions; left > 0; left -= 1) ips.add(slot, ip, day);
        });
      }
    },
    raise(counted, timeMs) {
      const day = dayOf(timeMs);
      for (const object of counted) {
        booked(object, (slot) => {
          for (const what of ['requests', 'bids', 'impressions'] as const)
            days.raise(slot, what, day, object[what]);
          amounts.add(slot, day, Math.max(0, object.amountNanos - amounts.ofDay(slot, day)));
        });
      }
    },
    raiseTotals(bookedInAll) {
      for (const { totalNanos, ...object } of bookedInAll) {
        booked(object, (slot) => amounts.addBefore(slot, Math.max(0, totalNanos - amounts.total(slot))));
      }
    },
  };
}
