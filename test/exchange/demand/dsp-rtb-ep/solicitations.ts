import { gunzipSync } from 'node:zlib';
import type { OutboundRequest, Solicitation } from '../../../../src/exchange/demand/demand-kind.ts';
import type { Opportunity } from '../../../../src/exchange/opportunity.ts';
import type { Demand } from '../../../../src/exchange/snapshot/demand.ts';
import type { Supply } from '../../../../src/exchange/snapshot/supply.ts';
import type { Video } from '../../../../src/protocols/openrtb/objects/imp.ts';
import { account, opportunityWith, unrestrictedDemand, unrestrictedSupply } from '../../unrestricted.ts';

/** What the tests of DSP RTB endpoints begin with: each value may be replaced. */
const object = {
  id: 3,
  name: 'Object',
  account: {
    ...account,
    id: 4,
    name: 'Example Media',
    sellerId: 'pub-4',
    username: 'example',
    sellerType: 1,
    platformDomain: 'media.example',
    sellersJsonDomain: 'media.example',
  },
};

export const videoPlacement: Video = {
  linearity: 1,
  placement: 1,
  minduration: 5,
  maxduration: 30,
  startdelay: 0,
  mimes: ['video/mp4', 'video/webm'],
  w: 640,
  h: 360,
  pos: 7,
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

const opportunity = opportunityWith({
  timeMs: 1_700_000_000_000,
  inventory: {
    environment: 'web',
    domain: 'site.example',
    pageUrl: 'https://site.example/page',
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
  },
  userAgent: 'Mozilla/5.0',
  ip: { text: '192.0.2.7', version: 4, bytes: new Uint8Array([192, 0, 2, 7]) },
  country: 'DE',
  region: 'BE',
  latitude: 52.5,
  longitude: 13.4,
  width: 640,
  height: 360,
  position: 7,
  video: videoPlacement,
  content: { series: 'Series', season: 'Season 2', context: 1 },
  userId: 'user-1',
  floorCpmMicros: 1_500_000,
  isSecure: true,
  sellerId: 'pub-4',
});

/** A DSP RTB EP with other values in its document. */
export const demandWith = (settings: Readonly<Record<string, unknown>> = {}): Demand =>
  unrestrictedDemand('DspRtbEp', { ...object, settings: { ...endpoint, ...settings } });

/** A VAST Tag, or whatever its members say, with other values in its document. */
export const supplyWith = (
  settings: Readonly<Record<string, unknown>> = {},
  { kind = 'VastTag', ...members }: Partial<Supply> = {},
): Supply =>
  unrestrictedSupply(kind, {
    ...object,
    publisherProfitShare: 0,
    settings: { ...vastTag, ...settings },
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

/** What a request carries, as the bidder reads it. */
export function contentOf({ headers, body = '' }: OutboundRequest): string {
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : Buffer.from(body)).toString();
}
