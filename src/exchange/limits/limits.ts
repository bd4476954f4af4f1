import type { Nanos } from '../money.ts';
import type { IpAddress } from '../opportunity.ts';
import type { Refusal } from '../reasons.ts';
import type { ExchangeObject } from '../snapshot/exchange-object.ts';

/** What an impression is promised to: an ad that is handed out, or one that is offered in somebody else's auction. */
export type PromisedTo = 'ad' | 'offer';

/**
 * How many minutes after its auction a promised impression may still come. Offers get less time: few of them win, many
 * callers send no notice when one loses, and bids are kept for about five minutes.
 */
export const minutesFor: Readonly<Record<PromisedTo, number>> = { ad: 60, offer: 5 };

/** A supply or demand object as limits see it. */
export type Limited = Pick<ExchangeObject, 'id' | 'limits'> & { readonly kind: string };

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

/**
 * Impressions that an object has promised in auctions of one hour, before this process began, and that have not come
 * yet.
 */
export interface RestoredPromises {
  readonly kind: string;
  readonly id: number;
  /** Hours since 1970. */
  readonly hour: number;
  readonly to: PromisedTo;
  readonly promised: number;
}

/** Impressions at an address that were counted of an object before this process began. */
export interface RestoredAddress {
  readonly kind: string;
  readonly id: number;
  readonly ip: IpAddress;
  readonly impressions: number;
}

/**
 * Counters of all objects, shared by all threads of the process (delivery, "Limits"). Times are ms since 1970; rates go
 * by a clock of their own.
 */
export interface Limits {
  /** Takes one request of `MaxQps` and `RequestsDailyLimit`; on a refusal nothing is taken. */
  takeRequest(object: Limited, timeMs: number): Refusal | undefined;
  /** What `takeRequest` would refuse now; takes nothing. */
  mayRequest(object: Limited, timeMs: number): Refusal | undefined;
  /** Takes one bid of `BidsDailyLimit`. */
  takeBid(object: Limited, timeMs: number): Refusal | undefined;
  /** Gives back a bid that was taken at `timeMs`, because no answer was sent with it. */
  giveBackBid(object: Limited, timeMs: number): void;
  /** What `takeBid` would refuse now; takes nothing. */
  mayBid(object: Limited, timeMs: number): Refusal | undefined;
  /**
   * Why another impression cannot be promised now, by the daily impressions, the amounts or the impressions for the IP
   * address; undefined where it can.
   */
  mayPromise(object: Limited, ip: IpAddress | undefined, timeMs: number): Refusal | undefined;
  /**
   * Promises one impression to an auction, so that impressions shown and promised together never exceed the daily
   * limit. A promise that is not kept ends by itself, an hour later for an ad and a few minutes later for an offer
   * (`minutesFor`).
   */
  promise(object: Limited, ip: IpAddress | undefined, timeMs: number, to: PromisedTo): Refusal | undefined;
  /** Takes a promise back at once: the impression will not be shown. */
  withdraw(object: Pick<Limited, 'kind' | 'id'>, promisedMs: number, to: PromisedTo): void;
  /**
   * Counts a promised impression as shown, on the UTC day of `promisedMs`, when it was promised, and ends the promise.
   */
  keepPromise(object: Limited, ip: IpAddress | undefined, promisedMs: number, to: PromisedTo): void;
  /** Books an amount at the billable event: `Spent` of supply, `Revenue` of demand. */
  bookAmount(object: Limited, nanos: Nanos, timeMs: number): void;
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
  /** Adds the impressions by address that were counted on the UTC day of `timeMs` before this process began. */
  restoreAddresses(counted: Iterable<RestoredAddress>, timeMs: number): void;
}
