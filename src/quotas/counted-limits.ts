import { isSupply, type LimitedKind, limitedKindNames } from '../entities/kinds.ts';
import { dayOf } from '../exchange/limits/day-line.ts';
import type { CountedOfDay } from '../exchange/limits/limits.ts';
import type { Limited } from '../exchange/snapshot/limited.ts';
import type { ObjectDayCounts, StatisticsStore } from '../store/statistics/interface.ts';
import type { LeaseRoundsOptions } from './lease-rounds.ts';
import type { CountedObject } from './local-quotas.ts';

/** The kinds that have a limit for all their days. */
export const limitedInAll: readonly string[] = limitedKindNames.filter((kind) => !isSupply(kind));

/** What limits count of the statistics. */
export function countedOf({ kind, id, counts }: ObjectDayCounts): CountedOfDay {
  const { requests, taken, bills, spentNanos, revenueNanos } = counts;
  const amountNanos = isSupply(kind) ? spentNanos : revenueNanos;
  // A limit of impressions counts billable events, which for an offer may be its win rather than its impression.
  return { kind, id, requests, bids: taken, impressions: bills, amountNanos };
}

const nothing = { requests: 0, bids: 0, impressions: 0, amount: 0, total: 0, impressionsTotal: 0 };

/** What was counted of objects of a kind that have days of their own, on the day of a time, so far. */
export async function countedInZones(
  { countedSince }: Pick<StatisticsStore, 'countedSince'>,
  kind: LimitedKind,
  objects: readonly Pick<Limited, 'id' | 'days'>[],
  timeMs: number,
): Promise<CountedOfDay[]> {
  const times = objects.flatMap(({ id, days }) => (days ? [{ id, fromMs: days.dayAt(timeMs).startMs }] : []));
  const known = new Map(objects.map(({ id, days }) => [id, days]));
  const rows = await countedSince(kind, times);
  return rows.map((row) => ({ ...countedOf(row), days: known.get(row.id) }));
}

/** Asks the store what was counted of objects. */
export function createCountedOf(
  statistics: Pick<StatisticsStore, 'days' | 'countedSince'>,
): LeaseRoundsOptions['countedOf'] {
  const ofKind = async (
    kind: LimitedKind,
    objects: readonly Limited[],
    timeMs: number,
  ): Promise<CountedObject[]> => {
    const ids = objects.map(({ id }) => id);
    const day = dayOf(timeMs);
    const sums = new Map(ids.map((id) => [id, { ...nothing }]));
    const zoned = new Set(objects.flatMap(({ id, days }) => (days ? [id] : [])));
    const fromDay = limitedInAll.includes(kind) ? 0 : day;
    const note = (id: number, { requests, bids, impressions, amountNanos }: CountedOfDay) =>
      Object.assign(sums.get(id) ?? {}, { requests, bids, impressions, amount: amountNanos });
    for (const row of await statistics.days(kind, ids, { fromDay, toDay: day })) {
      const sum = sums.get(row.id);
      if (!sum) continue;
      const counted = countedOf({ ...row, kind });
      sum.total += counted.amountNanos;
      sum.impressionsTotal += counted.impressions;
      if (row.day === day && !zoned.has(row.id)) note(row.id, counted);
    }
    for (const row of await countedInZones(statistics, kind, objects, timeMs)) note(row.id, row);
    return [...sums].map(([id, counted]) => ({ of: { kind, id }, counted }));
  };
  return async (objects, timeMs) => {
    const counted: CountedObject[] = [];
    for (const [kind, ofOne] of Map.groupBy(objects, (one) => one.kind)) {
      counted.push(...(await ofKind(kind, ofOne, timeMs)));
    }
    return counted;
  };
}
