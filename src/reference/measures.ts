import { type CounterName, type Counts, noCounts } from './counters.ts';
import { latencyAt, latencyCounters } from './latency.ts';
import type { PartnerKind } from './partner-kinds.ts';
import { usdOf } from './shown-figures.ts';
import type { Unit } from './units.ts';

export interface Measure {
  readonly help: string;
  /** Absent for a count. */
  readonly unit?: Unit;
  readonly from: readonly CounterName[];
  /** The rate's denominator: where that is 0, the rate is null. */
  readonly per?: string;
  /** Null for a rate of nothing. */
  readonly of: (counts: Counts) => number | null;
  /** Sums over several values of it would mean nothing: a question groups by it, or filters by one. */
  readonly by?: 'Currency';
  /** Whether figures of today show it, too. */
  readonly isFigure?: true;
  /** Partners that see it for what they own (reference, A20); absent = none. */
  readonly seenBy?: readonly PartnerKind[];
  readonly isBurden?: true;
}

/** Shares of hours make fractions of counts and nano-USD, which nobody has seen. */
const usd = (nanos: number) => usdOf(Math.round(nanos));
/** Six decimals; null if `of` is 0. */
const ratio = (part: number, of: number) => (of === 0 ? null : Math.round((1e6 * part) / of) / 1e6);

const count = (name: CounterName, help: string) => ({
  help,
  from: [name],
  of: (counts: Counts) => Math.round(counts[name]),
});
const amount = (name: CounterName, help: string) => ({
  ...({ help, unit: 'USD', from: [name] } as const),
  of: (counts: Counts) => usd(counts[name]),
});
const local = (name: CounterName, help: string) => ({
  ...({ help, unit: 'local currency', from: [name], by: 'Currency' } as const),
  of: (counts: Counts): number | null => usd(counts[name]),
});
/** Calls made, and calls that paused partners would have had. */
const callAttempts = ({ calls, pausedCalls }: Counts) => calls + pausedCalls;
/** Of another measure, which counts `of`. */
const percent = (part: CounterName, of: CounterName, per: string, help: string) => ({
  ...({ help, unit: '%', from: [part, of], per } as const),
  of: (counts: Counts) => ratio(100 * counts[part], counts[of]),
});
/** Per 1,000 of another measure, which counts `of`. */
const perThousand = (part: CounterName, of: CounterName, per: string, help: string) => ({
  ...({ help, unit: 'CPM', from: [part, of], per } as const),
  of: (counts: Counts) => ratio(1000 * usdOf(counts[part]), counts[of]),
});
const latency = (share: number, help: string) => ({
  ...({ help, unit: 'ms', from: latencyCounters, per: 'Answers' } as const),
  of: (counts: Counts) => latencyAt(share, counts),
});
/** Partners' surplus on the same days, per 100 of ours; 100 if ours is 0, null if theirs is too. */
const discrepancy = (theirs: CounterName, ours: CounterName, what: string) => ({
  ...({ unit: '%', from: [theirs, ours], per: 'ReportedDays' } as const),
  help: `${what} that partners report minus those that we counted on the same days, per 100 of ours`,
  of: (counts: Counts) =>
    counts[ours] === 0 && counts[theirs] !== 0
      ? 100 * Math.sign(counts[theirs])
      : ratio(100 * (counts[theirs] - counts[ours]), counts[ours]),
});
const isFigure = true;
const isBurden = true;
const publishers = { seenBy: ['Publisher'] } as const;
const advertisers = { seenBy: ['Advertiser'] } as const;
const both = { seenBy: ['Publisher', 'Advertiser'] } as const;

