import { type ShownCounts, shownCounters } from '../reference/counters.ts';
import { fillRate, usdOf } from '../reference/shown-figures.ts';
import { dateOf } from './days.ts';
import type { StatisticsUrl } from './statistics-urls.ts';

export interface StatisticsRow {
  readonly day: number;
  readonly subId: string;
  readonly counts: ShownCounts;
}

export interface StatisticsColumn {
  readonly name: string;
  readonly help: string;
  readonly type: 'string' | 'integer' | 'number';
  readonly of: (row: StatisticsRow) => string | number;
}

const date: StatisticsColumn = {
  name: 'DateStats',
  help: 'The day (UTC), YYYY-MM-DD',
  type: 'string',
  of: ({ day }) => dateOf(day),
};
const subId: StatisticsColumn = {
  name: 'SubId',
  help: 'The subid; empty if none was sent, "other" for those beyond 2,000 per day',
  type: 'string',
  of: (row) => row.subId,
};
const fill: StatisticsColumn = {
  name: 'FillRate',
  help: 'Impressions per 100 requests',
  type: 'number',
  of: ({ counts }) => fillRate(counts),
};

type ShownCounter = (typeof shownCounters)[number];

function columnOf({ name, help, unit, counter }: ShownCounter): StatisticsColumn {
  return unit === 'count'
    ? { name, help, type: 'integer', of: ({ counts }) => counts[counter] }
    : { name, help, type: 'number', of: ({ counts }) => usdOf(counts[counter]) };
}

/** Counts, figures made of them, amounts. */
function figures(shown: readonly ShownCounter[]): StatisticsColumn[] {
  const { count = [], nanoUsd = [] } = Object.groupBy(shown, ({ unit }) => unit);
  return [...count.map(columnOf), fill, ...nanoUsd.map(columnOf)];
}

/** Of a report by day, for everybody. */
export const columnsWithoutAmounts: readonly StatisticsColumn[] = [
  date,
  ...figures(shownCounters.filter(({ unit }) => unit === 'count')),
];

/** In their order (reference, "Statistics"). */
export function columnsOf({ account, isBySubId }: StatisticsUrl): readonly StatisticsColumn[] {
  const shown = shownCounters.filter(({ seenBy }) => seenBy.includes(account));
  return [date, ...(isBySubId ? [subId] : []), ...figures(shown)];
}

/** For the documentation. */
export const exampleRow: StatisticsRow = {
  day: 20_849,
  subId: 'site-7',
  counts: Object.fromEntries(shownCounters.map(({ counter, example }) => [counter, example])) as ShownCounts,
};
