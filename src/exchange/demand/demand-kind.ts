import type { VastDocument, VastFault } from '../../protocols/vast/vast-document.ts';
import type { CpmMicros } from '../money.ts';
import type { Media, Opportunity } from '../opportunity.ts';
import type { Refusal } from '../reasons.ts';
import type { Demand } from '../snapshot/demand.ts';
import type { Supply } from '../snapshot/supply.ts';

/** A request to a demand partner. */
export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** What came back in time, decompressed, within the bound on its size. */
export interface OutboundAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a kind of demand may use beside the demand object. One object for all demand of an auction. */
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
   * What kinds keep that is the same for all their demand, by a name of their own. Here and not in a table beside:
   * weak tables of what lives for an auction keep the garbage collector busy.
   */
  kept?: Map<string, unknown>;
}

/** URLs that the demand partner wants called, macros not yet filled (OpenRTB 2.6 §4.2.3, `nurl`, `burl`, `lurl`). */
export interface Notices {
  readonly win: string;
  readonly billing: string;
  readonly loss: string;
}

/** A bid, whichever kind of demand made it. A value that was not told is `""`, 0 or empty. */
export interface Bid {
  /** ID that the bidder gave it, or the auction's. */
  readonly id: string;
  readonly demand: Demand;
  readonly priceCpmMicros: CpmMicros;
  readonly media: Media;
  /** The price is paid as it is, the whole of it to the publisher (`FixedSpendCpc`); the auction only ranks it. */
  readonly isFixedPrice?: boolean;
  /** Texts of a pop, for feeds that show them. */
  readonly title?: string;
  readonly description?: string;
  /**
   * The ad: for video a whole VAST document, for banners HTML, for pops the URL. Undefined where it comes as the
   * answer to the win notice.
   */
  readonly markup: string | undefined;
  /** `markup`, where the kind of demand has read it as VAST already; `vastOf` reads it otherwise. */
  readonly vast?: VastDocument;
  /** What `vastOf` has read, and keeps here. */
  read?: VastDocument | VastFault | undefined;
  readonly adDomains: readonly string[];
  /** Bundle of the advertised app. */
  readonly appBundle: string;
  /** IAB names. */
  readonly categories: readonly string[];
  /** AdCOM creative attributes. */
  readonly attributes: readonly number[];
  readonly creativeId: string;
  readonly seat: string;
  readonly width: number;
  readonly height: number;
  /** Minutes between auction and impression after which the notice counts no more; 0 = 60. */
  readonly expiryMinutes: number;
  readonly notices: Notices;
  /** Values for the `${AUCTION_…}` macros beside price and loss. */
  readonly impId: string;
  readonly bidId: string;
  readonly adId?: string;
  readonly creativeUrls: readonly string[];
  /** The bid as its bidder wrote it, where it came by OpenRTB: for what no rule asks for, and is passed on. */
  readonly told?: object;
}

/** A kind of demand: one folder, one line in `kinds.ts`. Both methods are pure; the network is between them. */
export interface DemandKind {
  /** The request to send; undefined where the bid needs none; a refusal where the object cannot be asked. */
  build(demand: Demand, solicitation: Solicitation): OutboundRequest | Refusal | undefined;
  /** The bid in an answer, or why there is none. `answer` is undefined where `build` gave no request. */
  read(demand: Demand, solicitation: Solicitation, answer: OutboundAnswer | undefined): Bid | Refusal;
}
