import type { FormerSecret } from '../../entities/former-secrets.ts';
import type { AccountKind } from '../../entities/kinds.ts';
import type { CounterName, Counts, CountsIn } from '../../reference/counters.ts';
import type { CubeName, Grain, Retention } from '../../reference/cubes.ts';
import type { BidSamples } from './bid-samples-interface.ts';
import type { KeptPromise, KeptPromises, KeptPromisesOf } from './kept-interface.ts';
import type { Notice, NoticeBatch, NoticeStore, PendingNotice } from './notices-interface.ts';

export type { BidSamples, KeptPromise, KeptPromises, KeptPromisesOf, Notice, NoticeBatch, PendingNotice };

/** An object: the key of its entity, and its ID. */
export interface ObjectKey {
  readonly kind: string;
  readonly id: number;
}

export interface ObjectCost extends ObjectKey {
  readonly totalNanos: number;
}

/**
 * What was counted between a supply and a demand object in an hour (hours since 1970). What concerns supply alone has
 * no demand. Everything counts for both objects and their accounts, except counters of one object (`Counter.of`), which
 * count for the demand object alone.
 */
export interface PairCounts {
  readonly hour: number;
  /** Quarter of the hour, 0 to 3; absent = 0. */
  readonly quarter?: number;
  /** Minute of the quarter, 0 to 14; absent = 0. */
  readonly minute?: number;
  readonly supply: ObjectKey;
  readonly demand: ObjectKey | undefined;
  readonly counts: CountsIn<'pair'>;
}

export type HourCounts = Omit<PairCounts, 'counts' | 'quarter' | 'minute'> & {
  readonly counts: CountsIn<'pair'>;
};

/** What was counted of one subid of a supply object in a day (days since 1970). */
export interface SubIdCounts {
  readonly day: number;
  readonly supply: ObjectKey;
  readonly subId: string;
  readonly counts: CountsIn<'subId'>;
}

/** What was counted in a day, or an hour of it, of one row of a cube that memory counts: those that are not `from` another. */
export interface TrafficCounts {
  readonly cube: CubeName;
  readonly day: number;
  /** Hours since 1970, of cubes that are kept by the hour. */
  readonly hour?: number;
  /** Those of its sides that are in the cube's key, as far as the event has them. */
  readonly supply: ObjectKey | undefined;
  readonly demand: ObjectKey | undefined;
  /** Values of the cube's attributes, in their order. */
  readonly values: readonly (string | number)[];
  /** Those of the cube's counters; absent = 0. */
  readonly counts: Readonly<Partial<Counts>>;
}

/** A lot of counts: all of it is added, or nothing, and only once under its ID. */
export interface CountBatch {
  readonly id: string;
  /** When it is written, by the writer's clock. */
  readonly timeMs: number;
  readonly pairs: readonly PairCounts[];
  readonly subIds: readonly SubIdCounts[];
  readonly addresses: readonly AddressCounts[];
  readonly traffic?: readonly TrafficCounts[];
  /** Left for `leaveTo` in the transaction that adds the lot. */
  readonly facts?: readonly Fact[];
  readonly leaveTo?: string | undefined;
}

/** What was counted in an hour at an address, of an object that limits the impressions of addresses. */
export interface AddressCounts extends ObjectKey {
  /** Hours since 1970. */
  readonly hour: number;
  /** Text of an address; that of the first of its /64 where it is IPv6. */
  readonly address: string;
  readonly impressions: number;
  /** Impressions promised that have neither come nor been given back; one that expires stays in this count. */
  readonly promised: number;
}

/** What all have counted on a day at an address, as of a moment ago. */
export interface AddressTotal extends ObjectKey {
  /** Hours since 1970: one of that day. */
  readonly hour: number;
  readonly address: string;
  readonly impressions: number;
}

/** What a thread has written, once it is durable. */
export interface CommitNotice {
  /** Notices that are now to be sent: this thread has them to itself for `noticeLeaseMs`. */
  readonly notices?: NoticeBatch | undefined;
  readonly pairs: readonly PairCounts[];
  /** The addresses at which it has counted, with what others have counted there. None where the database is a file. */
  readonly addresses: readonly AddressTotal[];
}

