import type { FormerSecret } from '../../entities/former-secrets.ts';
import type { AccountKind } from '../../entities/kinds.ts';
import type { CounterName, Counts, CountsIn, DailyCounts, ShownCounts } from '../../reference/counters.ts';
import type { CubeName, Grain, Retention } from '../../reference/cubes.ts';
import type { BidSamples } from './bid-samples-interface.ts';
import type { KeptPromise, KeptPromises, KeptPromisesOf } from './kept-interface.ts';
import type { Notice, NoticeBatch, NoticeStore, PendingNotice } from './notices-interface.ts';

export type { BidSamples, KeptPromise, KeptPromises, KeptPromisesOf, Notice, NoticeBatch, PendingNotice };

export interface ObjectKey {
  readonly kind: string;
  readonly id: number;
}

export interface ObjectCost extends ObjectKey {
  readonly totalNanos: number;
  readonly impressions: number;
}

export interface ObjectTime {
  readonly id: number;
  readonly beforeMs: number;
}

export interface ObjectStart {
  readonly id: number;
  readonly fromMs: number;
}

export interface DealSums extends Pick<Counts, 'impressions' | 'dealCalls' | 'bids' | 'wins'> {
  readonly id: number;
}

/**
 * In an hour (since 1970). Without demand: supply only. Counts for both objects and their accounts, except counters of
 * one object (`Counter.of`), which count for demand only.
 */
export interface PairCounts {
  readonly hour: number;
  /** 0 to 3; absent = 0. */
  readonly quarter?: number;
  /** 0 to 14; absent = 0. */
  readonly minute?: number;
  readonly supply: ObjectKey;
  readonly demand: ObjectKey | undefined;
  readonly counts: CountsIn<'pair'>;
}

export type HourCounts = Omit<PairCounts, 'counts' | 'quarter' | 'minute'> & {
  readonly counts: CountsIn<'pair'>;
};

/** Of a supply object and day (days since 1970). */
export interface SubIdCounts {
  readonly day: number;
  readonly supply: ObjectKey;
  readonly subId: string;
  readonly counts: ShownCounts;
}

/** Of one row of a cube counted in memory (those without `from`), in a day, an hour or a quarter hour. */
export interface TrafficCounts {
  readonly cube: CubeName;
  readonly day: number;
  /** Hours since 1970, for cubes by the hour. */
  readonly hour?: number;
  /** Quarter hours since 1970, for `quarterlyCubes`; absent = they know the day alone. */
  readonly quarter?: number;
  /** Sides in the cube's key, as far as the event has them. */
  readonly supply: ObjectKey | undefined;
  readonly demand: ObjectKey | undefined;
  /** In the order of the cube's attributes. */
  readonly values: readonly (string | number)[];
  /** Of the cube's counters; absent = 0. */
  readonly counts: Readonly<Partial<Counts>>;
}

/** In one transaction. */
export interface AddedCounts {
  readonly pairs: readonly PairCounts[];
  readonly addresses: readonly AddressCounts[];
  readonly traffic?: readonly TrafficCounts[];
  /** If processes share out limits. */
  readonly kept?: readonly KeptPromise[];
  readonly notices?: readonly PendingNotice[];
  /** Left for `leaveTo` of the batch. */
  readonly facts?: readonly Fact[];
}

/** Added whole or not at all, and once per ID; its events once per auction, whichever batch they are in. */
export interface CountBatch extends AddedCounts {
  readonly id: string;
  /** By the writer's clock. */
  readonly timeMs: number;
  readonly events?: EventBatch;
  readonly leaveTo?: string | undefined;
}

export interface EventBatch {
  readonly claims: readonly EventClaim[];
  /** Of those that got their claims; called again if the transaction is repeated. */
  countsOf(counted: ReadonlySet<EventClaim>): AddedCounts;
}

/** In an hour, of an object that limits them. */
export interface AddressCounts extends ObjectKey {
  /** Hours since 1970. */
  readonly hour: number;
  /** For IPv6 the first address of its /64; or a viewer's hash. */
  readonly address: string;
  /** Of impressions by a viewer's hash: the last UTC day on which they may count. */
  readonly untilDay?: number | undefined;
  readonly impressions: number;
  /** Neither shown nor given back; expired ones stay counted. */
  readonly promised: number;
}

/** Of all processes on a day, as of a moment ago; by a viewer's hash in an hour. */
export interface AddressTotal extends ObjectKey {
  /** Hours since 1970, of that day. */
  readonly hour: number;
  readonly address: string;
  readonly untilDay?: number | undefined;
  readonly impressions: number;
}

/** Durable writes of a thread. */
export interface CommitNotice {
  /** To be sent: exclusive to this thread for `noticeLeaseMs`. */
  readonly notices?: NoticeBatch | undefined;
  readonly pairs: readonly PairCounts[];
  /** With the others' counts; empty if the database is a file. */
  readonly addresses: readonly AddressTotal[];
}

