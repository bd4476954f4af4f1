import type { DemandKindName } from '../../entities/kinds.ts';
import type { ReadBidObject } from '../../protocols/openrtb/objects/bid.ts';
import type { VastDocument, VastFault } from '../../protocols/vast/vast-document.ts';
import type { CpmMicros } from '../money.ts';
import type { Media, Opportunity } from '../opportunity.ts';
import type { Refusal } from '../reasons.ts';
import type { Demand, DemandOf } from '../snapshot/demand.ts';
import type { Supply } from '../snapshot/supply.ts';

export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Further headers, which only the URL's own origin is sent: a redirect to another loses them. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** An answer that came in time and within the bound on its size; its body is decompressed. */
export interface OutboundAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a kind of demand may use beside the demand object. All demand of an auction gets the same solicitation. */
export interface Solicitation {
  readonly opportunity: Opportunity;
  readonly supply: Supply;
  /** Name of the region this process serves, as `us-east`: which of an object's regional URLs to call. */
  readonly region: string;
  /** Base URL of this exchange's region: where our own trackers and nodes live. */
  readonly baseUrl: string;
  /** Milliseconds that the call may really take: what is left of the opportunity's tmax. */
  readonly timeLeftMs: number;
  /**
   * Where a kind of demand keeps what is the same for all its demand in the auction, under a name of its own. It is not
   * in a `WeakMap`, because entries that live only for an auction keep the garbage collector busy.
   */
  kept?: Map<string, unknown>;
}

/** URLs that the demand partner wants called, macros not yet filled (OpenRTB 2.6 §4.2.3, `nurl`, `burl`, `lurl`). */
export interface Notices {
  readonly win: string;
  readonly billing: string;
  readonly loss: string;
}

/** A bid that came in an answer but takes no part in the auction. Its bidder is told why. */
export interface LostBid extends Pick<Bid, 'impId' | 'bidId' | 'adId' | 'seat'> {
  readonly lossUrl: string;
  readonly refusal: Refusal;
  /** Absent where it cannot be read. */
  readonly priceCpmMicros?: CpmMicros;
  /** The currency that its response names, if it is not USD. */
  readonly currency?: string;
}

/** Why an answer has no bid that takes part in the auction. */
export interface NoBid extends Refusal {
  readonly lost?: readonly LostBid[];
  readonly tolerated?: Refusal | undefined;
}

/** A bid of any kind of demand. An unknown value is `""`, 0 or empty. */
export interface Bid {
  /** ID that the bidder gave it, or the auction's. */
  readonly id: string;
  readonly demand: Demand;
  readonly priceCpmMicros: CpmMicros;
  /** The opportunity's, where the bidder has heard of it; absent = 1. */
  readonly multiplier?: number;
  readonly media: Media;
  /** The bid is ranked as others are, but its price is paid unchanged, all of it to the publisher (`FixedSpendCpc`). */
  readonly isFixedPrice?: boolean;
  /** Texts of a pop, for feeds that show them. */
  readonly title?: string;
  readonly description?: string;
  /**
   * The ad: for video a whole VAST document, for banners HTML, for pops the URL. Undefined if the ad comes only as the
   * answer to the win notice.
   */
  readonly markup: string | undefined;
  /** `markup` as VAST, if the kind of demand has read it already; otherwise `vastOf` reads it. */
  readonly vast?: VastDocument;
  /** What `vastOf` has read. It keeps it here. */
  read?: VastDocument | VastFault | undefined;
  /** The document in the version in which it is served. `vastForPlayer` keeps it here. */
  served?: VastDocument | undefined;
  readonly adDomains: readonly string[];
  readonly appBundle: string;
  readonly categories: readonly string[];
  /** AdCOM creative attributes. */
  readonly attributes: readonly number[];
  readonly creativeId: string;
  readonly seat: string;
  readonly dealId?: string;
  readonly width: number;
  readonly height: number;
  /** Minutes from the auction in which the ad's trackers count; 0 = 60. */
  readonly expiryMinutes: number;
  /** Most seconds that its bidder accepts between auction and impression (`exp`); 0 = as long as the trackers count. */
  readonly validSeconds: number;
  readonly notices: Notices;
  /** Values for the `${AUCTION_…}` macros beside price and loss. */
  readonly impId: string;
  readonly bidId: string;
  readonly adId?: string;
  readonly creativeUrls: readonly string[];
  /**
   * The bid as its bidder wrote it, if it came by OpenRTB. From it, members that no rule of ours needs are passed on.
   */
  readonly received?: ReadBidObject;
  /** Further bids of its answer that may take its place, the highest first. */
  readonly further?: readonly Bid[];
  /** Bids of its answer that can take no part. */
  readonly lost?: readonly LostBid[];
  /** What is wrong with its answer, and was read all the same. */
  readonly tolerated?: Refusal | undefined;
}

/**
 * A kind of demand: one folder, one line in `kinds.ts`. Both methods are pure; the network call happens between them.
 */
export interface DemandKind<K extends DemandKindName = DemandKindName> {
  /** Whether it would be called for the opportunity, as far as that is known before; absent = always. */
  isCalled?(demand: DemandOf<K>, opportunity: Opportunity): boolean;
  /** The request to send; undefined if the bid needs none; a refusal if the object cannot be called. */
  build(demand: DemandOf<K>, solicitation: Solicitation): OutboundRequest | Refusal | undefined;
  /** The bid in an answer, or why there is none. `answer` is undefined if `build` gave no request. */
  read(demand: DemandOf<K>, solicitation: Solicitation, answer: OutboundAnswer | undefined): Bid | NoBid;
}