/**
 * One auction, a demand object in it, refusals of a pair, or a billable event, as a row for engines that keep them
 * singly: its time in milliseconds, columns of cubes, and counters by the names that columns have. Absent ones are 0
 * and `""`.
 */
export type Fact = Readonly<Record<string, string | number>>;

/** Facts that a process has yet to fetch: of one lot of events. */
export interface LeftFacts {
  readonly id: string;
  readonly facts: readonly Fact[];
}

/** Which records of a source are taken: those behind `from`, up to `until` (`SentRecords.places`). */
export interface ConsumedRange {
  readonly source: string;
  readonly from: number;
  readonly until: number;
}

/** A process with an outbox, and up to when what it has acknowledged is in the store. */
export interface ShippedProcess {
  /** ID of its part of the outbox. */
  readonly process: string;
  /** Where that is, for operators. */
  readonly name: string;
  readonly untilMs: number;
  /** When it said so last. */
  readonly notedMs: number;
  /** Whether it has ended in order, and nothing is left. */
  readonly isDone: boolean;
}

/** An hour (hours since 1970) that has changed more than an hour after it was over, and when it did last. */
export interface LateHour {
  readonly hour: number;
  readonly timeMs: number;
}

/** What may be said with billable events. */
export interface BillingOf {
  /** Whom facts of events that count are left for. */
  readonly leaveTo?: string | undefined;
  /** Whose records they are; refuses with `unavailable` where these have been taken, or are being. */
  readonly taken?: ConsumedRange | undefined;
}

/** A billable event, with what it adds. */
export interface EventCounts {
  readonly auctionId: string;
  /** Names that the event claims for its auction, each of which only one event gets: it counts if it gets all. */
  readonly claims: readonly string[];
  /** Milliseconds since 1970; from then on the event may be forgotten. */
  readonly expiresMs: number;
  readonly pair: PairCounts;
  /** Present where the supply object is reported by subid. */
  readonly subId: SubIdCounts | undefined;
  /** Present where an object limits the impressions of an address. */
  readonly addresses?: readonly AddressCounts[];
  readonly traffic?: readonly TrafficCounts[];
  /** Promises that the event keeps, where processes share out limits. */
  readonly kept?: readonly KeptPromise[];
  /** What is left for `leaveTo` of `bill`. */
  readonly fact?: Fact;
  /** Kept in the transaction that counts the event. */
  readonly notices?: readonly Notice[];
}

export interface DayCounts {
  readonly id: number;
  readonly day: number;
  readonly counts: CountsIn<'day'>;
}

/** Which days of which objects; the last one is included. */
export interface DayRange {
  readonly fromDay: number;
  readonly toDay: number;
}

export interface CounterpartCounts extends ObjectKey {
  readonly counts: CountsIn<'pair'>;
}

/** Counts of an object in an hour (hours since 1970). */
export interface ObjectHour {
  readonly id: number;
  readonly hour: number;
  readonly counts: CountsIn<'pair'>;
}

/** Requests of a lot of counts, by `<kind>:<id>`. */
export interface FlushedRequests {
  readonly id: string;
  readonly timeMs: number;
  readonly requests: Readonly<Record<string, number>>;
}

export interface ObjectDayCounts extends ObjectKey {
  readonly counts: CountsIn<'day'>;
}

/** What an object has promised in auctions of an hour, by the kind of supply object that held them. */
export interface OpenPromises extends ObjectKey {
  /** Hours since 1970. */
  readonly hour: number;
  readonly supplyKind: string;
  /** Impressions, and what they cost in nano-USD. One of the two may be 0. */
  readonly promised: number;
  readonly promisedNanos: number;
}

export interface StatisticsAccount {
  readonly id: number;
  readonly teamId: number;
  readonly statsAuth: string;
  /** Credentials that were replaced, and still work for a while. */
  readonly formerSecrets: readonly FormerSecret[];
}

export interface CubeGrain {
  readonly cube: CubeName;
  readonly grain: Grain;
}

/** What a column must be, or must not be: one of these values; of several columns, of these combinations. */
export interface CubeCondition {
  readonly columns: readonly string[];
  readonly values: readonly (readonly (string | number)[])[];
  readonly isNot: boolean;
}