/**
 * An auction, a demand object in it, refusals of a pair, or a billable event: time in milliseconds, cube columns, and
 * counters by column name. Absent = 0 and `""`.
 */
export type Fact = Readonly<Record<string, string | number>>;

/** Of one batch of events, to be fetched by a process. */
export interface LeftFacts {
  readonly id: string;
  readonly facts: readonly Fact[];
}

/** After `from`, up to `until` (`SentRecords.places`). */
export interface ConsumedRange {
  readonly source: string;
  readonly from: number;
  readonly until: number;
}

/** Up to when its acknowledged events are in the store. */
export interface ShippedProcess {
  /** Of its part of the outbox. */
  readonly process: string;
  /** For operators. */
  readonly name: string;
  readonly untilMs: number;
  readonly notedMs: number;
  /** Ended in order, and nothing is left. */
  readonly isDone: boolean;
}

/** An hour (since 1970) that changed over an hour after its end, with the last change. */
export interface LateHour {
  readonly hour: number;
  readonly timeMs: number;
}

export interface EventClaim {
  readonly auctionId: string;
  /** One event gets each name; this one counts if it gets all. */
  readonly names: readonly string[];
  /** Milliseconds since 1970; from then on the event may be forgotten. */
  readonly expiresMs: number;
}

export interface DayCounts {
  readonly id: number;
  readonly day: number;
  readonly counts: DailyCounts;
}

/** Inclusive. */
export interface DayRange {
  readonly fromDay: number;
  readonly toDay: number;
}

/** Hours since 1970. */
export interface HourRange {
  readonly fromHour: number;
  readonly beforeHour: number;
}

export interface HourlyCount {
  readonly id: number;
  readonly hour: number;
  readonly count: number;
}

export interface CounterpartCounts extends ObjectKey {
  readonly counts: CountsIn<'pair'>;
}

export interface FlushedRequests {
  readonly id: string;
  readonly timeMs: number;
  readonly requests: Readonly<Record<string, number>>;
}

export interface ObjectDayCounts extends ObjectKey {
  readonly counts: DailyCounts;
}

/** In an hour, by the kind of supply that held the auctions. */
export interface OpenPromises extends ObjectKey {
  /** Hours since 1970. */
  readonly hour: number;
  readonly supplyKind: string;
  /** Impressions, and nano-USD. One of the two may be 0. */
  readonly promised: number;
  readonly promisedNanos: number;
}

export interface StatisticsAccount {
  readonly id: number;
  readonly teamId: number;
  readonly statsAuth: string;
  /** Replaced, but working for a while. */
  readonly formerSecrets: readonly FormerSecret[];
}

export interface CubeGrain {
  readonly cube: CubeName;
  readonly grain: Grain;
}

/** Values that a column must or must not have; of several columns, combinations. */
export interface CubeCondition {
  readonly columns: readonly string[];
  readonly values: readonly (readonly (string | number)[])[];
  readonly isNot: boolean;
}

/** Sums of counters in ranges of time, by columns. */
export interface CubeQuestion extends CubeGrain {
  readonly teamId: number;
  /** Intervals since 1970, end excluded; rows of one `bucket` are added up. */
  readonly ranges: readonly { readonly bucket: number; readonly from: number; readonly until: number }[];
  readonly columns: readonly string[];
  readonly counters: readonly CounterName[];
  readonly conditions: readonly CubeCondition[];
  readonly rowsMax: number;
}

/** Bucket, columns, sums, in their orders. */
export type CubeRow = readonly (string | number)[];

/** Like one to a cube, but of any columns and counters. */
export type FactQuestion = Omit<CubeQuestion, 'cube'>;

export interface FactRange {
  /** Complete from then on; milliseconds since 1970. */
  readonly fromMs: number;
  /** Up to when counts have arrived, as far as is known. */
  readonly untilMs: number;
}

/** Single auctions and billable events, besides the store's cubes. */
export interface Analytics {
  /** Rejects with `Refusal('unavailable')` while it is away. */
  range(): Promise<FactRange>;
  /**
   * Like `StatisticsStore.ask`, plus for how many auctions each row's rarest row counts (1 = all are there). Rejects
   * with `Refusal('unavailable')` while it is away.
   */
  ask(question: FactQuestion): AsyncIterable<readonly CubeRow[]>;
}

/**
 * Counts, in a database that any number of processes add to. Days are days since 1970, UTC. No configuration, so no
 * revisions. Methods may reject with `Refusal('unavailable')`; writes with `Refusal('invalid')`, nothing written, for
 * values never accepted.
 */
