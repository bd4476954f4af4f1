import type { Unit } from '../fields/field.ts';
import { noCounts, type ShownCounts } from '../reference/counters.ts';
import { fillRate, usdOf } from './shown-figures.ts';

/** A figure that people steer by, made of what is counted. */
export interface Measure {
  readonly help: string;
  /** Absent for a count. */
  readonly unit?: Unit;
  /** The measure of which it is a share; where that is 0, it says nothing. */
  readonly per?: string;
  readonly of: (counts: ShownCounts) => number;
}

/** Shares of hours make fractions of counts and of nano-USD, which nobody has seen. */
const usd = (nanos: number) => usdOf(Math.round(nanos));
/** To six decimals; 0 where there is nothing to divide by. */
const ratio = (part: number, of: number) => (of === 0 ? 0 : Math.round((1e6 * part) / of) / 1e6);
const percent = (part: number, of: number) => ratio(100 * part, of);
const perThousand = (nanos: number, of: number) => ratio(1000 * usdOf(nanos), of);

/** Every measure by name, in the order of answers. */
export const measures = {
  Requests: { help: 'Requests', of: ({ requests }) => Math.round(requests) },
  Bids: { help: 'Bids', of: ({ bids }) => Math.round(bids) },
  Wins: { help: 'Auctions won', of: ({ wins }) => Math.round(wins) },
  Bills: { help: 'Billable events', of: ({ bills }) => Math.round(bills) },
  Impressions: {
    help: 'Impressions, without those refused',
    of: ({ impressions }) => Math.round(impressions),
  },
  Clicks: { help: 'Clicks', of: ({ clicks }) => Math.round(clicks) },
  Cost: { help: 'Paid to publishers', unit: 'USD', of: ({ spentNanos }) => usd(spentNanos) },
  Revenue: { help: 'Earned from advertisers', unit: 'USD', of: ({ revenueNanos }) => usd(revenueNanos) },
  Profit: {
    help: 'Revenue less cost',
    unit: 'USD',
    of: ({ revenueNanos, spentNanos }) => usd(revenueNanos - spentNanos),
  },
  Margin: {
    help: 'Profit per 100 of revenue',
    unit: '%',
    per: 'Revenue',
    of: ({ revenueNanos, spentNanos }) => percent(revenueNanos - spentNanos, revenueNanos),
  },
  FillRate: { help: 'Impressions per 100 requests', unit: '%', per: 'Requests', of: fillRate },
  WinRate: {
    help: 'Auctions won per 100 bids',
    unit: '%',
    per: 'Bids',
    of: ({ wins, bids }) => percent(wins, bids),
  },
  Ctr: {
    help: 'Clicks per 100 impressions',
    unit: '%',
    per: 'Impressions',
    of: ({ clicks, impressions }) => percent(clicks, impressions),
  },
  Ecpm: {
    help: 'Revenue per 1,000 impressions',
    unit: 'CPM',
    per: 'Impressions',
    of: ({ revenueNanos, impressions }) => perThousand(revenueNanos, impressions),
  },
} as const satisfies Readonly<Record<string, Measure>>;

/** Name of a measure. */
export type MeasureName = keyof typeof measures;
/** Values by measure. */
export type Measured = Readonly<Record<MeasureName, number>>;

const rows = Object.entries(measures) as [MeasureName, Measure][];
const summed = Object.keys(noCounts) as (keyof ShownCounts)[];

/** The measures of what was counted. */
export function measured(counts: ShownCounts): Measured {
  return Object.fromEntries(rows.map(([name, { of }]) => [name, of(counts)])) as unknown as Measured;
}

/** Counts that are added up. */
export interface Sum {
  /** Adds counts, or a share of them. */
  add(counts: ShownCounts, share?: number): void;
  counts(): ShownCounts;
}

/** A sum of nothing yet. */
export function createSum(): Sum {
  const sum: Record<string, number> = { ...noCounts };
  return {
    add(counts, share = 1) {
      for (const name of summed) sum[name] = (sum[name] ?? 0) + share * (counts[name] ?? 0);
    },
    counts: () => sum as unknown as ShownCounts,
  };
}
