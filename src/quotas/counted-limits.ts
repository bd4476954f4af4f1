import { isSupply, type LimitedKind, limitedKindNames } from '../entities/kinds.ts';
import { dayOf } from '../exchange/limits/day-line.ts';
import type { CountedOfDay } from '../exchange/limits/limits.ts';
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

/** Asks the store what was counted of objects. */
export function createCountedOf({ days }: Pick<StatisticsStore, 'days'>): LeaseRoundsOptions['countedOf'] {
  const ofKind = async (kind: LimitedKind, ids: readonly number[], day: number): Promise<CountedObject[]> => {
    const sums = new Map(ids.map((id) => [id, { ...nothing }]));
    const fromDay = limitedInAll.includes(kind) ? 0 : day;
    for (const row of await days(kind, ids, { fromDay, toDay: day })) {
      const sum = sums.get(row.id);
      if (!sum) continue;
      const { requests, bids, impressions, amountNanos } = countedOf({ ...row, kind });
      sum.total += amountNanos;
      sum.impressionsTotal += impressions;
      if (row.day === day) Object.assign(sum, { requests, bids, impressions, amount: amountNanos });
    }
    return [...sums].map(([id, counted]) => ({ of: { kind, id }, counted }));
  };
  return async (objects, timeMs) => {
    const counted: CountedObject[] = [];
    for (const [kind, ofOne] of Map.groupBy(objects, (one) => one.kind)) {
      const ids = ofOne.map(({ id }) => id);
      counted.push(...(await ofKind(kind, ids, dayOf(timeMs))));
    }
    return counted;
  };
}
