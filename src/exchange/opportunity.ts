import type { Medium } from '../entities/exchange-role.ts';
import type { Imp, Video } from '../protocols/openrtb/objects/imp.ts';
import type { Content } from '../protocols/openrtb/objects/inventory.ts';
import type { BidRequest } from '../protocols/openrtb/objects/request.ts';
import type { CrawlFindings } from './crawl/crawl-findings.ts';
import type { CpmMicros } from './money.ts';
import type { Refusal } from './reasons.ts';

/** What kind of ad an impression takes. */
export type Media = Medium;

/** An IP address, parsed once. */
export interface IpAddress {
  /** In canonical form (RFC 5952 for IPv6). */
  readonly text: string;
  readonly version: 4 | 6;
  /** 4 or 16 bytes, in network order; an IPv4-mapped IPv6 address is the IPv4 address. */
  readonly bytes: Uint8Array;
}

/** A family of targeting's catalogues (operating systems, browsers), with its version; `""` where it is not known. */
export interface Software {
  readonly family: string;
  readonly major: string;
  readonly minor: string;
}

export interface Device {
  readonly os: Software;
  readonly browser: Software;
  /**
   * The AdCOM device types that apply: several, because 1 (mobile/tablet) includes 4 (phone) and 5 (tablet). Empty =
   * unknown.
   */
  readonly types: readonly number[];
  /** The type and the version of the operating system, as the request gave them; 0, `""` and absent = not given. */
  readonly declaredType?: number;
  readonly declaredOsVersion?: string;
  readonly make: string;
  readonly model: string;
  /** BCP 47, as sent. */
  readonly language: string;
  /** Advertising identifier, as sent. */
  readonly ifa: string;
  readonly isBot: boolean;
}

/** Where the ad would be shown. A field that is not known is `""`. */
export interface Inventory {
  /** `dooh` = a screen outside the home. */
  readonly environment: 'web' | 'app' | 'dooh' | '';
  /** The site's host, lower case, ASCII, without a leading `www.`. */
  readonly domain: string;
  readonly pageUrl: string;
  readonly appBundle: string;
  readonly appName: string;
  readonly appStoreUrl: string;
  /** IAB names (`IAB1`, `IAB1-2`) of the supply object and the request together. */
  readonly categories: readonly string[];
  readonly keywords: string;
}

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Floors for the length of a video or audio; absent where the floor is the same for all. */
export interface LengthFloors {
  /** The first range that holds an ad's length has its floor; for an ad in none, the impression's floor holds. */
  readonly ranges: readonly {
    readonly minSeconds: number;
    readonly maxSeconds: number;
    readonly floorCpmMicros: CpmMicros;
  }[];
  /** Floor for each second; 0 = none. */
  readonly perSecondCpmMicros: CpmMicros;
  /** The longest ad that is allowed; undefined = not given. */
  readonly longestSeconds: number | undefined;
}

/** What the request itself blocks, beside what its supply object blocks. */
export interface Blocks {
  /** Names of categories; one of tier 1 covers its subcategories. An empty `allowedCategories` allows all. */
  readonly allowedCategories: ReadonlySet<string>;
  readonly categories: ReadonlySet<string>;
  /** The taxonomy of both (AdCOM, list Category Taxonomies). */
  readonly cattax: number;
  /** Domains of advertisers, each with its subdomains. */
  readonly domains: ReadonlySet<string>;
  readonly apps: ReadonlySet<string>;
  /** AdCOM creative attributes. */
  readonly attributes: ReadonlySet<number>;
  /** Seats as our answer names them. An empty `allowedSeats` allows all. */
  readonly allowedSeats: ReadonlySet<string>;
  readonly seats: ReadonlySet<string>;
}

/** One seller of a supply chain. Members that no rule reads are there to be passed on. */
export interface SupplyChainNode {
  readonly asi: string;
  readonly sid: string;
  readonly hp: 0 | 1;
  readonly rid?: string;
  readonly name?: string;
  readonly domain?: string;
  readonly ext?: object;
}