/** In the order of answers. */
export const measures = {
  Requests: { ...count('requests', 'Requests'), ...publishers, isFigure },
  Opportunities: {
    ...count('opportunities', 'Impressions offered, each in its own auction'),
    ...publishers,
  },
  Calls: { ...count('calls', 'Times that demand was called for a bid'), ...advertisers },
  Answers: { ...count('answers', 'Calls answered in time, with or without a bid'), ...advertisers },
  Timeouts: { ...count('timeouts', 'Calls not answered in time'), ...advertisers, isBurden },
  Errors: {
    ...count('errors', 'Calls that failed, or whose answer could not be read'),
    ...advertisers,
    isBurden,
  },
  NoBids: { ...count('noBids', 'Answers without a bid'), ...advertisers, isBurden },
  PausedCalls: {
    ...count('pausedCalls', 'Calls not made to partners that were paused after failures'),
    ...advertisers,
    isBurden,
  },
  CallAttempts: {
    help: 'Attempts to call demand: calls, and those not made because the partner was paused',
    from: ['calls', 'pausedCalls'],
    ...advertisers,
    of: (counts) => Math.round(callAttempts(counts)),
  },
  SyncCalls: { ...count('syncCalls', 'Calls to partners with user sync'), ...advertisers },
  MatchedCalls: {
    ...count('matchedCalls', "Calls with the partner's own ID of the viewer"),
    ...advertisers,
  },
  SavedCalls: count('savedCalls', 'Calls not made because they were not worth it (`AutoOptimize`)'),
  RevenueAtRisk: amount('riskNanos', 'What the calls not made were expected to bring'),
  Bids: { ...count('bids', 'Bids'), ...advertisers, isFigure },
  UncalledBids: count('uncalledBids', 'Bids of campaigns and direct links, which are not called'),
  BidValue: { ...amount('bidNanos', 'What bids offered for one impression each'), ...advertisers },
  DealRequests: count('dealRequests', 'Impressions offered under deals, for each deal'),
  DealCalls: {
    ...count('dealCalls', 'Calls for bids under deals, for each deal'),
    ...advertisers,
  },
  Wins: { ...count('wins', 'Auctions won'), ...advertisers, isFigure },
  Bills: { ...count('bills', 'Billable events'), ...advertisers, isFigure },
  Impressions: { ...count('impressions', 'Impressions, except refused ones'), ...both, isFigure },
  Clicks: { ...count('clicks', 'Clicks'), ...both, isFigure },
  Starts: { ...count('starts', 'Videos that started'), ...both },
  FirstQuartiles: { ...count('firstQuartiles', 'Videos played to 25 %'), ...both },
  Midpoints: { ...count('midpoints', 'Videos played to 50 %'), ...both },
  ThirdQuartiles: { ...count('thirdQuartiles', 'Videos played to 75 %'), ...both },
  Completes: { ...count('completes', 'Videos played to the end'), ...both },
  Skips: { ...count('skips', 'Videos that viewers skipped'), ...both, isBurden },
  AdErrors: { ...count('adErrors', 'Ads for which players reported an error'), ...both, isBurden },
  Measured: count('measured', 'Ads served with the tracker of third-party measurement'),
  LatencyP50: {
    ...latency(0.5, 'Time within which half of all calls were answered'),
    ...advertisers,
    isBurden,
  },
  LatencyP95: {
    ...latency(0.95, 'Time within which 95 of 100 calls were answered'),
    ...advertisers,
    isBurden,
  },
  LatencyP99: {
    ...latency(0.99, 'Time within which 99 of 100 calls were answered'),
    ...advertisers,
    isBurden,
  },
  Invalid: {
    ...count(
      'invalid',
      'Invalid traffic by `Reason`, refused or not: requests, impressions and clicks, and bid requests that could not be read',
    ),
    isBurden,
  },
  Refusals: { ...count('refusals', 'Times that demand, or a whole request, was refused'), isBurden },
  LostValue: {
    ...amount(
      'lostNanos',
      'What the refused bids offered for one impression each; if consent is missing, what bids usually offer with it',
    ),
    isBurden,
  },
  Cost: { ...amount('spentNanos', 'Paid to publishers'), ...publishers, isFigure, isBurden },
  Revenue: { ...amount('revenueNanos', 'Earned from advertisers'), ...advertisers, isFigure },
  LocalCost: {
    ...local(
      'localSpentNanos',
      'Paid to publishers, in the currency of their objects, at the rate of each auction',
    ),
    ...publishers,
    isBurden,
  },
  LocalRevenue: {
    ...local(
      'localRevenueNanos',
      'Earned from advertisers, in the currency of the demand, at the rate of each auction',
    ),
    ...advertisers,
  },
  Profit: {
    help: 'Revenue minus cost',
    unit: 'USD',
    from: ['revenueNanos', 'spentNanos'],
    isFigure,
    of: ({ revenueNanos, spentNanos }) => usd(revenueNanos - spentNanos),
  },
  Margin: {
    help: 'Profit per 100 of revenue',
    unit: '%',
    from: ['revenueNanos', 'spentNanos'],
    isFigure,
    per: 'Revenue',
    of: ({ revenueNanos, spentNanos }) => ratio(100 * (revenueNanos - spentNanos), revenueNanos),
  },
  FillRate: {
    ...percent('impressions', 'requests', 'Requests', 'Impressions per 100 requests'),
    ...publishers,
    isFigure,
  },
  MatchRate: {
    ...percent('matchedCalls', 'syncCalls', 'SyncCalls', 'Matched calls per 100 sync calls'),
    ...advertisers,
  },
  BidRate: {
    help: 'Answers with a bid per 100 calls',
    unit: '%',
    from: ['answers', 'noBids', 'calls'],
    ...advertisers,
    per: 'Calls',
    of: ({ answers, noBids, calls }) => ratio(100 * (answers - noBids), calls),
  },
  WinRate: { ...percent('wins', 'bids', 'Bids', 'Auctions won per 100 bids'), ...advertisers, isFigure },
  TimeoutRate: {
    ...percent('timeouts', 'calls', 'Calls', 'Timeouts per 100 calls'),
    ...advertisers,
    isBurden,
  },
  UnavailableRate: {
    help: 'Timeouts, errors and calls not made because the partner was paused, per 100 call attempts',
    unit: '%',
    from: ['timeouts', 'errors', 'pausedCalls', 'calls'],
    per: 'CallAttempts',
    ...advertisers,
    isBurden,
    of: (counts) => ratio(100 * (counts.timeouts + counts.errors + counts.pausedCalls), callAttempts(counts)),
  },
  Ctr: {
    ...percent('clicks', 'impressions', 'Impressions', 'Clicks per 100 impressions'),
    ...both,
    isFigure,
  },
  CompletionRate: {
    ...percent('completes', 'starts', 'Starts', 'Videos played to the end per 100 started'),
    ...both,
  },
  Ecpm: {
    ...perThousand('revenueNanos', 'impressions', 'Impressions', 'Revenue per 1,000 impressions'),
    ...advertisers,
    isFigure,
  },
  PartnerImpressions: {
    ...count('partnerImpressions', 'Impressions that partners report with StatsApi'),
    per: 'ReportedDays',
  },
  PartnerClicks: {
    ...count('partnerClicks', 'Clicks that partners report with StatsApi'),
    per: 'ReportedDays',
  },
  PartnerAmount: {
    ...amount('partnerNanos', 'What partners report with StatsApi that they spend'),
    per: 'ReportedDays',
  },
  ReportedDays: count('reportedDays', 'Days that partners have reported, including those that they left out'),
  MissingDays: {
    ...count('missingDays', 'Of these, days that partners left out, which count as 0'),
    per: 'ReportedDays',
  },
  Discrepancy: discrepancy('partnerImpressions', 'comparedImpressions', 'Impressions'),
  AmountDiscrepancy: discrepancy('partnerNanos', 'comparedNanos', 'USD'),
  Rcpm: perThousand('revenueNanos', 'requests', 'Requests', 'Revenue per 1,000 requests'),
} as const satisfies Readonly<Record<string, Measure>>;

export type MeasureName = keyof typeof measures;

/** A rate of nothing is null. */
export const isRate = ({ of }: Measure): boolean => of(noCounts) === null;

/** A rate of nothing is null. */
export type MeasureValues = { readonly [Name in MeasureName]?: ReturnType<(typeof measures)[Name]['of']> };

export const measureRows = Object.entries(measures) as readonly (readonly [MeasureName, Measure])[];
