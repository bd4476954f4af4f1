import type { PassedMembers, PassedObject } from '../protocols/openrtb/passed-members.ts';
import type { Crawled } from './crawl/crawled.ts';
import type { CpmMicros } from './money.ts';
import type { Refusal } from './reasons.ts';

/** What kind of ad an impression takes. */
export type Media = 'video' | 'banner' | 'audio' | 'native' | 'pop';

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

/** What is known of the device. */
export interface Device {
  readonly os: Software;
  readonly browser: Software;
  /**
   * The AdCOM device types that apply: several, because 1 (mobile/tablet) includes 4 (phone) and 5 (tablet). Empty =
   * unknown.
   */
  readonly types: readonly number[];
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
  readonly environment: 'web' | 'app' | '';
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

/** What only a video has; 0 and `""` = not given. */
export interface VideoPlacement {
  readonly linearity: number;
  readonly placement: number;
  /** Seconds. */
  readonly minDuration: number;
  /** Seconds. */
  readonly maxDuration: number;
  /** OpenRTB `startdelay`: seconds, or 0 pre-roll, -1 mid-roll, -2 post-roll; undefined = not given. */
  readonly startDelay: number | undefined;
  readonly mimes: readonly string[];
  readonly series: string;
  readonly season: string;
  readonly context: string;
  /** 1 = the player lets the viewer skip, 0 = it does not; absent = not given. */
  readonly skip?: 0 | 1;
  /** AdCOM codes, as the request gave them; absent = not given. */
  readonly plcmt?: number | undefined;
  readonly protocols?: readonly number[] | undefined;
  readonly apis?: readonly number[] | undefined;
  readonly playbackMethods?: readonly number[] | undefined;
  readonly delivery?: readonly number[] | undefined;
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
  /** Bundles of advertised apps. */
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

/** Privacy signals, as the request carried them, to be passed on to demand. `""` and undefined = not given. */
export interface Privacy {
  readonly coppa: 0 | 1 | undefined;
  readonly gdpr: 0 | 1 | undefined;
  readonly usPrivacy: string;
  readonly gpp: string;
  readonly gppSections: readonly number[];
  /** TCF consent string. */
  readonly consent: string;
  readonly doNotTrack: 0 | 1 | undefined;
  readonly limitAdTracking: 0 | 1 | undefined;
}

/** Members of OpenRTB objects (`device`, `imp`, …) that the request contained and that are passed on as they are. */
export type Passed = Readonly<Partial<Record<PassedObject, PassedMembers | undefined>>>;

/** One chance to show one ad: what every door makes of its request, and all that rules may ask. */
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
  /** The ad covers the screen. */
  readonly isInterstitial?: boolean;
  /** AdCOM placement position; absent and 0 = not given. */
  readonly position?: number;
  readonly video: VideoPlacement | undefined;
  /** Payload of the Dynamic Native Ads API 1.2, as the request carried it; absent: our standard one. */
  readonly nativeRequest?: string;
  readonly subId: string;
  readonly userId: string;
  /** Search words of a pop feed. */
  readonly query: string;
  /** The greater of the supply object's floor and the request's. */
  readonly floorCpmMicros: CpmMicros;
  /** Milliseconds that demand may take. */
  readonly tmaxMs: number;
  readonly isSecure: boolean;
  readonly supplyChain: SupplyChain | undefined;
  /** Absent where the request says nothing about privacy. */
  readonly privacy?: Privacy;
  /** The effective `SellerId` of the supply object's publisher: the publisher's ID where the field is blank. */
  readonly sellerId: string;
  /** Invalid traffic of this inventory (supply object × domain or bundle) in the last hour; absent = not known. */
  readonly invalidTrafficPercent?: number | undefined;
  /** Looks up what others publish about it; absent = nothing is known. */
  readonly crawled?: Crawled;
  /** Absent where the request blocks nothing. */
  readonly blocks?: Blocks;
  /** 1 = First Price, 2 = Second Price Plus; absent where the request leaves it to the supply object. */
  readonly auctionType?: 1 | 2;
  /** The ad is offered in somebody else's auction. A notice tells later whether the offer has won. */
  readonly isOffer?: boolean;
  /**
   * Set where a door takes the request into the limits once for all of its impressions: whether this is the first of
   * them.
   */
  readonly impression?: 'first' | 'further';
  /** Nothing of this auction is billed. */
  readonly isTest?: boolean;
  /** What else is passed on to bidders, by the OpenRTB object that it belongs to. No rule reads it. */
  readonly passed?: Passed;
  /** Why nothing can be shown for it, where the request itself is the reason. */
  readonly refusal?: Refusal;
}
