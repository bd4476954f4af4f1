import type { Amounts, OnceEvent, UnbilledCounter } from '../reference/counters.ts';
import type { AdFacts, Traffic } from '../reference/cubes.ts';
import type { Reason } from '../reference/reason-help.ts';
import type { Notice } from '../store/statistics/interface.ts';

export type { Notice };

/**
 * The objects that an event counts for; `demand` is undefined for what concerns the supply object alone. An event of
 * both counts for both, and must not be counted again for either. Counters of one object (`Counter.of`) are the
 * exception: without `demand` they count for the supply object alone, with it for the demand object alone.
 */
export interface Pair {
  readonly supply: { readonly kind: string; readonly id: number };
  readonly demand: { readonly kind: string; readonly id: number } | undefined;
  /** The request's subid; `""` if it has none. */
  readonly subId: string;
  /** What is known of the auction's traffic; absent where only what `Counter.in` says of pairs is counted. */
  readonly traffic?: Traffic;
  /** The ad, where the event is about one. */
  readonly ad?: AdFacts | undefined;
}

export type CountOf = readonly [counted: UnbilledCounter, by: number];

/** What is counted of one demand object, or without one of the supply object alone. */
export interface CountedPart extends Pick<Pair, 'demand' | 'ad'> {
  readonly counts: readonly CountOf[];
}

/** One billable event, with what the publisher is paid and the advertiser pays for it. */
export interface BillableEvent extends Amounts {
  readonly pair: Pair;
  readonly event: OnceEvent;
  readonly auctionId: string;
  /** When the auction was held: the event counts for its UTC day and hour, however late it comes. */
  readonly timeMs: number;
  /** After this time the auction's trackers count nothing, and the event need not be remembered. */
  readonly expiresMs: number;
  /** The address for which an impression counts, with the objects that limit impressions per address and day. */
  readonly atAddress?: AtAddress | undefined;
  /** Who has promised the ad, where processes share out limits; of `bills` alone. */
  readonly promisedBy?: PromisedBy | undefined;
  /** What the bidder is told once the event has counted. */
  readonly notices?: readonly Notice[] | undefined;
  /** Whether the auction is won by this event, too. */
  readonly isWin?: boolean | undefined;
}

/** The process that has promised an ad, with the objects whose limits it promised something of. */
export interface PromisedBy {
  /** Its number (`leases/authority.ts`). */
  readonly holder: number;
  readonly to: 'ad' | 'offer';
  readonly objects: readonly { readonly kind: string; readonly id: number }[];
}

/** An address with the objects that count its impressions, and promises of them, by the UTC day. */
export interface AtAddress {
  /** The address as text; for IPv6 the first address of its /64. */
  readonly address: string;
  /** When the auction was held, in milliseconds since 1970. */
  readonly timeMs: number;
  readonly objects: readonly { readonly kind: string; readonly id: number }[];
}

/** Refusals, with the price of the bids among them for one impression each. */
export interface RefusalCount {
  readonly count: number;
  readonly lostNanos: number;
}

/** Where the exchange's events go. */
export interface EventSink {
  /** Adds one, or `by`, which takes back if it is below 0; returns at once. */
  count(pair: Pair, counted: UnbilledCounter, timeMs: number, by?: number): void;
  /** Adds all that an auction counts, part by part; returns at once. */
  countAll(of: Omit<Pair, 'demand' | 'ad'>, parts: readonly CountedPart[], timeMs: number): void;
  /**
   * Adds refusals, by the name of their reason; returns at once. Without `demand` they ended auctions before demand was
   * looked at.
   */
  refuse(pair: Pick<Pair, 'supply' | 'demand'>, reason: Reason, timeMs: number, refused: RefusalCount): void;
  /**
   * Calls `tell` whenever what was counted is taken, so that it counts what it still holds: so many rows, or a few more.
   * It answers whether it holds more.
   */
  onTake(tell: (rowsMax: number) => boolean): void;
  /** Adds impressions promised to an address, or takes them back; returns at once. */
  countPromised(at: AtAddress, by: number): void;
  /** Resolves once the event is durable: true if it counted, false if the auction had it already or it has expired. */
  bill(event: BillableEvent): Promise<boolean>;
}
