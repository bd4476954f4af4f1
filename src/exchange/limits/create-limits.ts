import { randomSeed } from '../../shared/hash.ts';
import { dayKey } from '../../shared/limit-days.ts';
import { refuse } from '../reasons.ts';
import type { Limited } from '../snapshot/limited.ts';
import { flightRefusal } from './flight-times.ts';
import { limitRules } from './limit-rules.ts';
import type { LimitLooks, Limits } from './limits.ts';
import { promiseMinutes } from './promise-minutes.ts';
import { createQuotas, type Quotas, type QuotasMemory, quotasMemory } from './quotas.ts';
import { createRates, ratesMemory } from './rates.ts';
import { isReserving, type Reserving, reserving } from './reserving.ts';
import type { SlotMemory } from './slots.ts';
import { requesting, taking } from './taking.ts';
import { createViewerCounts, type ViewerMemory, viewerMemory } from './viewer-counts.ts';

/** To be handed to every thread. Parts that no object has used yet take no physical memory. */
export interface LimitsMemory {
  /** When the process began, in ms since 1970. Of promises made before, only the hour is known. */
  readonly startMs: number;
  readonly quotas: QuotasMemory;
  readonly rates: SlotMemory;
  readonly viewers: ViewerMemory;
}

export interface LimitsSize {
  /** Objects with traffic within two days, and those with a total to remember. Any beyond these are refused. */
  readonly objects: number;
  /** Pairs of object and viewer, which objects that limit impressions by viewer share (`viewer-table.ts`). */
  readonly viewers: number;
}

const sizeByDefault: LimitsSize = { objects: 1 << 22, viewers: 1 << 21 };

export interface LimitsStart {
  /** When the process begins: since 1970, and by the clock that `createLimits` is given. */
  readonly startMs: number;
  readonly ratesFromMs: number;
  /** Whether other processes use the same limits, so that an authority grants what this one uses; false by default. */
  readonly areShared?: boolean;
}

export function limitsMemory(
  { startMs, ratesFromMs, areShared = false }: LimitsStart,
  { objects, viewers }: LimitsSize = sizeByDefault,
): LimitsMemory {
  return {
    startMs,
    quotas: quotasMemory(objects, { isAlone: !areShared, originMs: ratesFromMs }),
    rates: ratesMemory(objects),
    viewers: viewerMemory(viewers, objects, randomSeed()),
  };
}

/** No room for another object. */
const full = refuse('technical_error');

interface Named {
  readonly kind: string;
  readonly id: number;
}

function judging(quotas: Quotas) {
  return <Judged>(object: Named, judge: (slot: number) => Judged) => {
    const slot = quotas.slotOf(object);
    return slot === undefined ? full : judge(slot);
  };
}

/** Goes on with what was counted and promised before this process began. */
function restoring(
  quotas: Quotas,
  { viewers, ads }: { viewers: ReturnType<typeof createViewerCounts>; ads: Reserving },
  ofSlot: (object: Named, change: (slot: number) => void) => void,
): Pick<Limits, 'raise' | 'raiseTotals' | 'restorePromises' | 'restoreViewers' | 'raiseViewers'> {
  const raise = (slot: number, measure: keyof typeof limitRules, day: number, to: number) => {
    const [pool, at] = [quotas.pool(measure), quotas.at(slot, measure, day)];
    pool.use(at, day, Math.max(0, to - pool.met(at, day)), true);
  };
  return {
    raise(counted, timeMs) {
      for (const { requests, bids, impressions, amountNanos, days, ...object } of counted) {
        const day = dayKey(days, timeMs);
        ofSlot(object, (slot) => {
          raise(slot, 'requests', day, requests);
          raise(slot, 'bids', day, bids);
          raise(slot, 'impressions', day, impressions);
          raise(slot, 'amount', day, amountNanos);
        });
      }
    },
    raiseTotals(bookedInAll) {
      for (const { totalNanos, impressions, ...object } of bookedInAll)
        ofSlot(object, (slot) => {
          raise(slot, 'total', 0, totalNanos);
          raise(slot, 'impressionsTotal', 0, impressions);
        });
    },
    restorePromises(made) {
      for (const one of made) ofSlot(one, (slot) => ads.restore(slot, one));
    },
    raiseViewers(shown) {
      for (const { viewer, timeMs, kept, impressions, ...object } of shown)
        ofSlot(object, (slot) => viewers.raise(slot, viewer, timeMs, kept, impressions));
    },
    restoreViewers(made) {
      for (const { viewer, hour, timeMs, kept, impressions, promised, ...object } of made) {
        ofSlot(object, (slot) => {
          if (impressions > 0) viewers.count(slot, viewer, timeMs, kept, impressions);
          if (promised > 0) viewers.restore(slot, viewer, hour, promised);
        });
      }
    },
  };
}

