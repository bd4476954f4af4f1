import {
  type Counts,
  type CountsIn,
  type CountTableName,
  countersIn,
  type DailyCounts,
  dailyCounters,
  noCounts,
  type ShownCounts,
  shownCounters,
} from '../../src/reference/counters.ts';
import type { BillableEvent, Pair } from '../../src/statistics/events.ts';
import type { ObjectKey, PairCounts } from '../../src/store/statistics/interface.ts';

/** The start of a day, 2026-09-01, in milliseconds since 1970, and as days since 1970. */
export const dayMs = 86_400_000;
export const day = 20_697;
export const startMs = day * dayMs;

/** Counts, 0 where nothing is said. */
export function counts(some: Partial<Counts> = {}): Counts {
  return { ...noCounts, ...some };
}

/** What a row of a table of counts holds, 0 where nothing is said. */
export function countsIn<Table extends CountTableName>(
  table: Table,
  some: Partial<Counts> = {},
): CountsIn<Table> {
  return Object.fromEntries(countersIn(table).map((name) => [name, counts(some)[name]])) as CountsIn<Table>;
}

/** What is read of a day, 0 where nothing is said. */
export function dailyIn(some: Partial<Counts> = {}): DailyCounts {
  return Object.fromEntries(dailyCounters.map((name) => [name, counts(some)[name]])) as DailyCounts;
}

/** What the statistics URLs show, 0 where nothing is said. */
export function shownIn(some: Partial<Counts>): ShownCounts {
  return Object.fromEntries(
    shownCounters.map(({ counter }) => [counter, counts(some)[counter]]),
  ) as ShownCounts;
}

/** A pair of objects; `demand` undefined for what concerns supply alone. */
export function pairOf(supply: ObjectKey, demand?: ObjectKey, subId = ''): Pair {
  return { supply, demand, subId };
}

/** What a pair has counted in the first hour of `day`, or another. */
export function pairCounts(
  supply: ObjectKey,
  demand: ObjectKey | undefined,
  some: Partial<Counts>,
  hour = day * 24,
): PairCounts {
  return { hour, supply, demand, counts: countsIn('pair', some) };
}

/** An impression that costs 2,000 nano-USD and pays 1,500. */
export function impression(auctionId: string, pair: Pair, more: Partial<BillableEvent> = {}): BillableEvent {
  const timeMs = more.timeMs ?? startMs;
  return {
    pair,
    event: 'impressions',
    auctionId,
    timeMs,
    // Not expired, also where the clock is the real one.
    expiresMs: Math.max(timeMs, Date.now()) + 3_600_000,
    spentNanos: 1500,
    revenueNanos: 2000,
    ...more,
  };
}
