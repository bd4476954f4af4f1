import type { Medium } from '../entities/exchange-role.ts';
import type { Imp, Video } from '../protocols/openrtb/objects/imp.ts';
import type { Content } from '../protocols/openrtb/objects/inventory.ts';
import type { BidRequest } from '../protocols/openrtb/objects/request.ts';
import type { CrawlFindings } from './crawl/crawl-findings.ts';
import type { AuctionRates, Floor, ForeignCurrency, ForeignPrice } from './currency.ts';
import type { CpmMicros } from './money.ts';
import type { Reason, Refusal } from './reasons.ts';
import type { RuleFloors } from './rule-floors.ts';

export type Media = Medium;

export interface IpAddress {
  /** In canonical form (RFC 5952 for IPv6). */
  readonly text: string;
  readonly version: 4 | 6;
  /** 4 or 16 bytes, in network order; IPv4-mapped IPv6 is IPv4. */
  readonly bytes: Uint8Array;
}

/** Operating system or browser family as targeting knows it; `""` = unknown. */
export interface Software {
  readonly family: string;
  readonly major: string;
  readonly minor: string;
}

export interface Device {
  readonly os: Software;
  readonly browser: Software;
  /** AdCOM device types; several, because 1 (mobile/tablet) includes 4 (phone) and 5 (tablet). Empty = unknown. */
  readonly types: readonly number[];
  /** As the request declared them; 0, `""` and absent = not given. */
  readonly declaredType?: number;
  readonly declaredOsVersion?: string;
  readonly make: string;
  readonly model: string;
  /** BCP 47, as received. */
  readonly language: string;
  /** Advertising identifier, as received. */
  readonly ifa: string;
}

export type InvalidAgent = Extract<Reason, 'known_bot' | 'impossible_agent'>;

