/** An object: the key of its entity, and its ID. */
export interface ObjectKey {
  readonly kind: string;
  readonly id: number;
}

/** What is counted. */
export interface Counts {
  readonly requests: number;
  readonly bids: number;
  readonly wins: number;
  readonly bills: number;
  readonly impressions: number;
  readonly clicks: number;
  readonly invalid: number;
  /** What `BidsDailyLimit` has counted: the bids of a demand object, or the ads that a supply object answered with. */
  readonly taken: number;
  /**
   * Impressions promised in auctions of that time that have neither come nor been given back. Supply and demand objects
   * each count their own promises. A promise that expires stays in this count.
   */
  readonly promised: number;
  /** What was promised with these impressions, in nano-USD: payouts of supply objects, prices of demand objects. */
  readonly promisedNanos: number;
  /** Paid to publishers, in nano-USD. */
  readonly spentNanos: number;
  /** Earned from advertisers, in nano-USD. */
  readonly revenueNanos: number;
}

/** Counts of nothing. */
export const noCounts: Counts = {
  requests: 0,
  bids: 0,
  wins: 0,
  bills: 0,
  impressions: 0,
  clicks: 0,
  invalid: 0,
  taken: 0,
  promised: 0,
  promisedNanos: 0,
  spentNanos: 0,
  revenueNanos: 0,
};

/**
 * What was counted between a supply and a demand object in an hour (hours since 1970). What concerns supply alone has
 * no demand. Everything counts for both objects and their accounts, except what belongs to the demand object alone: the
 * requests to it, the bids that its limit has taken, and its promises.
 */
export interface PairCounts {
  readonly hour: number;
  readonly supply: ObjectKey;
  readonly demand: ObjectKey | undefined;
  readonly counts: Counts;
}

/** What was counted of one subid of a supply object in a day (days since 1970). */
export interface SubIdCounts {
  readonly day: number;
  readonly supply: ObjectKey;
  readonly subId: string;
  readonly counts: Counts;
}

/** A lot of counts: all of it is added, or nothing, and only once under its ID. */
export interface Counting {
  readonly id: string;
  /** When it is written, by the writer's clock. */
  readonly timeMs: number;
  readonly pairs: readonly PairCounts[];
  readonly subIds: readonly SubIdCounts[];
  readonly addresses: readonly AddressCounts[];
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
}

/** Counts of an object in a day. */
export interface DayCounts {
  readonly id: number;
  readonly day: number;
  readonly counts: Counts;
}

/** Which days of which objects; the last one is included. */
export interface DayRange {
  readonly fromDay: number;
  readonly toDay: number;
}

/** Requests of a lot of counts, by `<kind>:<id>`. */
export interface CountedRequests {
  readonly id: string;
  readonly timeMs: number;
  readonly requests: Readonly<Record<string, number>>;
}

/** An object with what it has counted in a day. */
export interface CountedObject extends ObjectKey {
  readonly counts: Counts;
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

/** Who logs in to the statistics by a username. */
export interface StatisticsAccount {
  readonly id: number;
  readonly teamId: number;
  readonly statsAuth: string;
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
export interface StatisticsStore {
  /**
   * Adds a lot of counts, durably. After a failure that left open whether a lot was added, it is safe to add it again.
   */
  add(counting: Counting): Promise<void>;
  /**
   * Counts events, durably, each only once for its auction, however many lots contain it. Answers for each event
   * whether this lot has counted it, also when the lot is sent again after a failure. No two events of a lot may claim
   * the same name for the same auction.
   */
  bill(batch: string, events: readonly EventCounts[]): Promise<boolean[]>;
  /**
   * Deletes events that expired before `expiresMs`, records of lots written before `flushedMs`, addresses of days before
   * that of `flushedMs`, and of hours before that those of no impression.
   */
  forget(before: { readonly expiresMs: number; readonly flushedMs: number }): Promise<void>;
  /** Deletes a few hourly counts of days before `beforeDay`. Answers whether more may be left. */
  forgetHours(beforeDay: number): Promise<boolean>;
  /**
   * Counts of objects of a kind, which may be accounts, in order of ID and day. Days on which nothing was counted are
   * left out.
   */
  days(kind: string, ids: readonly number[], range: DayRange): Promise<DayCounts[]>;
  /** Counts of an object by subid, in order of day and subid. */
  subIds(supply: ObjectKey, range: DayRange): Promise<SubIdCounts[]>;
  /** Counts between a supply object and each demand object, by the hour, in order of time. */
  hours(supply: ObjectKey, range: DayRange): Promise<PairCounts[]>;
  /** Every object that has counts of that day, page by page. */
  countedOn(day: number): AsyncIterable<readonly CountedObject[]>;
  /** What was promised in auctions of an hour (hours since 1970) or later, and has not come. */
  promisedSince(hour: number): Promise<OpenPromises[]>;
  /** What campaigns have spent on all days, in nano-USD by ID. */
  spentByCampaigns(): Promise<ReadonlyMap<number, number>>;
  /** What was counted on that day at addresses, page by page. */
  addresses(day: number): AsyncIterable<readonly AddressCounts[]>;
  /** Whether anything was counted on that day or later. */
  isCountedSince(day: number): Promise<boolean>;
  /** Requests of lots that were written after a time, without those that are known already. */
  requestsAfter(timeMs: number, isKnown?: (id: string) => boolean): Promise<CountedRequests[]>;
  /** The publisher or advertiser of that username, of whichever team. */
  account(kind: 'Publisher' | 'Advertiser', username: string): Promise<StatisticsAccount | undefined>;
}