/** A supply chain (SupplyChain object 1.0). */
export interface SupplyChain {
  readonly complete: 0 | 1;
  readonly nodes: readonly SupplyChainNode[];
  /** `1.0` where it is absent. */
  readonly ver?: string;
  readonly ext?: object;
  /** One of the nodes is this exchange's own: the request has been here before. */
  readonly hasOwnNode?: boolean;
}

/** What the request says of the viewer's privacy; undefined = nothing. */
export interface Privacy {
  /** 1 = the viewer may be a child (COPPA). */
  readonly coppa: 0 | 1 | undefined;
  /** 1 = the viewer does not want to be tracked. */
  readonly limitAdTracking: 0 | 1 | undefined;
}

/** An impression in OpenRTB's own words: what goes on to bidders. */
export interface OriginalImpression {
  readonly request: Partial<BidRequest>;
  readonly imp: Partial<Imp>;
}

/** One chance to show one ad: what every endpoint makes of its request, and all that rules may ask. */
export interface Opportunity {
  /** Unique. The auction's ID wherever it appears: in requests to demand, trackers and explanations. */
  readonly auctionId: string;
  /** Milliseconds since 1970. */
  readonly timeMs: number;
  readonly media: Media;
  /** The visitor waits to be redirected by this answer (`/direct`). */
  readonly isDirect?: boolean;
  readonly inventory: Inventory;
  readonly device: Device;
  readonly userAgent: string;
  readonly ip: IpAddress | undefined;
  /** ISO 3166-1 alpha-2, upper case; `""` = not known. */
  readonly country: string;
  readonly region: string;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  /** Pixels; 0 = not given. */
  readonly width: number;
  readonly height: number;
  /** All sizes that fit, the first of which is `width` × `height`; absent where that is the only one. */
  readonly sizes?: readonly Size[];
  /** AdCOM placement position; absent and 0 = not given. */
  readonly position?: number;
  /** What a video or audio must be, as OpenRTB says it. */
  readonly video: Video | undefined;
  /** What is shown around the ad, where a tag's request tells it. */
  readonly content?: Content;
  readonly subId: string;
  readonly userId: string;
  /** Search words of a pop feed. */
  readonly query: string;
  /** Parameters or members that count as absent, as nobody filled their macros, or they say that it is not known. */
  readonly unfilled?: readonly string[];
  /** The greater of the supply object's floor and the request's. */
  readonly floorCpmMicros: CpmMicros;
  readonly lengthFloors?: LengthFloors;
  /** How many impressions one showing of the ad counts for in money; absent = 1. */
  readonly multiplier?: number;
  /** Milliseconds that demand may take. */
  readonly tmaxMs: number;
  readonly isSecure: boolean;
  readonly supplyChain: SupplyChain | undefined;
  /** Absent where the request says nothing. */
  readonly privacy?: Privacy;
  /** The effective `SellerId` of the supply object's publisher: the publisher's ID where the field is blank. */
  readonly sellerId: string;
  /** Invalid traffic of this inventory (supply object × domain or bundle) in the last hour; absent = not known. */
  readonly invalidTrafficPercent?: number | undefined;
  /** Looks up what others publish about it; absent = nothing is known. */
  readonly crawled?: CrawlFindings;
  /** Absent where the request blocks nothing. */
  readonly blocks?: Blocks;
  /** 1 = First Price, 2 = Second Price Plus; absent where the request leaves it to the supply object. */
  readonly auctionType?: 1 | 2;
  /** The ad is offered in somebody else's auction. A notice tells later whether the offer has won. */
  readonly isOffer?: boolean;
  /**
   * Set where an endpoint takes the request into the limits once for all of its impressions: whether this is the first of
   * them.
   */
  readonly impression?: 'first' | 'further';
  /** Most seconds that the caller accepts between auction and impression (`imp.exp`); absent = any. */
  readonly validSeconds?: number;
  /** Nothing of this auction is billed. */
  readonly isTest?: boolean;
  /** What a bid request said, which no rule reads; absent where the request was none. */
  readonly original?: OriginalImpression;
  /** Why nothing can be shown for it, where the request itself is the reason. */
  readonly refusal?: Refusal;
}