/** Unknown fields are `""`. */
export interface Inventory {
  /** `dooh` = a screen outside the home. */
  readonly environment: 'web' | 'app' | 'dooh' | '';
  /** Lower-case ASCII, without a leading `www.`. */
  readonly domain: string;
  readonly pageUrl: string;
  readonly appBundle: string;
  readonly appName: string;
  readonly appStoreUrl: string;
  /** Of a partner that owns this part of the inventory (`inventorypartnerdomain`). */
  readonly partnerDomain: string;
  /** IAB names (`IAB1`, `IAB1-2`) of supply object and request. */
  readonly categories: readonly string[];
  readonly keywords: string;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Floors by an ad's length; absent if one floor holds for all. */
export interface LengthFloors {
  /** The first range with an ad's length has its floor; outside all, the impression's floor holds. */
  readonly ranges: readonly {
    readonly minSeconds: number;
    readonly maxSeconds: number;
    readonly floorCpmMicros: CpmMicros;
  }[];
  /** For each second; 0 = none. */
  readonly perSecondCpmMicros: CpmMicros;
  readonly longestSeconds: number | undefined;
}

/** What the request blocks, besides its supply object. */
export interface Blocks {
  /** Tier 1 covers its subcategories. An empty `allowedCategories` allows all. */
  readonly allowedCategories: ReadonlySet<string>;
  readonly categories: ReadonlySet<string>;
  /** AdCOM Category Taxonomies. */
  readonly cattax: number;
  /** Each with its subdomains. */
  readonly domains: ReadonlySet<string>;
  readonly apps: ReadonlySet<string>;
  /** AdCOM creative attributes. */
  readonly attributes: ReadonlySet<number>;
  /** As our answer names them. An empty `allowedSeats` allows all. */
  readonly allowedSeats: ReadonlySet<string>;
  readonly seats: ReadonlySet<string>;
}

/** Members that no rule reads are passed on. */
export interface SupplyChainNode {
  readonly asi: string;
  readonly sid: string;
  readonly hp: 0 | 1;
  readonly rid?: string;
  readonly name?: string;
  readonly domain?: string;
  readonly ext?: object;
}

/** SupplyChain object 1.0. */
export interface SupplyChain {
  readonly complete: 0 | 1;
  readonly nodes: readonly SupplyChainNode[];
  /** Absent = `1.0`. */
  readonly ver?: string;
  readonly ext?: object;
  /** A node is our own: the request has been here before. */
  readonly hasOwnNode?: boolean;
}

/** Undefined, `""` and empty = not given. Texts are as received, and not yet read. */
export interface Privacy {
  /** 1 = may be a child (COPPA). */
  readonly coppa: 0 | 1 | undefined;
  /** 1 = GDPR applies. */
  readonly gdpr: 0 | 1 | undefined;
  /** TCF consent string. */
  readonly consent: string;
  /** 1 = does not want to be tracked. */
  readonly limitAdTracking: 0 | 1 | undefined;
  /** A string of the IAB's US Privacy, as `1YYN`. */
  readonly usPrivacy: string;
  readonly gpp: string;
  /** Sections of `gpp` that apply; 0 = one that could not be read. */
  readonly gppSid: readonly number[];
  /** The visitor's browser or the sender says Global Privacy Control. */
  readonly hasGpc: boolean;
}

/** In OpenRTB's own words, as passed on to bidders. */
export interface OriginalImpression {
  readonly request: Partial<BidRequest>;
  readonly imp: Partial<Imp>;
}

/** What depends on the medium of the ad. */
export interface MediumVariant {
  readonly media: Media;
  readonly width: number;
  readonly height: number;
  readonly sizes: readonly Size[] | undefined;
  readonly video: Video | undefined;
  readonly lengthFloors: LengthFloors | undefined;
  readonly blocks: Blocks | undefined;
  /** Where floor rules make it another than the opportunity's. */
  readonly floorCpmMicros?: CpmMicros;
  readonly foreignFloor?: ForeignPrice | undefined;
  readonly ruleFloors?: RuleFloors | undefined;
}

/** A demand object, as far as it tells who is called. */
interface CalledDemand {
  readonly kind: string;
  readonly id: number;
  readonly partner: string;
}

/** How a partner knows a viewer; one of them at least. */
export interface ViewerIds {
  /** Its own ID. */
  readonly buyeruid?: string | undefined;
  /** Ours, which no other partner is told. */
  readonly id?: string | undefined;
}

/** For the partner behind a demand object; undefined = it does not know the viewer. */
export type ViewerIdsOf = (demand: CalledDemand) => ViewerIds | undefined;

/** One chance to show one ad: all that rules may ask. */
export interface Opportunity extends Floor {
  /**
   * Used everywhere: in requests to demand, trackers and explanations. A UUID of version 7: the keys of events are in
   * the order of time, so that a database adds them at the end of an index and not all over it.
   */
  readonly auctionId: string;
  /** Of an ad of a pod behind the first: a UUID made of the auction's. */
  readonly adId?: string;
  readonly timeMs: number;
  /** With `variants`: the one that the fields below are about; in the end the winner's. */
  readonly media: Media;
  /** One for each medium that the ad may be of, in the order of preference; absent if there is one. */
  readonly variants?: readonly MediumVariant[] | undefined;
  /** The visitor waits to be redirected (`/direct`). */
  readonly isDirect?: boolean;
  readonly inventory: Inventory;
  readonly device: Device;
  readonly userAgent: string;
  readonly ip: IpAddress | undefined;
  /** ISO 3166-1 alpha-2, upper case; `""` = unknown. */
  readonly country: string;
  readonly region: string;
  /** How far the viewer's clock is ahead of UTC, as a bid request says. */
  readonly utcOffsetMinutes?: number | undefined;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  /** Pixels; 0 = not given. */
  readonly width: number;
  readonly height: number;
  /** All that fit, `width` × `height` first; absent if that is the only one. */
  readonly sizes?: readonly Size[] | undefined;
  /** AdCOM placement position; absent and 0 = not given. */
  readonly position?: number;
  /** In OpenRTB's terms. */
  readonly video: Video | undefined;
  /** What is shown around the ad, if a tag's request says so. */
  readonly content?: Content;
  readonly subId: string;
  readonly userId: string;
  /** Absent = no partner knows the viewer, or may be told. Not part of what anybody is shown. */
  readonly viewerIdsOf?: ViewerIdsOf | undefined;
  /** A pop feed's search words. */
  readonly query: string;
  /** Names that count as absent because their macros are unfilled or their values mean "unknown". */
  readonly unfilled?: readonly string[];
  /** The auction's, for all its floors and prices; absent: USD alone. */
  readonly rates?: AuctionRates;
  /** In which its caller is answered; absent for USD. */
  readonly answerIn?: ForeignCurrency;
  readonly lengthFloors?: LengthFloors | undefined;
  /** What the request itself asks; absent if its floor is not the supply object's. */
  readonly requestFloor?: Floor;
  /** Absent if no floor rule is for it. */
  readonly ruleFloors?: RuleFloors | undefined;
  /** Impressions that one showing counts for in money; absent = 1. */
  readonly multiplier?: number;
  /** What demand may take. */
  readonly tmaxMs: number;
  readonly isSecure: boolean;
  readonly supplyChain: SupplyChain | undefined;
  /** Absent = not given. */
  readonly privacy?: Privacy;
  /** The publisher's `SellerId`, or its ID if blank. */
  readonly sellerId: string;
  /** Why the request itself is invalid traffic, by its user agent. */
  readonly invalid?: InvalidAgent | undefined;
  /** Of this supply object and domain or bundle in the last hour, as estimated; absent = unknown. */
  readonly invalidTrafficPercent?: number | undefined;
  /** What others publish; absent = nothing known. */
  readonly crawled?: CrawlFindings;
  /** Absent = nothing. */
  readonly blocks?: Blocks | undefined;
  /** 1 = First Price, 2 = Second Price Plus; absent: up to the supply object. */
  readonly auctionType?: 1 | 2;
  /** The ad is offered in another exchange's auction; a notice says later whether it won. */
  readonly isOffer?: boolean;
  /** Set if the endpoint takes the request into the limits once for all impressions: whether this is the first. */
  readonly impression?: 'first' | 'further';
  /** Longest time from auction to impression (`imp.exp`); absent = any. */
  readonly validSeconds?: number;
  /** Nothing is billed. */
  readonly isTest?: boolean;
  /** What no rule reads; absent if the request was not a bid request. */
  readonly original?: OriginalImpression;
  /** Why nothing can be shown, if the request itself is the reason. */
  readonly refusal?: Refusal;
}
