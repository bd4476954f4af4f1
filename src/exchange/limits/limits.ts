import type { Nanos } from '../money.ts';
import type { Refusal } from '../reasons.ts';
import type { Limited } from '../snapshot/limited.ts';
import type { CountedKey } from '../viewer-hash.ts';
import type { Promised, PromisedIn, PromisedTo, Shown } from './promised.ts';

/** What is to be known of an auction that asks. */
export type AskedIn = Pick<PromisedIn, 'timeMs' | 'ip' | 'viewer'>;

interface OfObject {
  readonly kind: string;
  readonly id: number;
}

type OfDays = OfObject & Pick<Limited, 'days'>;

/** What all processes together have counted of an object in a day. */
export interface CountedOfDay extends OfDays {
  readonly requests: number;
  readonly bids: number;
  readonly impressions: number;
  readonly amountNanos: Nanos;
}

/** What all processes together have booked of an object on all days. */
export interface BookedInAll extends OfObject {
  readonly impressions: number;
  readonly totalNanos: Nanos;
}

/** What an object has promised in auctions of one hour, before this process began, and what has not come yet. */
export interface RestoredPromises extends OfDays {
  /** Hours since 1970. */
  readonly hour: number;
  readonly to: PromisedTo;
  readonly promised: number;
  readonly promisedNanos: Nanos;
}

/** What all processes together have shown of an object: at an address on a day, or to a viewer in an hour. */
export interface ShownToViewer extends OfObject {
  readonly viewer: CountedKey;
  /** A time of the day, or of the hour: the latest at which it was shown. */
  readonly timeMs: number;
  /** How many minutes from then on it may count; 0 for addresses. */
  readonly kept: number;
  readonly impressions: number;
}

/** Impressions of auctions of one hour, of before this process began. */
export interface RestoredViewer extends ShownToViewer {
  /** Hours since 1970. */
  readonly hour: number;
  /** How many more were promised and have not come yet. */
  readonly promised: number;
}

/** Looks at limits, and takes nothing of them. */
export interface LimitLooks {
  /** What `takeRequest` would refuse now. */
  mayRequest(object: Limited, timeMs: number): Refusal | undefined;
  /** What `takeBid` would refuse now. */
  mayBid(object: Limited, timeMs: number): Refusal | undefined;
  /** What `reserve` would refuse now, of an ad that costs at least `nanos`. */
  mayReserve(object: Limited, auction: AskedIn, nanos: Nanos): Refusal | undefined;
}

/** Looks of who only wants to know: what others could give is not asked for, and not lacking either. */
export interface LimitInquiry extends LimitLooks {
  /**
   * Resolves once it is known what all have used of the objects that were looked at, after a second at most; whether that
   * is news, so that it is worth another look.
   */
  untilTold(): Promise<boolean>;
}

/**
 * What auctions, and what comes of their ads, take of limits. Who looks will take, where he may: what is lacking is
 * asked for.
 */
export interface AuctionLimits extends LimitLooks {
  readonly looks: LimitInquiry;
  /** Takes one request of `MaxQps` and `RequestsDailyLimit`; on a refusal nothing is taken. */
  takeRequest(object: Limited, timeMs: number): Refusal | undefined;
  /** Takes one bid of `BidsDailyLimit`. */
  takeBid(object: Limited, timeMs: number): Refusal | undefined;
  /** Gives back a bid that was taken at `timeMs`, because no answer was sent with it. */
  giveBackBid(object: Limited, timeMs: number): void;
  /** Reserves an ad that costs `nanos`; undefined where none of the object's limits needs that. */
  reserve(object: Limited, auction: PromisedIn, nanos: Nanos): Promised | Refusal | undefined;
  /** The same reservation with another amount; on a refusal it stays as it is. */
  reprice(object: Limited, promised: Promised, auction: PromisedIn, nanos: Nanos): Promised | Refusal;
  /**
   * Asks for what these have reserved at the address or for the viewer at the other servers of the region, too, and
   * answers who must release it; undefined: nobody need be asked. May be repeated.
   */
  askRegion(
    objects: readonly Limited[],
    auction: PromisedIn,
  ): Promise<ReadonlyMap<Limited, Refusal>> | undefined;
  /** Gives an object's reservation back at once: the ad will not be shown. Without the object it is one of a UTC day. */
  release(promised: Promised, auction: PromisedIn, object?: Pick<Limited, 'days'>): void;
  /**
   * Counts an ad as shown, on the day of its auction, with what it costs (`Spent` of supply, `Revenue` of demand), and
   * ends the reservation, if there was one.
   */
  commit(object: Limited, promised: Promised | undefined, shown: Shown): void;
}

/**
 * Limits of all objects, as the threads of a process share them (reference, "Limits"). Times are ms since 1970; rates go by
 * a clock of their own.
 *
 * An object with a limit of impressions, of money or of the impressions of a viewer reserves what an ad may use of
 * it, so that what is used and reserved together never exceeds a limit. What becomes of a reservation that is neither
 * committed nor released, the authority says: alone, the process itself, some time after (`minutesFor`).
 */
export interface Limits extends AuctionLimits {
  /**
   * Raises what was used on the day of `timeMs` to what was counted that day before this process began. Only a process
   * that is alone needs to be told, and only once nothing else is told of that day.
   */
  raise(counted: Iterable<CountedOfDay>, timeMs: number): void;
  /** Raises the totals of all days in the same way. */
  raiseTotals(booked: Iterable<BookedInAll>): void;
  /**
   * Adds promises that were made before this process began, after all else. Only the hour of each is known, so it ends
   * when the last promise of that hour does.
   */
  restorePromises(made: Iterable<RestoredPromises>): void;
  /** Raises what was shown to viewers to what all processes have counted. */
  raiseViewers(shown: Iterable<ShownToViewer>): void;
  /** Adds impressions by viewer, and those that were promised, of before this process began. */
  restoreViewers(made: Iterable<RestoredViewer>): void;
}
