import type { Amounts, OnceEvent, UnbilledCounter } from '../reference/counters.ts';
import type { AdFacts, Traffic } from '../reference/cubes.ts';
import type { Reason } from '../reference/reason-help.ts';
import type { Notice } from '../store/statistics/interface.ts';

export type { Notice };

/**
 * The objects that an event counts for, once for both; without `demand` for supply alone. Counters of one object
 * (`Counter.of`) count for supply without `demand`, else for demand alone.
 */
export interface Pair {
  readonly supply: { readonly kind: string; readonly id: number };
  readonly demand: { readonly kind: string; readonly id: number } | undefined;
  readonly subId: string;
  /** Absent if only what `Counter.in` says of pairs is counted. */
  readonly traffic?: Traffic;
  /** If the event is about one. */
  readonly ad?: AdFacts | undefined;
  /** Under which it was sold. */
  readonly deal?: { readonly kind: string; readonly id: number } | undefined;
  /** Absent = none. */
  readonly floors?: readonly FloorUse[] | undefined;
}

/** A floor rule that an auction met: its floor held, or the request was in its control group. */
export interface FloorUse {
  readonly ruleId: number;
  readonly isControl: boolean;
}

export type CountOf<Name = UnbilledCounter> = readonly [counted: Name, by: number];

/** Of one demand object, or without one of the supply object alone. */
export interface CountedPart<Name = UnbilledCounter> extends Pick<Pair, 'demand' | 'ad'> {
  readonly counts: readonly CountOf<Name>[];
}

/** Of an object whose prices are not in USD, at its auction. */
export interface LocalRate {
  readonly side: 'supply' | 'demand';
  readonly currency: string;
  readonly usdPerUnit: number;
}

/** With what the publisher is paid and the advertiser pays. */
export interface BillableEvent extends Amounts {
  readonly pair: Pair;
  readonly event: OnceEvent;
  readonly auctionId: string;
  /** When the auction was held: the event counts for its UTC day and hour, however late it comes. */
  readonly timeMs: number;
  /** Afterwards the auction's trackers count nothing, and the event may be forgotten. */
  readonly expiresMs: number;
  /** For impressions, with the objects that limit them per address and day. */
  readonly atAddress?: AtAddress | undefined;
  /** The same with the objects that limit frequency, each by the viewer's hash. */
  readonly atViewers?: readonly AtAddress[] | undefined;
  /** If processes share out limits; of `bills` only. */
  readonly promisedBy?: PromisedBy | undefined;
  /** Of `bills` only. */
  readonly localRates?: readonly LocalRate[] | undefined;
  /** Sent once the event has counted. */
  readonly notices?: readonly Notice[] | undefined;
  /** Whether this event also wins the auction. */
  readonly isWin?: boolean | undefined;
  /** Of `bills`: whether this is the impression, too, so that nothing else can be. */
  readonly isImpression?: boolean | undefined;
}

/** The process, and the objects whose limits it promised from. */
export interface PromisedBy {
  /** `leases/authority.ts`. */
  readonly holder: number;
  readonly to: 'ad' | 'offer';
  readonly objects: readonly { readonly kind: string; readonly id: number }[];
}

/** With the objects that count its impressions and promises by UTC day, or by the time in which they are shown. */
export interface AtAddress {
  /** For IPv6 the first address of its /64; or a viewer's hash. */
  readonly address: string;
  /** When the auction was held, or to a viewer the ad was shown, in milliseconds since 1970. */
  readonly timeMs: number;
  /** Of what was shown to a viewer: until when it may count. */
  readonly untilMs?: number | undefined;
  readonly objects: readonly { readonly kind: string; readonly id: number }[];
}

export interface RefusalCount {
  readonly count: number;
  /** The bids' prices per impression. */
  readonly lostNanos: number;
  /** How much invalid traffic it is, refused or not; absent = 0. */
  readonly invalid?: number;
  /** Whose bid it was; absent = none's. */
  readonly deal?: string;
}

export interface EventSink {
  /** `by` is 1 by default; below 0 it takes back. Returns at once. */
  count(pair: Pair, counted: UnbilledCounter, timeMs: number, by?: number): void;
  /** All of an auction, part by part; returns at once. */
  countAll(of: Omit<Pair, 'demand' | 'ad'>, parts: readonly CountedPart[], timeMs: number): void;
  /** What is counted by deal only, such as calls with several deals; returns at once. */
  countDeal(
    of: Pick<Pair, 'supply' | 'demand'>,
    deal: string,
    counts: readonly CountOf[],
    timeMs: number,
  ): void;
  /** What is counted by floor rule; returns at once. */
  countFloor(supply: Pair['supply'], use: FloorUse, counts: readonly CountOf[], timeMs: number): void;
  /** Of a deal; returns at once. */
  countUse(of: Required<Pick<Pair, 'supply' | 'deal'>>, counted: UnbilledCounter, timeMs: number): void;
  /** Returns at once. Also counts what is invalid. Without `demand` the auction ended before demand was looked at. */
  refuse(pair: Pick<Pair, 'supply' | 'demand'>, reason: Reason, timeMs: number, refused: RefusalCount): void;
  /**
   * Before counts are taken, `tell` counts about `rowsMax` of the rows that it holds; it returns whether it has more.
   */
  onTake(tell: (rowsMax: number) => boolean): void;
  /** Negative takes back; returns at once. */
  countPromised(at: AtAddress, by: number): void;
  /** Resolves once durable (of players' reports: once counted in memory): true if it counted, false if the auction had it already or it has expired. */
  bill(event: BillableEvent): Promise<boolean>;
}
