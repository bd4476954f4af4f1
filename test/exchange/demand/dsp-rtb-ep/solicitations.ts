import type { Solicitation } from '../../../../src/exchange/demand/demand-kind.ts';
import type { Opportunity, VideoPlacement } from '../../../../src/exchange/opportunity.ts';
import type { Demand } from '../../../../src/exchange/snapshot/demand.ts';
import type { ExchangeObject } from '../../../../src/exchange/snapshot/exchange-object.ts';
import type { Supply } from '../../../../src/exchange/snapshot/supply.ts';

/** What the tests of DSP RTB endpoints begin with: each value may be replaced. */
const account = {
  id: 4,
  teamId: 1,
  isActive: true,
  name: 'Example Media',
  sellerId: 'pub-4',
  username: 'example',
  platformDomain: 'media.example',
  sellersJsonDomain: 'media.example',
  sellerType: 1,
};

const object: Omit<ExchangeObject, 'document'> = {
  id: 3,
  teamId: 1,
  name: 'Object',
  account,
  isActive: true,
  limits: {
    maxQps: 0,
    requestsDaily: 0,
    bidsDaily: 0,
    impressionsDaily: 0,
    impressionsPerIp: 0,
    amountDailyNanos: 0,
    amountTotalNanos: 0,
  },
  match: { nonEmptyReferer: false, refererMatch: false, ipMatch: false, uaMatch: false },
};

export const videoPlacement: VideoPlacement = {
  linearity: 1,
  placement: 1,
  position: 7,
  minDuration: 5,
  maxDuration: 30,
  startDelay: 0,
  mimes: ['video/mp4', 'video/webm'],
  series: 'Series',
  season: 'Season 2',
  context: '1',
};

const vastTag: Readonly<Record<string, unknown>> = {
  Version: 0,
  DspBidfloorMargin: 20,
  DisplayManager: 'Example Player',
  Mimes: ['video/mp4'],
  SetSchainComplete: 0,
  AdDomainsBrandsBlacklist: '',
  AdAppsBlacklist: '',
  BlockedAdIabCategories: [],
  BlockedAdAttributes: [],
};

const endpoint: Readonly<Record<string, unknown>> = {
  ZoneUrlUsEast: 'https://us.dsp.example/bid',
  ZoneUrlEu: '',
  ZoneUrlApac: '',
  ExpiryWindow: 0,
  AddSchainNode: 0,
  DiscardSchain: 0,
  Gzip: 0,
  AuctionType: 0,
  CustomParams: {},
};

const opportunity: Opportunity = {
  auctionId: 'auction-1',
  timeMs: 1_700_000_000_000,
  media: 'video',
  inventory: {
    environment: 'web',
    domain: 'site.example',
    pageUrl: 'https://site.example/page',
    appBundle: '',
    appName: '',
    appStoreUrl: '',
    categories: ['IAB1', 'IAB1-2'],
    keywords: 'sports,football',
  },
  device: {
    os: { family: 'Android', major: '14', minor: '1' },
    browser: { family: 'Chrome', major: '120', minor: '' },
    types: [1, 4],
    make: 'Example',
    model: 'Phone 3',
    language: 'en-GB',
    ifa: 'ifa-1',
    isBot: false,
  },
  userAgent: 'Mozilla/5.0',
  ip: { text: '192.0.2.7', version: 4, bytes: new Uint8Array([192, 0, 2, 7]) },
  country: 'DE',
  region: 'BE',
  latitude: 52.5,
  longitude: 13.4,
  width: 640,
  height: 360,
  video: videoPlacement,
  subId: '',
  userId: 'user-1',
  query: '',
  floorCpmMicros: 1_500_000,
  tmaxMs: 300,
  isSecure: true,
  supplyChain: undefined,
  sellerId: 'pub-4',
};

/** A DSP RTB EP with other values in its document. */
export const demandWith = (document: Readonly<Record<string, unknown>> = {}): Demand => ({
  ...object,
  kind: 'DspRtbEp',
  checks: [],
  document: { ...endpoint, ...document },
});

/** A VAST Tag, or whatever its members say, with other values in its document. */
export const supplyWith = (
  document: Readonly<Record<string, unknown>> = {},
  members: Partial<Supply> = {},
): Supply => ({
  ...object,
  kind: 'VastTag',
  auth: 'secret',
  floorCpmMicros: 0,
  publisherProfitShare: 0,
  auctionType: 1,
  tmaxMs: 300,
  checks: [],
  candidates: { connected: [], select: () => [], explain: () => undefined },
  document: { ...vastTag, ...document },
  ...members,
});

/** An auction of a video on a site, with 250 ms left. */
export const solicitationWith = (
  chance: Partial<Opportunity> = {},
  members: Partial<Solicitation> = {},
): Solicitation => ({
  opportunity: { ...opportunity, ...chance },
  supply: supplyWith(),
  region: 'us-east',
  baseUrl: 'https://us-east.exchange.example',
  timeLeftMs: 250.7,
  ...members,
});
