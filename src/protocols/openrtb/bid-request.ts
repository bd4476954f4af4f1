import type { SupplyChain } from './supply-chain.ts';

/*
 * The bid request of OpenRTB 2.6, as far as Bourse writes it. Names, units and codes are the standard's. Unknown values
 * are `undefined`, which JSON leaves out.
 */

/** Section 3.2.1. */
export interface BidRequest {
  readonly id: string;
  readonly imp: readonly Imp[];
  readonly site: Site | undefined;
  readonly app: App | undefined;
  readonly device: Device;
  readonly user: User | undefined;
  /** 1 = nothing is billed. */
  readonly test: 1 | undefined;
  /** 1 = first price, 2 = second price plus. */
  readonly at: 1 | 2;
  /** Milliseconds. */
  readonly tmax: number;
  readonly cur: readonly string[];
  readonly bcat: readonly string[] | undefined;
  /** Taxonomy of `bcat` and `acat`; absent = 1, the Content Taxonomy 1.0. */
  readonly cattax?: number | undefined;
  readonly badv: readonly string[] | undefined;
  readonly bapp: readonly string[] | undefined;
  readonly source: Source;
  readonly regs: Regs | undefined;
}

/** Section 3.2.2; 2.5 has the chain in `ext`. */
export interface Source {
  readonly fd: 0 | 1;
  readonly tid: string;
  readonly schain: SupplyChain | undefined;
  readonly ext: { readonly schain: SupplyChain } | undefined;
}

/** Section 3.2.3; 2.5 has all but `coppa` in `ext`. */
export interface Regs {
  readonly coppa: number | undefined;
  readonly gdpr: number | undefined;
  readonly us_privacy: string | undefined;
  readonly gpp: string | undefined;
  readonly gpp_sid: readonly number[] | undefined;
  readonly ext: Omit<Regs, 'coppa' | 'ext'> | undefined;
}

/** Section 3.2.4: one impression, in one of the media; an impression in none of them is a pop. */
export interface Imp {
  readonly id: string;
  readonly banner: Banner | undefined;
  readonly video: Video | undefined;
  readonly audio: Audio | undefined;
  readonly native: Native | undefined;
  readonly displaymanager: string | undefined;
  readonly instl: 0 | 1 | undefined;
  readonly tagid: string;
  /** CPM in `bidfloorcur`. */
  readonly bidfloor: number;
  readonly bidfloorcur: string;
  readonly secure: 0 | 1;
  /** Seconds. */
  readonly exp: number;
  readonly ext: Readonly<Record<string, unknown>> | undefined;
}

/** Section 3.2.6. */
export interface Banner {
  readonly w: number | undefined;
  readonly h: number | undefined;
  readonly format: readonly { readonly w: number; readonly h: number }[] | undefined;
  readonly battr: readonly number[] | undefined;
  readonly pos: number | undefined;
  readonly mimes: readonly string[] | undefined;
}

/** Section 3.2.7. */
export interface Video {
  readonly mimes: readonly string[];
  /** Seconds. */
  readonly minduration: number | undefined;
  readonly maxduration: number | undefined;
  readonly startdelay: number | undefined;
  readonly protocols: readonly number[];
  readonly w: number | undefined;
  readonly h: number | undefined;
  readonly placement: number | undefined;
  readonly plcmt: number | undefined;
  readonly linearity: number | undefined;
  readonly skip: number | undefined;
  readonly pos: number | undefined;
  readonly battr: readonly number[] | undefined;
  readonly api: readonly number[] | undefined;
  readonly playbackmethod: readonly number[] | undefined;
  readonly delivery: readonly number[] | undefined;
}

/** Section 3.2.8. */
export type Audio = Pick<
  Video,
  'mimes' | 'minduration' | 'maxduration' | 'startdelay' | 'protocols' | 'battr'
>;

/** Section 3.2.9: `request` is a JSON text of the Dynamic Native Ads API of version `ver`. */
export interface Native {
  readonly request: string;
  readonly ver: string | undefined;
  readonly battr: readonly number[] | undefined;
}

/** Section 3.2.15. */
export interface Publisher {
  readonly id: string;
  readonly name: string | undefined;
  readonly domain: string | undefined;
}

/** Section 3.2.16. */
export interface Content {
  readonly series: string | undefined;
  readonly season: string | undefined;
  readonly context: number | undefined;
}

/** The members that a site (section 3.2.13) and an app (3.2.14) have in common. */
interface Medium {
  readonly id: string;
  readonly name: string | undefined;
  readonly domain: string | undefined;
  readonly cat: readonly string[] | undefined;
  readonly keywords: string | undefined;
  readonly publisher: Publisher;
  readonly content: Content | undefined;
}

/** Section 3.2.13. */
export interface Site extends Medium {
  readonly page: string | undefined;
  readonly search: string | undefined;
}

/** Section 3.2.14. */
export interface App extends Medium {
  readonly bundle: string | undefined;
  readonly storeurl: string | undefined;
}

/** Section 3.2.18. */
export interface Device {
  readonly ua: string | undefined;
  readonly ip: string | undefined;
  readonly ipv6: string | undefined;
  readonly geo: Geo | undefined;
  readonly dnt: number | undefined;
  readonly lmt: number | undefined;
  readonly devicetype: number | undefined;
  readonly make: string | undefined;
  readonly model: string | undefined;
  readonly os: string | undefined;
  readonly osv: string | undefined;
  /** ISO 639-1. */
  readonly language: string | undefined;
  /** BCP 47, for a tag that does not begin with a code of ISO 639-1. */
  readonly langb: string | undefined;
  readonly ifa: string | undefined;
}

/** Section 3.2.19. */
export interface Geo {
  /** ISO 3166-1 alpha-3. */
  readonly country: string | undefined;
  readonly region: string | undefined;
  readonly lat: number | undefined;
  readonly lon: number | undefined;
}

/** Section 3.2.20; 2.5 has `consent` in `ext`. */
export interface User {
  readonly id: string | undefined;
  readonly consent: string | undefined;
  readonly ext: { readonly consent: string } | undefined;
}