/** A question to a cube: sums of counters in some ranges of time, by columns. */
export interface CubeQuestion extends CubeGrain {
  readonly teamId: number;
  /** Steps of time since 1970, the last one excluded; rows of one `bucket` are added up. */
  readonly ranges: readonly { readonly bucket: number; readonly from: number; readonly until: number }[];
  readonly columns: readonly string[];
  readonly counters: readonly CounterName[];
  readonly conditions: readonly CubeCondition[];
  readonly rowsMax: number;
}

/** A row of an answer: its bucket, the values of the columns, and the sums of the counters, in their orders. */
export type CubeRow = readonly (string | number)[];

/** A question to single auctions and events: as one to a cube, but of any columns and counters. */
export type FactQuestion = Omit<CubeQuestion, 'cube'>;

/** What an engine of single events has. */
export interface FactRange {
  /** From when on it has all of them, in milliseconds since 1970. */
  readonly fromMs: number;
  /** Up to when what was counted has reached it, as far as is known. */
  readonly untilMs: number;
}

/** An engine that keeps single auctions and billable events, beside the cubes of the store. */
export interface Analytics {
  /** Rejects with `Refusal('unavailable')` while it is away. */
  range(): Promise<FactRange>;
  /**
   * Answers as `StatisticsStore.ask`; behind the sums of each row stands for how many auctions the rarest of its rows
   * counts: 1 = all are there. Rejects with `Refusal('unavailable')` while it is away.
   */
  ask(question: FactQuestion): AsyncIterable<readonly CubeRow[]>;
}

/** Most subids of an object and day that are counted by themselves; further ones count as `otherSubId`. */
export const subIdsPerDayMax = 2000;

/** The subid under which all further ones are counted. */
export const otherSubId = 'other';

/**
 * What the exchange has counted, in a database that any number of threads and processes add to. Days are days since
 * 1970, UTC. Nothing here is a change of configuration: it makes no revision. Every method may reject with
 * `Refusal('unavailable')` while the database cannot be reached. A write rejects with `Refusal('invalid')`, and has
 * written nothing, where the database takes no such values: it never will.
 */
