import { type LatencyCounter, latencyCounters } from './latency.ts';

/**
 * What cubes add up (`cubes.ts`): pairs; traffic, subids and ads; refusals; calls; deals; floor rules; currencies; what
 * partners report.
 */
export type CountTableName =
  | 'pair'
  | 'traffic'
  | 'refusal'
  | 'call'
  | 'deal'
  | 'currency'
  | 'partner'
  | 'floor';

/** One row, from which types, database columns and report columns are made. */
export interface Counter {
  /** What it counts; of an amount, as shown: in USD. */
  readonly help: string;
  /** Nano-USD inside, USD where shown; `nanoLocal` in the row's currency. */
  readonly unit: 'count' | 'nanoUsd' | 'nanoLocal';
  /**
   * The event sink's method: `count` is free and written within a second or two; `bill` is durable before it is
   * acknowledged, once per auction; `once` is like `count`, once per auction; `amount` comes with a billable event;
   * `local` is made of an amount and the auction's rate; `refuse` is like `count`; `report` comes from partners'
   * statistics.
   */
  readonly from: readonly ('count' | 'bill' | 'once' | 'amount' | 'local' | 'refuse' | 'report')[];
  /** Counted by supply and demand together (`pair`), or by one `object`: demand if there is one, else supply. */
  readonly of: 'pair' | 'object';
  readonly in: readonly CountTableName[];
  /** No column of its own: the sum of `of` and `and` over rows of table `by` in which `where` counted anything. */
  readonly made?: {
    readonly by: CountTableName;
    readonly of: string;
    readonly and: string;
    readonly where: string;
  };
  /** In reports by day and by subid, with an example; absent if no report shows it. */
  readonly column?: {
    readonly name: string;
    readonly seenBy: readonly ('Publisher' | 'Advertiser')[];
    readonly example: number;
  };
}

const everywhere = ['pair', 'traffic'] as const;
const everyone = ['Publisher', 'Advertiser'] as const;
const ofPair = { unit: 'count', of: 'pair', in: everywhere } as const;
/** Also told apart by deal. */
const everywhereAndDeal = [...everywhere, 'deal'] as const;
/** And by floor rule. */
const everywhereAndFloor = [...everywhereAndDeal, 'floor'] as const;
/** Partners report it, too. */
const everywhereAndPartner = [...everywhereAndFloor, 'partner'] as const;
const local = { unit: 'nanoLocal', from: ['local'], of: 'pair', in: ['currency'] } as const;
const reported = { unit: 'count', from: ['report'], of: 'pair', in: ['partner'] } as const;
const compared = (of: 'impressions' | 'revenueNanos', and: 'shiftedImpressions' | 'shiftedNanos') =>
  ({
    from: ['report'],
    of: 'pair',
    in: [],
    made: { by: 'partner', of, and, where: 'reportedDays' },
  }) as const;
const counted = { ...ofPair, from: ['count'] } as const;
/** Of calls, also counted by latency. */
const called = { ...counted, in: [...everywhere, 'call'] } as const;
/** Reported by players, each once per ad; no money hangs on them. */
const played = { ...ofPair, from: ['once'] } as const;
const refused = { unit: 'nanoUsd', from: ['refuse'], of: 'pair', in: ['refusal'] } as const;
/** By latency (`latency.ts`). */
const ofLatency = { ...counted, help: 'Answers that took this long', in: ['call'] } as const;
const latencies = Object.fromEntries(latencyCounters.map((name) => [name, ofLatency])) as unknown as Readonly<
  Record<LatencyCounter, typeof ofLatency>
>;

