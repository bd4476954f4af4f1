import type { ShownCounts } from '../reference/counters.ts';
import type { ComparisonName } from '../reference/periods.ts';
import { comparedPeriod } from './asking/compared-period.ts';
import { dayMs, dayOf, hourMs, hourOf } from './days.ts';
import { createSum, type FigureValues, figureValues } from './figure-values.ts';

const hoursPerDay = 24;
const daysPerWeek = 7;

/** How much of each hour counts. */
type Share = (hour: number) => number;

export type PeriodName = 'Today' | 'SameHoursYesterday' | 'SameHoursWeekAgo' | 'Yesterday';

/** Figures of today and other days, and the last 24 hours' requests, oldest first. */
export type Comparison = Readonly<Record<PeriodName, FigureValues>> & { readonly Trend: readonly number[] };

/** Hours since 1970. */
export interface CountedHour {
  readonly hour: number;
  readonly counts: ShownCounts;
}

/** Periods, and days (since 1970, UTC) whose hours are needed. */
export interface ComparisonPlan {
  readonly days: readonly { readonly fromDay: number; readonly toDay: number }[];
  readonly compare: (hours: Iterable<CountedHour>) => Comparison;
}

/** As reports compare today, by whole hours and the share of the current one. */
function sameHours(nowMs: number, compareTo: ComparisonName): Share {
  const day = dayOf(nowMs);
  const today = { fromMs: day * dayMs, untilMs: (day + 1) * dayMs, zone: 'UTC', period: undefined };
  const asked = { ...today, askedMs: nowMs, compareTo, comparedTimes: undefined };
  const { fromMs, untilMs, last } = comparedPeriod(asked, hourMs);
  const wholeMs = last?.fromMs ?? untilMs;
  return (hour) => {
    const at = hour * hourMs;
    if (at === last?.fromMs) return last.share;
    return at >= fromMs && at < wholeMs ? 1 : 0;
  };
}

export function planComparison(nowMs: number): ComparisonPlan {
  const [day, hour] = [dayOf(nowMs), hourOf(nowMs)];
  const startOf = (ago: number) => (day - ago) * hoursPerDay;
  const periods: Readonly<Record<PeriodName, Share>> = {
    Today: (at) => (at >= startOf(0) ? 1 : 0),
    SameHoursYesterday: sameHours(nowMs, 'Period'),
    SameHoursWeekAgo: sameHours(nowMs, 'Week'),
    Yesterday: (at) => (at >= startOf(1) && at < startOf(0) ? 1 : 0),
  };
  const shares = Object.entries(periods);
  return {
    days: [
      { fromDay: day - daysPerWeek, toDay: day - daysPerWeek },
      { fromDay: day - 1, toDay: day },
    ],
    compare(hours) {
      const sums = shares.map(([name, share]) => ({ name, share, sum: createSum() }));
      const trend = Array<number>(hoursPerDay).fill(0);
      for (const { hour: at, counts } of hours) {
        for (const { share, sum } of sums) if (share(at) > 0) sum.add(counts, share(at));
        const index = at - hour + hoursPerDay - 1;
        if (index >= 0 && index < hoursPerDay) trend[index] = (trend[index] ?? 0) + counts.requests;
      }
      const figures = Object.fromEntries(sums.map(({ name, sum }) => [name, figureValues(sum.counts())]));
      return { ...(figures as Record<PeriodName, FigureValues>), Trend: trend };
    },
  };
}