export interface StatisticsStore extends NoticeStore {
  /**
   * Adds a lot of counts, durably. After a failure that left open whether a lot was added, it is safe to add it again.
   * With `taken`, its source has moved on in the same transaction; see `BillingOf`.
   */
  add(batch: CountBatch, taken?: ConsumedRange): Promise<void>;
  /** Calls the listener after each `add` and `bill` of this thread; what it says of events that repeat others may repeat. */
  onWritten(listener: (written: CommitNotice) => void): void;
  /**
   * Counts events, durably, each only once for its auction, however many lots contain it. Answers for each event
   * whether this lot has counted it, also when the lot is sent again after a failure. No two events of a lot may claim
   * the same name for the same auction. What `of` says is done in the same transaction.
   */
  bill(batch: string, events: readonly EventCounts[], of?: BillingOf): Promise<boolean[]>;
  /** Up to which of its records a source's are taken; 0 = none. */
  takenUntil(source: string): Promise<number>;
  noteShipped(process: ShippedProcess): Promise<void>;
  /** Promises of a process that were kept, as far as their events are counted. */
  keptPromises(of: KeptPromisesOf): Promise<KeptPromises[]>;
  /** Deletes those that nobody will ask for again. */
  forgetKeptPromises(of: KeptPromisesOf): Promise<void>;
  /** Processes that may still have something to be shipped, those that are behind most first. */
  shippedProcesses(): Promise<ShippedProcess[]>;
  /** Hours of a team that have changed more than an hour after they were over: the last ones, at most a hundred. */
  lateHours(teamId: number, range: DayRange): Promise<LateHour[]>;
  /** What is left for that name, oldest lots first: at most so many, each with the owners that its objects had then. */
  leftFacts(name: string, lotsMax: number): Promise<LeftFacts[]>;
  dropLeftFacts(ids: readonly string[]): Promise<void>;
  /** The same facts with the team and the owners of their objects now. */
  withOwners(facts: readonly Fact[]): Promise<Fact[]>;
  /**
   * Deletes events that expired before `expiresMs`, records of lots written before `flushedMs`, addresses of days
   * before that of `flushedMs`, and of hours before that those of no impression.
   */
  forget(before: { readonly expiresMs: number; readonly flushedMs: number }): Promise<void>;
  /**
   * Deletes a few rows of cubes that are kept so, of steps of time before `beforeDay`, which may be a fraction. Answers
   * whether more may be left.
   */
  forgetCubes(kept: Exclude<Retention, 'always'>, beforeDay: number): Promise<boolean>;
  /** Keeps samples of bids in the place of those that this writer has kept of the same hours. */
  keepBidSamples(writer: string, samples: readonly BidSamples[]): Promise<void>;
  /** Samples of a supply object on a day (days since 1970, UTC), in the order of time. */
  bidSamples(supply: ObjectKey, day: number): Promise<BidSamples[]>;
  /** Deletes some samples of bids of days before `beforeDay`. Answers whether more may be left. */
  forgetBidSamples(beforeDay: number): Promise<boolean>;
  /** Forgets which values kept their name on days before `beforeDay`. Answers whether more may be left. */
  forgetNames(beforeDay: number): Promise<boolean>;
  /**
   * Counts of objects of a kind, which may be accounts, in order of ID and day. Days on which nothing was counted are
   * left out.
   */
  days(kind: string, ids: readonly number[], range: DayRange): Promise<DayCounts[]>;
  /** Counts of an object by subid, in order of day and subid. */
  subIds(supply: ObjectKey, range: DayRange): Promise<SubIdCounts[]>;
  /** Counts between a supply object and each demand object, by the hour, in order of time. */
  hours(supply: ObjectKey, range: DayRange): Promise<HourCounts[]>;
  /**
   * Counts of objects of a kind by the hour, of accounts of what they own now, in parts; an account may have several
   * parts of an hour. Hours in which nothing was counted are left out.
   */
  objectHours(kind: string, ids: readonly number[], range: DayRange): AsyncIterable<readonly ObjectHour[]>;
  /** Counts between an object of supply or demand and each of the other side that it met on a day (days since 1970). */
  pairs(object: ObjectKey, day: number): Promise<readonly CounterpartCounts[]>;
  /** Counts of all supply of a team in an hour (hours since 1970); undefined where nothing was counted. */
  teamHour(teamId: number, hour: number): Promise<CountsIn<'pair'> | undefined>;
  /**
   * IDs of at most `limit` objects of a kind in a team that have counted most on the first or the last day: by revenue,
   * then by requests.
   */
  busiest(kind: string, teamId: number, of: DayRange & { readonly limit: number }): Promise<number[]>;
  /** Every object that has counts of that day, page by page. */
  countedOn(day: number): AsyncIterable<readonly ObjectDayCounts[]>;
  /** What was promised in auctions of an hour (hours since 1970) or later, and has not come. */
  promisedSince(hour: number): Promise<OpenPromises[]>;
  /** What demand objects of these kinds have cost on all days. */
  totalCosts(kinds: readonly string[]): Promise<ObjectCost[]>;
  /** What was counted on that day at addresses, page by page. */
  addresses(day: number): AsyncIterable<readonly AddressCounts[]>;
  /** From when on each cube is whole, in steps of time since 1970, under `<cube> <grain>`. */
  cubeStarts(): Promise<ReadonlyMap<string, number>>;
  /**
   * Answers a question to a cube, in parts, in no order. It may read much: where the database is in this process, another
   * thread does.
   */
  ask(question: CubeQuestion): AsyncIterable<readonly CubeRow[]>;
  /** The engine of single events, where the installation has one. */
  readonly analytics?: Analytics;
  /** Whether anything was counted on that day or later. */
  isCountedSince(day: number): Promise<boolean>;
  /** Requests of lots that were written after a time, without those that are known already. */
  requestsAfter(timeMs: number, isKnown?: (id: string) => boolean): Promise<FlushedRequests[]>;
  /** The publisher or advertiser of that username, of whichever team. */
  account(kind: AccountKind, username: string): Promise<StatisticsAccount | undefined>;
}