/** In the order of the reports' columns. */
const counters = {
  requests: {
    help: 'Requests',
    unit: 'count',
    from: ['count'],
    of: 'object',
    in: everywhere,
    column: { name: 'Requests', seenBy: everyone, example: 1200 },
  },
  bids: {
    help: 'Bids',
    ...ofPair,
    from: ['count'],
    in: everywhereAndFloor,
    column: { name: 'Bids', seenBy: everyone, example: 900 },
  },
  wins: {
    help: 'Auctions won',
    // Offers are won in another exchange's auction, whose notice is billable.
    ...ofPair,
    from: ['count', 'bill'],
    in: everywhereAndDeal,
    column: { name: 'Wins', seenBy: everyone, example: 640 },
  },
  bills: {
    help: 'Billable events',
    ...ofPair,
    from: ['bill'],
    in: everywhereAndDeal,
    column: { name: 'Bills', seenBy: everyone, example: 600 },
  },
  impressions: {
    help: 'Impressions, except those that were refused',
    ...ofPair,
    from: ['bill'],
    in: everywhereAndPartner,
    column: { name: 'NetImpressions', seenBy: everyone, example: 600 },
  },
  clicks: {
    help: 'Clicks',
    ...ofPair,
    from: ['bill'],
    in: everywhereAndPartner,
    column: { name: 'Clicks', seenBy: everyone, example: 9 },
  },
  invalid: {
    help: 'Requests that are invalid traffic or could not be read, impressions and clicks that a match flag refused or that were fetched in advance',
    ...ofPair,
    from: ['refuse'],
    in: ['pair', 'refusal'],
  },
  taken: {
    help: 'What `BidsDailyLimit` counts: bids of a demand object, or ads that a supply object answered with',
    unit: 'count',
    from: ['count'],
    of: 'object',
    in: ['pair'],
  },
  promised: {
    help: 'Reserved impressions that were neither shown nor released; one that expires stays in this count',
    unit: 'count',
    from: ['count'],
    of: 'object',
    in: ['pair'],
  },
  promisedNanos: {
    help: 'USD reserved with these impressions: payouts of supply objects, prices of demand objects',
    unit: 'nanoUsd',
    from: ['count'],
    of: 'object',
    in: ['pair'],
  },
  opportunities: {
    help: 'Impressions that were offered, each in its own auction',
    ...counted,
    of: 'object',
    in: [...everywhere, 'floor'],
  },
  calls: { help: 'Times that demand was called for a bid', ...called },
  syncCalls: { help: 'Calls to partners with user sync', ...counted },
  matchedCalls: { help: "Calls with the partner's own ID of the viewer", ...counted },
  answers: { help: 'Calls that were answered in time, with or without a bid', ...called },
  timeouts: { help: 'Calls that were not answered in time', ...called },
  errors: { help: 'Calls that failed, or whose answer could not be read', ...called },
  noBids: { help: 'Answers without a bid', ...called },
  pausedCalls: {
    help: 'Calls that were not made because the partner was paused after failures',
    ...counted,
  },
  uncalledBids: { help: 'Bids of campaigns and direct links, which are not called', ...counted },
  bidNanos: {
    help: 'USD that bids offered for one impression each, including further bids of an answer; bids without a price in USD add nothing',
    ...counted,
    unit: 'nanoUsd',
    in: everywhereAndFloor,
  },
  dealRequests: {
    help: 'Impressions for which a deal was offered, counted for each of their deals',
    ...counted,
    of: 'object',
    in: ['deal'],
  },
  dealCalls: {
    help: 'Times that a buyer was asked for a bid under a deal, counted for each of the deals',
    ...counted,
    in: ['deal'],
  },
  savedCalls: {
    help: 'Calls that were not made because they were not worth it (`AutoOptimize`)',
    ...counted,
  },
  riskNanos: { help: 'USD that these calls were expected to bring', ...counted, unit: 'nanoUsd' },
  starts: { help: 'Videos that started', ...played },
  firstQuartiles: { help: 'Videos played to 25 %', ...played },
  midpoints: { help: 'Videos played to 50 %', ...played },
  thirdQuartiles: { help: 'Videos played to 75 %', ...played },
  completes: { help: 'Videos played to the end', ...played },
  skips: { help: 'Videos that the viewer skipped', ...played },
  adErrors: { help: 'Ads for which players reported an error (VAST, Error)', ...played },
  measured: {
    help: 'Ads that were served with the tracker of third-party measurement',
    ...counted,
  },
  refusals: {
    help: 'Times that a demand object, a further bid of its answer, or a whole request was refused, each with one reason',
    ...refused,
    unit: 'count',
  },
  lostNanos: { help: 'USD that the refused bids offered for one impression each', ...refused },
  ...latencies,
  reportedDays: {
    help: 'Days of a demand object that its partner has reported, or has left out although they were closed',
    ...reported,
  },
  missingDays: { help: 'Of these, the days that it has left out, which count as 0', ...reported },
  partnerImpressions: { help: 'Impressions that partners report', ...reported },
  partnerClicks: { help: 'Clicks that partners report', ...reported },
  partnerNanos: { help: 'USD that partners report', ...reported, unit: 'nanoUsd' },
  shiftedImpressions: {
    help: "Impressions of the partner's day, in its own time zone, minus those of the UTC day; below 0 if it has fewer",
    ...reported,
  },
  shiftedNanos: {
    help: "USD earned on the partner's day, in its own time zone, minus those of the UTC day",
    ...reported,
    unit: 'nanoUsd',
  },
  comparedImpressions: {
    help: 'Impressions on the days that partners report',
    ...compared('impressions', 'shiftedImpressions'),
    unit: 'count',
  },
  comparedNanos: {
    help: 'USD earned on the days that partners report',
    ...compared('revenueNanos', 'shiftedNanos'),
    unit: 'nanoUsd',
  },
  spentNanos: {
    help: 'USD paid to the publisher',
    unit: 'nanoUsd',
    from: ['amount'],
    of: 'pair',
    in: [...everywhereAndFloor, 'currency'],
    column: { name: 'Spent', seenBy: ['Publisher'], example: 1_200_000_000 },
  },
  revenueNanos: {
    help: 'USD earned from the advertiser',
    unit: 'nanoUsd',
    from: ['amount'],
    of: 'pair',
    in: [...everywhereAndPartner, 'currency'],
    column: { name: 'Revenue', seenBy: ['Advertiser'], example: 1_500_000_000 },
  },
  localSpentNanos: { help: 'Paid to the publisher, in the `Currency` of the supply object', ...local },
  localRevenueNanos: { help: 'Earned from the advertiser, in the `Currency` of the demand object', ...local },
} as const satisfies Readonly<Record<string, Counter>>;

