import type { Nanos } from '../money.ts';
import type { IpAddress } from '../opportunity.ts';
import type { Refusal } from '../reasons.ts';
import type { ExchangeObject } from '../snapshot/exchange-object.ts';

/** What an impression is promised to: an ad that is handed out, or one that is offered in somebody else's auction. */
export type PromisedTo = 'ad' | 'offer';

/**
 * Minutes from an auction in which what was promised may come. Of offers few win and many callers do not tell of those
 * that lose; bids are kept for about so long.
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

/** Impressions that an object has promised in auctions of an hour before this process began, and that have not come. */
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

/** Counters of all objects, shared by all threads of the process (delivery, "Limits"). Times are ms since 1970; rates go by a clock of their own. */
export interface Limits {
  /** Takes one request of `MaxQps` and `RequestsDailyLimit`; on a refusal nothing is taken. */
  takeRequest(object: Limited, timeMs: number): Refusal | undefined;
  /** What `takeRequest` would refuse now; takes nothing. */
  mayRequest(object: Limited, timeMs: number): Refusal | undefined;
  /** Takes one bid of `BidsDailyLimit`. */
  takeBid(object: Limited, timeMs: number): Refusal | undefined;
  /** Takes a bid back that was taken at that time: nothing was answered with it. */
  giveBackBid(object: Limited, timeMs: number): void;
  /** What `takeBid` would refuse now; takes nothing. */
  mayBid(object: Limited, timeMs: number): Refusal | undefined;
  /** Whether another impression and its price may be promised: daily impressions, amounts, impressions for the IP. */
  mayPromise(object: Limited, ip: IpAddress | undefined, timeMs: number): Refusal | undefined;
  /**
   * Promises one impression to an auction's winner, so that those in flight together never exceed the daily limit.
   * A promise that is not kept ends by itself, an hour later or a few minutes (`minutesFor`).
   */
  promise(object: Limited, ip: IpAddress | undefined, timeMs: number, to: PromisedTo): Refusal | undefined;
  /** Takes a promise back at once: the impression will not be shown. */
  withdraw(object: Pick<Limited, 'kind' | 'id'>, promisedMs: number, to: PromisedTo): void;
  /** Books the impression of an auction that was promised at `promisedMs`, on the UTC day of the promise. */
  keepPromise(object: Limited, ip: IpAddress | undefined, promisedMs: number, to: PromisedTo): void;
  /** Books an amount at the billable event: `Spent` of supply, `Revenue` of demand. */
  bookAmount(object: Limited, nanos: Nanos, timeMs: number): void;
  /**
   * Lets counters of the UTC day of `timeMs` be at least what all processes have counted, as far as is known: what was
   * counted before this one began, and beside it. To be called by one thread.
   */
  raise(counted: Iterable<CountedOfDay>, timeMs: number): void;
  /** The same of what was booked on all days; after `raise`. */
  raiseTotals(booked: Iterable<BookedInAll>): void;
  /** Adds promises that were made before this process began: each ends with the last of its hour. */
  restorePromises(made: Iterable<RestoredPromises>): void;
  /** Adds impressions by address that were counted on that day before this process began. */
  restoreAddresses(counted: Iterable<RestoredAddress>, timeMs: number): void;
}