export interface StatisticsStore extends NoticeStore {
  /**
   * In one transaction. Durable, and safe to repeat. With `taken`, its source moves on, too; refuses with `unavailable`
   * if these records have been taken, or are being.
   */
  add(batches: readonly CountBatch[], taken?: ConsumedRange): Promise<void>;
  /** After each `add` of this thread; notices of repeated events may repeat. */
  onWritten(listener: (written: CommitNotice) => void): void;
  /** Of a source's records; 0 = none. */
  takenUntil(source: string): Promise<number>;
  noteShipped(process: ShippedProcess): Promise<void>;
  /** Of a process, as far as their events are counted. */
  keptPromises(of: KeptPromisesOf): Promise<KeptPromises[]>;
  /** Nobody will ask for them again. */
  forgetKeptPromises(of: KeptPromisesOf): Promise<void>;
  /** They may still have something to ship; furthest behind first. */
  shippedProcesses(): Promise<ShippedProcess[]>;
  /** Changed over an hour after their end: the last ones, at most a hundred. */
  lateHours(teamId: number, range: DayRange): Promise<LateHour[]>;
  /** For that name, oldest batches first, with the objects' owners of then. */
  leftFacts(name: string, lotsMax: number): Promise<LeftFacts[]>;
  dropLeftFacts(ids: readonly string[]): Promise<void>;
  /** With the objects' current teams and owners. */
  withOwners(facts: readonly Fact[]): Promise<Fact[]>;
  /**
   * Expired events, batches before `flushedMs`, addresses of earlier days, and of earlier hours without impressions.
   */
  forget(before: { readonly expiresMs: number; readonly flushedMs: number }): Promise<void>;
  /** A few rows before `beforeDay`, which may be a fraction. Returns whether more may be left. */
  forgetCubes(kept: Exclude<Retention, 'always'>, beforeDay: number): Promise<boolean>;
  /** Replaces the writer's samples of the same hours. */
  keepBidSamples(writer: string, samples: readonly BidSamples[]): Promise<void>;
  /** Days since 1970, UTC; in the order of time. */
  bidSamples(supply: ObjectKey, day: number): Promise<BidSamples[]>;
  /** Returns whether more may be left. */
  forgetBidSamples(beforeDay: number): Promise<boolean>;
  /** Returns whether more may be left. */
  forgetNames(beforeDay: number): Promise<boolean>;
  /** Objects, or accounts with what they owned then; in order of ID and day, without days of no counts. */
  days(kind: string, ids: readonly number[], range: DayRange): Promise<DayCounts[]>;
  /** Of all days, by what counts under their codes; without deals of no counts. */
  dealSums(ids: readonly number[]): Promise<DealSums[]>;
  /** In order of day and subid. */
  subIds(supply: ObjectKey, range: DayRange): Promise<SubIdCounts[]>;
  /** With each demand object, in order of time. */
  hours(supply: ObjectKey, range: DayRange): Promise<HourCounts[]>;
  /** With each counterpart of that day (since 1970). */
  pairs(object: ObjectKey, day: number): Promise<readonly CounterpartCounts[]>;
  /** Objects, in pages. */
  countedOn(day: number): AsyncIterable<readonly ObjectDayCounts[]>;
  /** In that hour (since 1970) or later, and not shown yet. */
  promisedSince(hour: number): Promise<OpenPromises[]>;
  /** Of kinds of demand and of deals, on all days; of all objects, or of those named. */
  totalCosts(kinds: readonly string[], ids?: readonly number[]): Promise<ObjectCost[]>;
  /**
   * By hour since 1970, whatever was shown: impressions that could be sold under deals, and requests of the supply that
   * demand is connected to now.
   */
  traffic(kind: string, ids: readonly number[], hours: HourRange): Promise<HourlyCount[]>;
  /**
   * By demand or deals of a kind, in auctions before the quarter hour of a time of each; without quarters and hours that are
   * no longer kept, so never too much.
   */
  usedBefore(kind: string, times: readonly ObjectTime[]): Promise<ObjectCost[]>;
  /**
   * By demand or deals of a kind, in auctions since the quarter hour of a time of each, which is to be of the last days,
   * or since its hour while quarters are not whole (`cubeStarts`); without those of no counts.
   */
  countedSince(kind: string, times: readonly ObjectStart[]): Promise<ObjectDayCounts[]>;
  /** Of that day, and by viewers' hashes those that count on that day or later; in pages. */
  addresses(day: number): AsyncIterable<readonly AddressCounts[]>;
  /** From when on each cube is complete, in intervals since 1970, by `<cube> <grain>`. */
  cubeStarts(): Promise<ReadonlyMap<string, number>>;
  /** In batches, unordered. May read much: an embedded database does it in another thread. */
  ask(question: CubeQuestion): AsyncIterable<readonly CubeRow[]>;
  /** If the installation has one. */
  readonly analytics?: Analytics;
  /** That day counts, too. */
  isCountedSince(day: number): Promise<boolean>;
  /** Of batches written after a time, without known ones. */
  requestsAfter(timeMs: number, isKnown?: (id: string) => boolean): Promise<FlushedRequests[]>;
  /** Usernames are unique in the installation. */
  account(kind: AccountKind, username: string): Promise<StatisticsAccount | undefined>;
}
