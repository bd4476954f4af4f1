import type { Figure } from '../fields/field.ts';
import type { Store } from '../store/interface.ts';
import type { CountedRequests, Counts } from '../store/statistics-interface.ts';
import { dayOf } from './days.ts';
import { fillRate, usdOf } from './shown-figures.ts';

/** The figures that a supply or demand object shows, under their names on the wire (specification 2.4). */
export type Performance = Readonly<Record<Figure, number>>;

/** Figures of objects as this thread sees them: a second or two old. */
export interface PerformanceView {
  /** Another number whenever figures may have moved. Asks the database once a second at most. */
  version(): Promise<number>;
  /** Figures of objects of a kind by ID; what is absent has none but zeros. */
  of(kind: string, ids: readonly number[]): Promise<ReadonlyMap<number, Performance>>;
}

const checkEveryMs = 1000;
const rateMs = 60_000;
/** Lots are committed in another order than they were made: those of the last seconds are read again. */
const overlapMs = 10_000;

/** The figures of an object that has no traffic. */
export const noPerformance: Performance = {
  Qps: 0,
  TodayRevenue: 0,
  TodayFillRate: 0,
  YesterdayRevenue: 0,
  YesterdayFillRate: 0,
};

/** The requests of the last minute, by object. */
function createRates() {
  const lots = new Map<string, CountedRequests>();
  const requests = new Map<string, number>();
  const add = (lot: CountedRequests, sign: 1 | -1) => {
    for (const [name, count] of Object.entries(lot.requests)) {
      const sum = (requests.get(name) ?? 0) + sign * count;
      if (sum === 0) requests.delete(name);
      else requests.set(name, sum);
    }
  };
  return {
    /** Takes in what was counted, lets go what is a minute old; true where either was anything. */
    move(read: readonly CountedRequests[], nowMs: number): boolean {
      const fresh = read.filter(({ id, timeMs }) => !lots.has(id) && timeMs > nowMs - rateMs);
      const old = [...lots.values()].filter(({ timeMs }) => timeMs <= nowMs - rateMs);
      for (const lot of fresh) {
        lots.set(lot.id, lot);
        add(lot, 1);
      }
      for (const lot of old) {
        lots.delete(lot.id);
        add(lot, -1);
      }
      return fresh.length + old.length > 0;
    },
    /** Mean over the minute, as a whole number (specification 2.4). */
    qps: (kind: string, id: number) => Math.round((requests.get(`${kind}:${id}`) ?? 0) / (rateMs / 1000)),
  };
}

function figuresOf(qps: number, today: Counts | undefined, yesterday: Counts | undefined): Performance {
  return {
    Qps: qps,
    TodayRevenue: today ? usdOf(today.revenueNanos) : 0,
    TodayFillRate: today ? fillRate(today) : 0,
    YesterdayRevenue: yesterday ? usdOf(yesterday.revenueNanos) : 0,
    YesterdayFillRate: yesterday ? fillRate(yesterday) : 0,
  };
}

/** What one look at the database has told. */
interface Look {
  readonly timeMs: number;
  readonly day: number;
  readonly isCounted: boolean;
}

/** The figures on a store. `now` gives milliseconds since 1970. */
export function createPerformanceView({
  store: { statistics },
  now,
}: {
  store: Pick<Store, 'statistics'>;
  now: () => number;
}): PerformanceView {
  const rates = createRates();
  let last: Look | undefined;
  let version = 0;
  let underWay: Promise<void> | undefined;

  const look = async () => {
    const timeMs = now();
    const day = dayOf(timeMs);
    const fromMs = Math.max(timeMs - rateMs, (last?.timeMs ?? 0) - overlapMs);
    const [lots, isCounted] = await Promise.all([
      statistics.requestsAfter(fromMs),
      statistics.isCountedSince(day - 1),
    ]);
    const hasMoved = rates.move(lots, timeMs) || last?.day !== day || last.isCounted !== isCounted;
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