type Table = typeof counters;
/** Camel case; its database column in snake case. */
export type CounterName = keyof Table;
type NamesWith<Member extends 'from' | 'in', Value> = {
  [Name in CounterName]: Value extends Table[Name][Member][number] ? Name : never;
}[CounterName];

export type PlayedCounter = NamesWith<'from', 'once'>;
export type UnbilledCounter = NamesWith<'from', 'count'> | PlayedCounter;
/** They cost or prove something. */
export type BillableCounter = NamesWith<'from', 'bill'>;
/** Nano-USD. */
export type Amounts = Readonly<Record<NamesWith<'from', 'amount'>, number>>;
export type Counts = Readonly<Record<CounterName, number>>;
export type CountsIn<Table extends CountTableName> = Pick<Counts, NamesWith<'in', Table>>;
export type ShownCounts = Pick<
  Counts,
  { [Name in CounterName]: Table[Name] extends { readonly column: object } ? Name : never }[CounterName]
>;

const rows: readonly (readonly [CounterName, Counter])[] = Object.entries(counters) as [
  CounterName,
  Counter,
][];
const namesWhere = (holds: (counter: Counter) => boolean) =>
  rows.flatMap(([name, counter]) => (holds(counter) ? [name] : []));
const zeros = (names: readonly CounterName[]) => Object.fromEntries(names.map((name) => [name, 0]));

export const counterNames: readonly CounterName[] = namesWhere(() => true);

/** With columns in that table. */
export const countersIn = <By extends CountTableName>(table: By): readonly (keyof CountsIn<By>)[] =>
  namesWhere((counter) => counter.in.includes(table)) as (keyof CountsIn<By>)[];

/** Without columns of their own. */
export const countersMadeBy = (table: CountTableName): readonly CounterName[] =>
  namesWhere(({ made }) => made?.by === table);

export const derivationOf = (
  name: CounterName,
): { readonly of: CounterName; readonly and: CounterName; readonly where: CounterName } | undefined =>
  (counters[name] as Counter).made as { of: CounterName; and: CounterName; where: CounterName } | undefined;

/** In the order of the columns. */
export const shownCounters = rows.flatMap(([name, { column, ...counter }]) =>
  column ? [{ counter: name as keyof ShownCounts, ...counter, ...column }] : [],
);

/** What limits and statistics URLs read of a day. */
export type DailyCounts = ShownCounts & Pick<Counts, 'invalid' | 'taken'>;
export const dailyCounters: readonly (keyof DailyCounts)[] = [
  ...shownCounters.map(({ counter }) => counter),
  'invalid',
  'taken',
];

/** Counted by supply and demand objects separately. */
export const ownCounters: readonly CounterName[] = namesWhere((counter) => counter.of === 'object');

/** What happens to an ad that has won. */
export const adCounters: readonly CounterName[] = namesWhere(
  ({ from }) => from.includes('bill') || from.includes('once') || from.includes('amount'),
);

export const amountNames = namesWhere(({ from }) => from.includes('amount')) as readonly (keyof Amounts)[];

export const noCounts = zeros(counterNames) as Counts;
export const noAmounts = zeros(amountNames) as Amounts;

/**
 * Stored only so that each happens once per auction, and `losses` never in an auction with `bills`. Invalid ones were
 * refused by a match flag.
 */
export const claimEvents = ['losses', 'invalid_impressions', 'invalid_clicks'] as const;

export const playedEvents = namesWhere(({ from }) => from.includes('once')) as readonly PlayedCounter[];

export type OnceEvent = BillableCounter | PlayedCounter | (typeof claimEvents)[number];
export const onceEvents: readonly OnceEvent[] = [
  ...(namesWhere(({ from }) => from.includes('bill')) as BillableCounter[]),
  ...playedEvents,
  ...claimEvents,
];

/** What an event counts as: it may also win the auction, or be the impression. */
export const countedAs = (of: {
  readonly event: OnceEvent;
  readonly isWin?: boolean | undefined;
  readonly isImpression?: boolean | undefined;
}): readonly OnceEvent[] => [
  of.event,
  ...(of.isWin ? (['wins'] as const) : []),
  ...(of.isImpression ? (['impressions'] as const) : []),
];
