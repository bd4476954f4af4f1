import type { DealFigure, Figure } from '../fields/field.ts';
import type { ShownCounts } from '../reference/counters.ts';
import { fillRate, percentOf, usdOf } from '../reference/shown-figures.ts';
import type { Store } from '../store/interface.ts';
import type { FlushedRequests } from '../store/statistics/interface.ts';
import { dayOf } from './days.ts';

/** By names on the wire. */
export type Performance = Readonly<Record<Exclude<Figure, DealFigure>, number>>;
export type DealFigures = Readonly<Record<DealFigure, number>>;

/** As this thread sees them: a second or two old. */
export interface PerformanceView {
  /** Changes whenever figures may have changed. Asks the database once a second at most. */
  version(): Promise<number>;
  /** By ID; an absent object has zeros only. */
  of(kind: string, ids: readonly number[]): Promise<ReadonlyMap<number, Performance>>;
  ofDeals(ids: readonly number[]): Promise<ReadonlyMap<number, DealFigures>>;
}

const checkEveryMs = 1000;
const rateMs = 60_000;
/** Batches of one minute, and a writer's clock may be a minute behind (reference, H8). */
const lotsOfMs = 2 * rateMs;

export const noPerformance: Performance = {
  Qps: 0,
  TodayRevenue: 0,
  TodayFillRate: 0,
  YesterdayRevenue: 0,
  YesterdayFillRate: 0,
};

export const noDealFigures: DealFigures = { Delivered: 0, BidRate: 0, WinRate: 0 };

/** Since when they count for the last minute, by this process's clock. */
interface RequestBatch {
  readonly requests: FlushedRequests['requests'];
  readonly sinceMs: number;
}

/** Of the last minute, by object. */
function createRates() {
  /** By ID. */
  const known = new Map<string, number>();
  const counted = new Map<string, RequestBatch>();
  const sums = new Map<string, number>();
  const add = ({ requests }: RequestBatch, sign: 1 | -1) => {
    for (const [name, count] of Object.entries(requests)) {
      const sum = (sums.get(name) ?? 0) + sign * count;
      if (sum === 0) sums.delete(name);
      else sums.set(name, sum);
    }
  };
  const leave = (id: string, lot: RequestBatch) => {
    counted.delete(id);
    add(lot, -1);
  };
  return {
    isKnown: (id: string) => known.has(id),
    /**
     * Adds new batches and removes those a minute old; true if there were any. A new batch counts from this look at the
     * earliest. If the clock was set back, forgotten batches look new again: then the minute starts empty.
     */
    move(fresh: readonly FlushedRequests[], nowMs: number, lastMs: number): boolean {
      if (nowMs < lastMs) {
        for (const { id, timeMs } of fresh) known.set(id, timeMs);
        counted.clear();
        sums.clear();
        return true;
      }
      for (const { id, timeMs, requests } of fresh) {
        const lot = { requests, sinceMs: Math.min(Math.max(timeMs, lastMs), nowMs) };
        known.set(id, timeMs);
        counted.set(id, lot);
        add(lot, 1);
      }
      const old = [...counted].filter(([, { sinceMs }]) => sinceMs <= nowMs - rateMs);
      for (const [id, lot] of old) leave(id, lot);
      for (const [id, timeMs] of known) if (timeMs <= nowMs - lotsOfMs) known.delete(id);
      return fresh.length + old.length > 0;
    },
    /** The mean over the minute, as a whole number. */
    qps: (kind: string, id: number) => Math.round((sums.get(`${kind}:${id}`) ?? 0) / (rateMs / 1000)),
  };
}

function figuresOf(qps: number, today?: ShownCounts, yesterday?: ShownCounts): Performance {
  return {
    Qps: qps,
    TodayRevenue: today ? usdOf(today.revenueNanos) : 0,
    TodayFillRate: today ? fillRate(today) : 0,
    YesterdayRevenue: yesterday ? usdOf(yesterday.revenueNanos) : 0,
    YesterdayFillRate: yesterday ? fillRate(yesterday) : 0,
  };
}

interface DatabaseReading {
  readonly timeMs: number;
  readonly day: number;
  readonly isCounted: boolean;
}

/** Times are milliseconds since 1970. */
export function createPerformanceView({
  store: { statistics },
  now,
}: {
  store: Pick<Store, 'statistics'>;
  now: () => number;
}): PerformanceView {
  const rates = createRates();
  let last: DatabaseReading | undefined;
  let version = 0;
  let underWay: Promise<void> | undefined;

  const look = async () => {
    const timeMs = now();
    const day = dayOf(timeMs);
    const [lots, isCounted] = await Promise.all([
      statistics.requestsAfter(timeMs - lotsOfMs, rates.isKnown),
      statistics.isCountedSince(day - 1),
    ]);
    const hasMoved =
      rates.move(lots, timeMs, last?.timeMs ?? 0) || last?.day !== day || last.isCounted !== isCounted;
    if (hasMoved) version += 1;
    last = { timeMs, day, isCounted };
  };
  const isFresh = () => last !== undefined && Math.abs(now() - last.timeMs) < checkEveryMs;
  const refresh = async () => {
    if (isFresh()) return;
    underWay ??= look().finally(() => {
      underWay = undefined;
    });
    await underWay;
  };
  return {
    async version() {
      await refresh();
      return version;
    },
    async ofDeals(ids) {
      const rows = await statistics.dealSums(ids);
      return new Map(
        rows.map(({ id, impressions, dealCalls, bids, wins }) => [
          id,
          { Delivered: impressions, BidRate: percentOf(bids, dealCalls), WinRate: percentOf(wins, bids) },
        ]),
      );
    },
    async of(kind, ids) {
      await refresh();
      if (!last?.isCounted || ids.length === 0) return new Map();
      const today = dayOf(now());
      const rows = await statistics.days(kind, ids, { fromDay: today - 1, toDay: today });
      const byId = Map.groupBy(rows, ({ id }) => id);
      return new Map(
        ids.map((id) => {
          const on = (day: number) => byId.get(id)?.find((row) => row.day === day)?.counts;
          return [id, figuresOf(rates.qps(kind, id), on(today), on(today - 1))];
        }),
      );
    },
  };
}
