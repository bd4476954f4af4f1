import { type LatencyCounter, latencyCounters } from './latency.ts';

/**
 * The tables of counts: of a pair by the quarter hour, the hour and the day; of an object, and of its account, by the
 * day; of a subid by the day; of traffic and of ads, of refusals, of calls, and what partners report beside what we
 * count (`cubes.ts`).
 */
export type CountTableName = 'pair' | 'day' | 'subId' | 'traffic' | 'refusal' | 'call' | 'partner';

/** What a counter is: one row, from which types, columns of the database and columns of reports are made. */
export interface Counter {
  /** What it counts; of an amount, as it is shown: in USD. */
  readonly help: string;
  /** Amounts are whole nano-USD inside, and USD where they are shown. */
  readonly unit: 'count' | 'nanoUsd';
  /**
   * The method of the event sink that counts it: `count` costs no money, and reaches the database within a second or
   * two; `bill` is durable before it is acknowledged, and counts once for an auction; `amount` comes with such an
   * event; `refuse` counts like `count`. `report` comes from partners' statistics.
   */
  readonly from: readonly ('count' | 'bill' | 'amount' | 'refuse' | 'report')[];
  /**
   * Whether what a supply and a demand object count together is of the `pair`, and so of both; or of one `object`: the
   * demand object where there is one, else the supply object.
   */
  readonly of: 'pair' | 'object';
  readonly in: readonly CountTableName[];
  /**
   * It has no column: it is what `of` and `and` have counted in the rows of the table `by` in which `where` has counted
   * anything.
   */
  readonly made?: {
    readonly by: CountTableName;
    readonly of: string;
    readonly and: string;
    readonly where: string;
  };
  /** Its column in reports by day and by subid, with a value for the documentation; absent where no report shows it. */
  readonly column?: {
    readonly name: string;
    readonly seenBy: readonly ('Publisher' | 'Advertiser')[];
    readonly example: number;
  };
}

const everywhere = ['pair', 'day', 'subId', 'traffic'] as const;
/** What only reports of the management API show. */
const inCubes = ['pair', 'traffic'] as const;
const everyone = ['Publisher', 'Advertiser'] as const;
const ofPair = { unit: 'count', of: 'pair', in: everywhere } as const;
/** What partners report, too. */
const everywhereAndPartner = [...everywhere, 'partner'] as const;
const reported = { unit: 'count', from: ['report'], of: 'pair', in: ['partner'] } as const;
const compared = (of: 'impressions' | 'revenueNanos', and: 'shiftedImpressions' | 'shiftedNanos') =>
  ({
    from: ['report'],
    of: 'pair',
    in: [],
    made: { by: 'partner', of, and, where: 'reportedDays' },
  }) as const;
const counted = { unit: 'count', from: ['count'], of: 'pair', in: inCubes } as const;
/** Of calls, which are also counted beside how long they took. */
const called = { ...counted, in: [...inCubes, 'call'] } as const;
/** Reported by players, each once for an ad. */
const played = { unit: 'count', from: ['bill'], of: 'pair', in: inCubes } as const;
const refused = { unit: 'nanoUsd', from: ['refuse'], of: 'pair', in: ['refusal'] } as const;
/** Answers by how long they took (`latency.ts`). */
const ofLatency = { ...counted, help: 'Answers that took so long', in: ['call'] } as const;
const latencies = Object.fromEntries(latencyCounters.map((name) => [name, ofLatency])) as unknown as Readonly<
  Record<LatencyCounter, typeof ofLatency>
>;