/** What the process may use of limits, as one of its threads sees it. */
export const quotasIn = ({ quotas }: LimitsMemory, steadyMs: () => number): Quotas =>
  createQuotas(quotas, steadyMs);

/**
 * The limits of a process, as one of its threads sees them. Rates go by `steadyMs`: milliseconds that never go back and
 * have the same origin in all threads. By a clock that was set back, rates would refuse requests until it has caught
 * up.
 */
export function createLimits(memory: LimitsMemory, steadyMs: () => number): Limits {
  const quotas = quotasIn(memory, steadyMs);
  const viewers = createViewerCounts(memory.viewers, memory.startMs, quotas);
  const rates = quotas.view(({ int32 }) => createRates(int32(memory.rates), memory.quotas.originMs));
  const judged = judging(quotas);
  const ofSlot = (object: Named, change: (slot: number) => void) => {
    const slot = quotas.slotOf(object);
    if (slot !== undefined) change(slot);
  };
  const made = promiseMinutes(memory.startMs);
  const partsBy = (isLook: boolean) => {
    const take = taking(quotas, isLook);
    const request = requesting(quotas, take, { rates, steadyMs, isLook });
    return { take, request, ads: reserving({ quotas, viewers, take, made }) };
  };
  const looksBy = ({ take, request, ads }: ReturnType<typeof partsBy>): LimitLooks => {
    return {
      mayRequest: (object, timeMs) => judged(object, (slot) => request.may(slot, object, timeMs)),
      mayBid: (object, timeMs) =>
        judged(object, (slot) => take.may(limitRules.bids, { slot, object, timeMs, nanos: 0 })),
      mayReserve(object, auction, nanos) {
        const closed = flightRefusal(object, auction.timeMs, quotas.isAlone);
        if (closed) return closed;
        if (!isReserving(object)) return undefined;
        return judged(object, (slot) => ads.may(slot, object, auction, nanos));
      },
    };
  };
  const parts = partsBy(false);
  const { take, request, ads } = parts;
  return {
    ...looksBy(parts),
    looks: { ...looksBy(partsBy(true)), untilTold: quotas.untilTold },
    takeRequest: (object, timeMs) => judged(object, (slot) => request.take(slot, object, timeMs)),
    takeBid: (object, timeMs) =>
      judged(object, (slot) => take.take(limitRules.bids, { slot, object, timeMs, nanos: 0 })),
    giveBackBid: (object: Limited, timeMs) =>
      ofSlot(object, (slot) => take.giveBack(limitRules.bids, { slot, object, timeMs, nanos: 0 })),
    reserve(object, auction, nanos) {
      if (!isReserving(object)) return undefined;
      return judged(object, (slot) => ads.reserve(slot, object, auction, nanos));
    },
    reprice: (object, promised, auction, nanos) =>
      judged(object, (slot) => ads.reprice(slot, object, promised, auction, nanos)),
    askRegion: () => undefined,
    release: (promised, auction, object = {}) =>
      ofSlot(promised, (slot) => ads.release(slot, object, promised, auction)),
    commit: (object, promised, shown) => ofSlot(object, (slot) => ads.commit(slot, object, promised, shown)),
    ...restoring(quotas, { viewers, ads }, ofSlot),
  };
}
