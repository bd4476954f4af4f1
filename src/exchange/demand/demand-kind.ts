import type { DemandKindName } from '../../entities/kinds.ts';
import type { ReadBidObject } from '../../protocols/openrtb/objects/bid.ts';
import type { VastDocument, VastFault } from '../../protocols/vast/vast-document.ts';
import type { ForeignPrice } from '../currency.ts';
import type { CpmMicros } from '../money.ts';
import type { OfferedDeal } from '../offered-deal.ts';
import type { Media, Opportunity } from '../opportunity.ts';
import type { Refusal } from '../reasons.ts';
import type { Demand, DemandOf } from '../snapshot/demand.ts';
import type { Supply } from '../snapshot/supply.ts';

/** `count`: of its request, from 1; `from`: the host that answered it, with its port. */
export interface Redirect {
  readonly status: number;
  readonly count: number;
  readonly from: string;
}

export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent to the URL's own origin only; redirects elsewhere lose them. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Whether a redirect of a GET is followed; by default the first three. */
  readonly mayFollow?: (redirect: Redirect) => boolean;
}

/** Came in time and within the size bound; decompressed. */
export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The auction as demand sees it: the same for all from whom the same is withheld. */
export interface Solicitation {
  readonly opportunity: Opportunity;
  readonly supply: Supply;
  /** As `us-east`: picks the object's regional URL. */
  readonly region: string;
  /** Of this region: where our trackers and supply chain nodes live. */
  readonly baseUrl: string;
  /** What is left of the opportunity's tmax, in milliseconds. */
  readonly timeLeftMs: number;
  /** Caches what is the same for all demand of the auction. A `WeakMap` would burden the garbage collector. */
  kept?: Map<string, unknown>;
}

/** Macros not filled yet (OpenRTB 2.6 §4.2.3). */
export interface Notices {
  readonly win: string;
  readonly billing: string;
  readonly loss: string;
}

/** A bid that takes no part; its bidder is notified. */
export interface LostBid extends Pick<Bid, 'impId' | 'bidId' | 'adId' | 'seat' | 'foreign'> {
  readonly lossUrl: string;
  readonly refusal: Refusal;
  /** Absent if unreadable. */
  readonly priceCpmMicros?: CpmMicros;
  /** As the response names it, if it has no rate. */
  readonly currency?: string;
}

export interface NoBid extends Refusal {
  readonly lost?: readonly LostBid[];
  readonly tolerated?: Refusal | undefined;
}

/** Unknown values are `""`, 0 or empty. */
export interface Bid {
  /** The bidder's ID, or the auction's. */
  readonly id: string;
  readonly demand: Demand;
  readonly priceCpmMicros: CpmMicros;
  /** As its bidder named it, if not in USD. */
  readonly foreign?: ForeignPrice;
  /** The opportunity's, if the bidder knows it; absent = 1. */
  readonly multiplier?: number;
  readonly media: Media;
  /** Ranked like others, but paid unchanged, all to the publisher (`FixedSpendCpc`). */
  readonly isFixedPrice?: boolean;
  /** For feeds that show texts of a pop. */
  readonly title?: string;
  readonly description?: string;
  /** A VAST document, HTML, or a pop's URL. Undefined if the win notice's answer brings it. */
  readonly markup: string | undefined;
  /** `markup` as VAST, if already read; else `vastOf` reads it. */
  readonly vast?: VastDocument;
  /** Cached by `vastOf`. */
  read?: VastDocument | VastFault | undefined;
  /** The version served, cached by `vastForPlayer`. */
  served?: VastDocument | undefined;
  readonly adDomains: readonly string[];
  readonly appBundle: string;
  readonly categories: readonly string[];
  readonly attributes: readonly number[];
  readonly creativeId: string;
  readonly seat: string;
  readonly dealId?: string;
  /** That it is under; absent = an open bid. */
  readonly deal?: OfferedDeal;
  readonly width: number;
  readonly height: number;
  /** Minutes from the auction in which trackers count; 0 = 60. */
  readonly expiryMinutes: number;
  /** Longest time from auction to impression (`exp`); 0 = as long as the trackers count. */
  readonly validSeconds: number;
  readonly notices: Notices;
  /** For the `${AUCTION_…}` macros. */
  readonly impId: string;
  readonly bidId: string;
  readonly adId?: string;
  readonly creativeUrls: readonly string[];
  /** The OpenRTB bid as received; members that we do not use are passed on. */
  readonly received?: ReadBidObject;
  /** Bids of its answer that may replace it, the highest first. */
  readonly further?: readonly Bid[];
  /** Bids of its answer that take no part. */
  readonly lost?: readonly LostBid[];
  /** What is wrong with its answer but did not stop us from reading it. */
  readonly tolerated?: Refusal | undefined;
}

/** One folder, one line in `kinds.ts`. Both methods are pure; the call happens between them. */
export interface DemandKind<K extends DemandKindName = DemandKindName> {
  /** Shown by the exchange itself: nobody is asked, or told of the viewer. */
  readonly isOwn?: true;
  /** Absent = always. */
  isCalled?(demand: DemandOf<K>, opportunity: Opportunity): boolean;
  /** Undefined if the bid needs no call; a refusal if the object cannot be called. */
  build(
    demand: DemandOf<K>,
    solicitation: Solicitation,
    deals?: readonly OfferedDeal[],
  ): OutboundRequest | Refusal | undefined;
  /** `answer` is undefined if `build` returned no request. */
  read(demand: DemandOf<K>, solicitation: Solicitation, answer: OutboundAnswer | undefined): Bid | NoBid;
}