/** Everything that is counted, in the order of the reports' columns. */
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
    column: { name: 'Bids', seenBy: everyone, example: 900 },
  },
  wins: {
    help: 'Auctions won',
    // Those of offers are won in somebody else's auction, whose notice is a billable event.
    ...ofPair,
    from: ['count', 'bill'],
    column: { name: 'Wins', seenBy: everyone, example: 640 },
  },
  bills: {
    help: 'Billable events',
    ...ofPair,
    from: ['bill'],
    column: { name: 'Bills', seenBy: everyone, example: 600 },
  },
  impressions: {
    help: 'Impressions, without those that were refused',
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
    help: 'Impressions and clicks that a match flag has refused, and requests that could not be read',
    ...ofPair,
    from: ['count'],
    in: ['pair', 'day', 'subId'],
  },
  taken: {
    help: 'What `BidsDailyLimit` has counted: bids of a demand object, or ads that a supply object answered with',
    unit: 'count',
    from: ['count'],
    of: 'object',
    in: ['pair', 'day'],
  },
  promised: {
    help: 'Impressions promised that have neither come nor been given back; one that expires stays in this count',
    unit: 'count',
    from: ['count'],
    of: 'object',
    in: ['pair'],
  },
  promisedNanos: {
    help: 'USD promised with these impressions: payouts of supply objects, prices of demand objects',
    unit: 'nanoUsd',
    from: ['count'],
    of: 'object',
    in: ['pair'],
  },
  opportunities: {
    help: 'Impressions that were offered, each in an auction of its own',
    ...counted,
    of: 'object',
  },
  calls: { help: 'Times that demand was called for a bid', ...called },
  answers: { help: 'Calls that were answered in time, with a bid or without one', ...called },
  timeouts: { help: 'Calls that were not answered in time', ...called },
  errors: { help: 'Calls that failed, or whose answer could not be read', ...called },
  noBids: { help: 'Answers without a bid', ...called },
  pausedCalls: {
    help: 'Calls that were not made, as the partner was paused after failures',
    ...counted,
  },
  uncalledBids: { help: 'Bids of campaigns and direct links, which are not called', ...counted },
  bidNanos: {
    help: 'USD that bids offered for one impression each, further bids of an answer included; of bids without a price in USD nothing',
    ...counted,
    unit: 'nanoUsd',
  },
  savedCalls: { help: 'Calls that were not made, as they were not worth it (`AutoOptimize`)', ...counted },
  riskNanos: { help: 'USD that these calls were expected to bring', ...counted, unit: 'nanoUsd' },
  starts: { help: 'Videos that began', ...played },
  firstQuartiles: { help: 'Videos played to a quarter', ...played },
  midpoints: { help: 'Videos played to the half', ...played },
  thirdQuartiles: { help: 'Videos played to three quarters', ...played },
  completes: { help: 'Videos played to the end', ...played },
  skips: { help: 'Videos that the viewer skipped', ...played },
  adErrors: { help: 'Ads that players reported an error of (VAST, Error)', ...played },
  measured: {
    help: 'Ads that were answered with the tracker of third-party measurement',
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
    help: 'Days of a demand object that its partner has reported, or has left out though they were closed',
    ...reported,
  },
  missingDays: { help: 'Of these, the days that it has left out, which count as 0', ...reported },
  partnerImpressions: { help: 'Impressions that partners report', ...reported },
  partnerClicks: { help: 'Clicks that partners report', ...reported },
  partnerNanos: { help: 'USD that partners report', ...reported, unit: 'nanoUsd' },
  shiftedImpressions: {
    help: "Impressions of the partner's day, whose zone is another, beyond those of the day of UTC; below 0 where it has fewer",
    ...reported,
  },
  shiftedNanos: {
    help: "USD earned on the partner's day, whose zone is another, beyond those of the day of UTC",
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
    in: everywhere,
    column: { name: 'Spent', seenBy: ['Publisher'], example: 1_200_000_000 },
  },
  revenueNanos: {
    help: 'USD earned from the advertiser',
    unit: 'nanoUsd',
    from: ['amount'],
    of: 'pair',
    in: everywhereAndPartner,
    column: { name: 'Revenue', seenBy: ['Advertiser'], example: 1_500_000_000 },
  },
} as const satisfies Readonly<Record<string, Counter>>;

type Table = typeof counters;
/** The name of a counter, in camel case; its column in the database has the same name in snake case. */
export type CounterName = keyof Table;
type NamesWith<Member extends 'from' | 'in', Value> = {
  [Name in CounterName]: Value extends Table[Name][Member][number] ? Name : never;
}[CounterName];

export type UnbilledCounter = NamesWith<'from', 'count'>;
/** Counters of events that cost or prove something. */
export type BillableCounter = NamesWith<'from', 'bill'>;
/** What a billable event adds, in nano-USD. */
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

/** The counters that a table of counts has columns for. */
export const countersIn = <By extends CountTableName>(table: By): readonly (keyof CountsIn<By>)[] =>
  namesWhere((counter) => counter.in.includes(table)) as (keyof CountsIn<By>)[];

/** Counters that a table of counts answers without a column of their own. */
export const countersMadeBy = (table: CountTableName): readonly CounterName[] =>
  namesWhere(({ made }) => made?.by === table);

/** What a counter without a column is made of. */
export const derivationOf = (
  name: CounterName,
): { readonly of: CounterName; readonly and: CounterName; readonly where: CounterName } | undefined =>
  (counters[name] as Counter).made as { of: CounterName; and: CounterName; where: CounterName } | undefined;

/** The counters that reports show, and what they are, in the order of the columns. */
export const shownCounters = rows.flatMap(([name, { column, ...counter }]) =>
  column ? [{ counter: name as keyof ShownCounts, ...counter, ...column }] : [],
);

/** Counters that supply and demand objects each have of their own. */
export const ownCounters: readonly CounterName[] = namesWhere((counter) => counter.of === 'object');

/** Counters of what happens to an ad that has won. */
export const adCounters: readonly CounterName[] = namesWhere(
  ({ from }) => from.includes('bill') || from.includes('amount'),
);

/** What a billable event may add. */
export const amountNames = namesWhere(({ from }) => from.includes('amount')) as readonly (keyof Amounts)[];

export const noCounts = zeros(counterNames) as Counts;
/** Amounts of an event that costs nothing. */
export const noAmounts = zeros(amountNames) as Amounts;

/**
 * Events that are stored only so that each happens once for an auction, and `losses` never in an auction with `bills`.
 * The invalid ones are impressions and clicks that a match flag has refused.
 */
export const claimEvents = ['losses', 'invalid_impressions', 'invalid_clicks'] as const;

export type OnceEvent = BillableCounter | (typeof claimEvents)[number];
/** Every event that happens once for an auction. */
export const onceEvents: readonly OnceEvent[] = [
  ...(namesWhere(({ from }) => from.includes('bill')) as BillableCounter[]),
  ...claimEvents,
];
