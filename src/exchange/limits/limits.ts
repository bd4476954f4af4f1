import type { Nanos } from '../money.ts';
import type { IpAddress } from '../opportunity.ts';
import type { Refusal } from '../reasons.ts';
import type { Limited, Promised, PromisedIn, PromisedTo, Shown } from './promised.ts';

/** What all processes together have counted of an object in a day. */
export interface CountedOfDay {
  readonly kind: string;
  readonly id: number;
  readonly requests: number;
  readonly bids: number;
  readonly impressions: number;
  readonly amountNanos: Nanos;
}

/** What all processes together have booked of an object on all days. */
export interface BookedInAll {
  readonly kind: string;
  readonly id: number;
  readonly totalNanos: Nanos;
}

/** What all processes together have counted of an object and promised, as far as this one knows. */
export interface CountedInAll {
  readonly requests: number;
  readonly bids: number;
  readonly impressions: number;
  /** Of the day, and of all days. */
  readonly amount: Nanos;
  readonly total: Nanos;
}

/** What an object has promised in auctions of one hour, before this process began, and what has not come yet. */
export interface RestoredPromises {
  readonly kind: string;
  readonly id: number;
  /** Hours since 1970. */
  readonly hour: number;
  readonly to: PromisedTo;
  readonly promised: number;
  readonly promisedNanos: Nanos;
}

/** What all processes together have shown at an address of an object on a day. */
export interface ShownAtAddress {
  readonly kind: string;
  readonly id: number;
  readonly ip: IpAddress;
  /** Hours since 1970: one of the day. */
  readonly hour: number;
  readonly impressions: number;
}

/** Impressions at an address of auctions of one hour, of before this process began. */
export interface RestoredAddress {
  readonly kind: string;
  readonly id: number;
  readonly ip: IpAddress;
  /** Hours since 1970. */
  readonly hour: number;
  readonly impressions: number;
  /** How many more were promised and have not come yet. */
  readonly promised: number;
}

/** Looks at limits, and takes nothing of them. */
export interface LimitLooks {
  /** What `takeRequest` would refuse now. */
  mayRequest(object: Limited, timeMs: number): Refusal | undefined;
  /** What `takeBid` would refuse now. */
  mayBid(object: Limited, timeMs: number): Refusal | undefined;
  /** What `promise` would refuse now, of an ad that costs at least `nanos`. */
  mayPromise(object: Limited, auction: Pick<PromisedIn, 'timeMs' | 'ip'>, nanos: Nanos): Refusal | undefined;
}

/**
 * What auctions, and what comes of their ads, take of limits. Who looks will take, where he may: what is lacking of
 * shares is asked for.
 */
export interface AuctionLimits extends LimitLooks {
  /** Looks of who only wants to know: nothing is asked for. */
  readonly looks: LimitLooks;
  /** Takes one request of `MaxQps` and `RequestsDailyLimit`; on a refusal nothing is taken. */
  takeRequest(object: Limited, timeMs: number): Refusal | undefined;
  /** Takes one bid of `BidsDailyLimit`. */
  takeBid(object: Limited, timeMs: number): Refusal | undefined;
  /** Gives back a bid that was taken at `timeMs`, because no answer was sent with it. */
  giveBackBid(object: Limited, timeMs: number): void;
  /** Promises an ad that costs `nanos`; undefined where none of the object's limits promises anything. */
  promise(object: Limited, auction: PromisedIn, nanos: Nanos): Promised | Refusal | undefined;
  /** The same promise with another amount; on a refusal the promise stays as it is. */
  promiseAmount(object: Limited, promised: Promised, auction: PromisedIn, nanos: Nanos): Promised | Refusal;
  /**
   * Asks for what these have promised at the address at the other servers of the region, too, and answers who must take
   * it back; undefined: nobody need be asked. May be repeated.
   */
  askRegion(
    objects: readonly Limited[],
    auction: PromisedIn,
  ): Promise<ReadonlyMap<Limited, Refusal>> | undefined;
  /** Takes a promise back at once: the ad will not be shown. */
  withdraw(promised: Promised, auction: PromisedIn): void;
  /**
   * Counts an ad as shown, on the UTC day of its auction, books what it costs (`Spent` of supply, `Revenue` of demand),
   * and ends the promise, if there was one.
   */
  book(object: Limited, promised: Promised | undefined, shown: Shown): void;
}

/**
 * Counters of all objects, shared by all threads of the process (reference, "Limits"). Times are ms since 1970; rates
 * go by a clock of their own.
 *
 * An object with a limit of impressions, of money or of the impressions of an address promises what an ad may use of
 * it, so that what is counted and promised together never exceeds a limit. A promise that is not kept ends by itself,
 * an hour later for an ad and a few minutes later for an offer (`minutesFor`, `minutesAtAddress`).
 */
export interface Limits extends AuctionLimits {
  /**
   * Raises the counters of the UTC day of `timeMs` to what all processes have counted that day, as far as is known:
   * before this process began, and beside it. Only one thread may call this.
   */
  raise(counted: Iterable<CountedOfDay>, timeMs: number): void;
  /** Raises the totals of all days in the same way; to be called after `raise`. */
  raiseTotals(booked: Iterable<BookedInAll>): void;
  /**
   * Adds promises that were made before this process began. Only the hour of each is known, so it ends when the last
   * promise of that hour does.
   */
  restorePromises(made: Iterable<RestoredPromises>): void;
  /**
   * Counts what other processes have promised in the hours of these, and not ended, with what this one has promised;
   * each as the difference to what it was at the last call. To be called by one thread, also where nothing differs: from
   * the first call on, a promise that is ended here and not known yet is expected to come.
   */
  followPromises(made: Iterable<RestoredPromises>, timeMs: number): void;
  /** What is counted and promised of the UTC day of `timeMs`, and in all. */
  counted(object: Pick<Limited, 'kind' | 'id'>, timeMs: number): CountedInAll;
  /** Raises what was shown at addresses to what all processes have counted. */
  raiseAddresses(shown: Iterable<ShownAtAddress>): void;
  /** Adds impressions by address, and those that were promised, of before this process began. */
  restoreAddresses(made: Iterable<RestoredAddress>): void;
}
