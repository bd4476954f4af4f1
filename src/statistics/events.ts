/**
 * What is counted between a supply and a demand object; `demand` is undefined for what concerns supply alone. What
 * names both counts for both, and need not be counted again for either; except requests, bids that were taken and
 * impressions that are promised, which are the supply object's own without demand, and the demand object's with it.
 */
export interface Pair {
  readonly supply: { readonly kind: string; readonly id: number };
  readonly demand: { readonly kind: string; readonly id: number } | undefined;
  /** Of the request; `""` where there is none. */
  readonly subId: string;
}

/**
 * Counts that cost no money: they reach the database within a second or two. `taken` are the bids that
 * `BidsDailyLimit` has taken, `promised` the impressions that may still come; no report shows them.
 */
export type Counted = 'requests' | 'bids' | 'wins' | 'invalid' | 'taken' | 'promised';

/** Of these a supply object has its own. */
export const ofEitherSide: ReadonlySet<Counted> = new Set(['requests', 'taken', 'promised']);

/**
 * Events that cost or prove something: durable before they are acknowledged, each once for an auction. `wins` are those
 * of offers, which are won in somebody else's auction.
 */
export type Billable = 'bills' | 'impressions' | 'clicks' | 'wins';

/**
 * Events that are in no report; that they come once for an auction is all that is asked of them, and of `losses` that
 * they do not come beside `bills`. The invalid ones are impressions and clicks that a match flag has refused.
 */
export type Claimed = 'losses' | 'invalid_impressions' | 'invalid_clicks';

/** One billable event. */
export interface BillableEvent {
  readonly pair: Pair;
  readonly event: Billable | Claimed;
  readonly auctionId: string;
  readonly timeMs: number;
  /** After that time the auction's trackers count no more, and the event need not be remembered. */
  readonly expiresMs: number;
  /** Paid to the publisher by this event, in nano-USD. */
  readonly spentNanos: number;
  /** Earned from the advertiser by this event, in nano-USD. */
  readonly revenueNanos: number;
  /** The address that an impression counts for, on its day, with the objects that limit those of an address. */
  readonly atAddress?: AtAddress | undefined;
}

/** An address with the objects that count its impressions of a day. */
export interface AtAddress {
  /** Text of the address; that of the first of its /64 where it is IPv6. */
  readonly address: string;
  /** Milliseconds since 1970; the impression counts for the day of it. */
  readonly timeMs: number;
  readonly objects: readonly { readonly kind: string; readonly id: number }[];
}

/** Where the exchange's events go. */
export interface EventSink {
  /** Adds one, or takes one back where `by` is -1; returns at once. */
  count(pair: Pair, counted: Counted, timeMs: number, by?: 1 | -1): void;
  /** Resolves once the event is durable: true where it counted, false where the auction had it already. */
  bill(event: BillableEvent): Promise<boolean>;
}
