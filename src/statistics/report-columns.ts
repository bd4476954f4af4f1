import type { Counts } from '../store/statistics/interface.ts';
import { dateOf } from './days.ts';
import type { Report } from './reports.ts';
import { fillRate, usdOf } from './shown-figures.ts';

/** One row of a report, before it is shown. */
export interface ReportRow {
  readonly day: number;
  readonly subId: string;
  readonly counts: Counts;
}

/** A column of a report: its name, and its value in a row. */
export interface ReportColumn {
  readonly name: string;
  readonly help: string;
  readonly type: 'string' | 'integer' | 'number';
  readonly of: (row: ReportRow) => string | number;
}

function count(name: string, of: keyof Counts, help: string): ReportColumn {
  return { name, help, type: 'integer', of: ({ counts }) => counts[of] };
}

const date: ReportColumn = {
  name: 'DateStats',
  help: 'The day (UTC), YYYY-MM-DD',
  type: 'string',
  of: ({ day }) => dateOf(day),
};
const subId: ReportColumn = {
  name: 'SubId',
  help: 'The subid; empty where none was sent, "other" for those beyond 2,000 a day',
  type: 'string',
  of: (row) => row.subId,
};
const figures: readonly ReportColumn[] = [
  count('Requests', 'requests', 'Requests'),
  count('Bids', 'bids', 'Bids'),
  count('Wins', 'wins', 'Auctions won'),
  count('Bills', 'bills', 'Billable events'),
  count('NetImpressions', 'impressions', 'Impressions, without those that were refused'),
  count('Clicks', 'clicks', 'Clicks'),
  {
    name: 'FillRate',
    help: 'Impressions per 100 requests',
    type: 'number',
    of: ({ counts }) => fillRate(counts),
  },
];
const amounts: Readonly<Record<Report['account'], ReportColumn>> = {
  Publisher: {
    name: 'Spent',
    help: 'USD paid to the publisher',
    type: 'number',
    of: ({ counts }) => usdOf(counts.spentNanos),
  },
  Advertiser: {
    name: 'Revenue',
    help: 'USD earned from the advertiser',
    type: 'number',
    of: ({ counts }) => usdOf(counts.revenueNanos),
  },
};

/** The columns that a report by day has for everybody: those without amounts of money. */
export const columnsWithoutAmounts: readonly ReportColumn[] = [date, ...figures];

/** The columns of a report, in their order (decisions, "Statistics"). */
export function columnsOf({ account, isBySubId }: Report): readonly ReportColumn[] {
  return [date, ...(isBySubId ? [subId] : []), ...figures, amounts[account]];
}
