/**
 * The objects that an event counts for; `demand` is undefined for what concerns the supply object alone. An event of
 * both counts for both, and must not be counted again for either. Requests, taken bids and promises are the exception: without `demand` they count for the supply object alone, with it for the demand object alone.
 */
export interface Pair {
  readonly supply: { readonly kind: string; readonly id: number };
  readonly demand: { readonly kind: string; readonly id: number } | undefined;
  /** The request's subid; `""` if it has none. */
  readonly subId: string;
}

/**
 * Counts that cost no money: they reach the database within a second or two. `taken` counts bids against
 * `BidsDailyLimit`, `promised` counts impressions that may still come, `promisedNanos` what they cost; no report shows
 * these three.
 */
export type Counted = 'requests' | 'bids' | 'wins' | 'invalid' | 'taken' | 'promised' | 'promisedNanos';

/** Counts that supply and demand each have of their own (see `Pair`). */
export const ofEitherSide: ReadonlySet<Counted> = new Set(['requests', 'taken', 'promised', 'promisedNanos']);

/**
 * Events that cost or prove something: they are durable before they are acknowledged, and count once for an auction.
 * `wins` are those of offers alone, which are won in somebody else's auction.
 */
export type Billable = 'bills' | 'impressions' | 'clicks' | 'wins';

/**
 * Events that no report shows. They are stored only so that each happens once for an auction, and `losses` never in
 * an auction with `bills`. The invalid ones are impressions and clicks that a match flag has refused.
 */
export type Claimed = 'losses' | 'invalid_impressions' | 'invalid_clicks';

/** One billable event. */
export interface BillableEvent {
  readonly pair: Pair;
  readonly event: Billable | Claimed;
  readonly auctionId: string;
  /** When the auction was held: the event counts for its UTC day and hour, however late it comes. */
  readonly timeMs: number;
  /** After this time the auction's trackers count nothing, and the event need not be remembered. */
  readonly expiresMs: number;
  /** Paid to the publisher by this event, in nano-USD. */
  readonly spentNanos: number;
  /** Earned from the advertiser by this event, in nano-USD. */
  readonly revenueNanos: number;
  /** The address for which an impression counts, with the objects that limit impressions per address and day. */
  readonly atAddress?: AtAddress | undefined;
}

/** An address with the objects that count its impressions, and promises of them, by the UTC day. */
export interface AtAddress {
  /** The address as text; for IPv6 the first address of its /64. */
  readonly address: string;
  /** When the auction was held, in milliseconds since 1970. */
  readonly timeMs: number;
  readonly objects: readonly { readonly kind: string; readonly id: number }[];
}

/** Where the exchange's events go. */
export interface EventSink {
  /** Adds one, or `by`, which takes back if it is below 0; returns at once. */
  count(pair: Pair, counted: Counted, timeMs: number, by?: number): void;
  /** Adds impressions promised to an address, or takes them back; returns at once. */
  countPromised(at: AtAddress, by: number): void;
  /** Resolves once the event is durable: true if it counted, false if the auction had it already or it has expired. */
  bill(event: BillableEvent): Promise<boolean>;
}
