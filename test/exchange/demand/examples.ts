import type { DemandKindName, SupplyKind } from '../../../src/exchange/configuration.ts';
import type { Bid, Solicitation } from '../../../src/exchange/demand/demand-kind.ts';
import type { Opportunity } from '../../../src/exchange/opportunity.ts';
import type { Demand } from '../../../src/exchange/snapshot/demand.ts';
import type { ExchangeObject } from '../../../src/exchange/snapshot/exchange-object.ts';
import type { Supply } from '../../../src/exchange/snapshot/supply.ts';
import { readVast } from '../../../src/protocols/vast/read-vast.ts';

const unknown = { family: '', major: '', minor: '' };

/** A video impression on a site. */
export const opportunity: Opportunity = {
  auctionId: 'auction-1',
  timeMs: Date.UTC(2027, 0, 1),
  media: 'video',
  inventory: {
    environment: 'web',
    domain: 'site.example',
    pageUrl: 'https://site.example/page',
    appBundle: '',
    appName: '',
    appStoreUrl: '',
    categories: [],
    keywords: '',
  },
  device: {
    os: unknown,
    browser: unknown,
    types: [],
    make: '',
    model: '',
    language: '',
    ifa: '',
    isBot: false,
  },
  userAgent: '',
  ip: undefined,
  country: '',
  region: '',
  latitude: undefined,
  longitude: undefined,
  width: 0,
  height: 0,
  video: undefined,
  subId: '',
  userId: '',
  query: '',
  floorCpmMicros: 0,
  tmaxMs: 300,
  isSecure: false,
  supplyChain: undefined,
  sellerId: '1',
};

/** What a player without wishes says of itself. */
export const placement = {
  ...{ linearity: 0, placement: 0, position: 0, minDuration: 0, maxDuration: 0, startDelay: undefined },
  ...{ mimes: [], series: '', season: '', context: '' },
};

function exchangeObject(id: number, document: Readonly<Record<string, unknown>>): ExchangeObject {
  return {
    ...{ id, teamId: 1, name: `Object ${id}`, isActive: true, document },
    account: {
      ...{ id: 1, teamId: 1, isActive: true, name: 'Account', sellerId: '1', username: 'account' },
      ...{ platformDomain: '', sellersJsonDomain: '', sellerType: 0 },
    },
    limits: {
      ...{ maxQps: 0, requestsDaily: 0, bidsDaily: 0, impressionsDaily: 0, impressionsPerIp: 0 },
      ...{ amountDailyNanos: 0, amountTotalNanos: 0 },
    },
    match: { nonEmptyReferer: false, refererMatch: false, ipMatch: false, uaMatch: false },
  };
}

export function supplyOf(kind: SupplyKind, document: Readonly<Record<string, unknown>> = {}): Supply {
  return {
    ...exchangeObject(1, document),
    ...{ kind, auth: 'secret', floorCpmMicros: 0, publisherProfitShare: 50, auctionType: 1, tmaxMs: 300 },
    checks: [],
    candidates: { connected: [], select: () => [], explain: () => undefined },
  };
}

export function demandOf(kind: DemandKindName, document: Readonly<Record<string, unknown>> = {}): Demand {
  return { ...exchangeObject(7, document), kind, checks: [] };
}

export function solicitationOf(given: Partial<Solicitation> = {}): Solicitation {
  return {
    opportunity,
    supply: supplyOf('VastTag'),
    region: 'us-east',
    baseUrl: 'https://us-east.example.com',
    timeLeftMs: 250,
    ...given,
  };
}

/** A bid that nothing speaks against. */
export function bidOf(given: Partial<Bid> = {}): Bid {
  return {
    ...{
      id: 'bid-1',
      demand: demandOf('DspRtbEp'),
      priceCpmMicros: 2_000_000,
      media: 'video',
      markup: undefined,
    },
    ...{ adDomains: [], appBundle: '', categories: [], attributes: [], creativeId: '', seat: '' },
    ...{ width: 0, height: 0, expiryMinutes: 0, notices: { win: '', billing: '', loss: '' } },
    ...{ impId: '1', bidId: '', creativeUrls: [] },
    ...given,
  };
}

/** Markup read as VAST, which it must be. */
export function vastDocument(markup: string | undefined) {
  const document = readVast(markup ?? '');
  if ('fault' in document) throw new Error(document.fault);
  return document;
}
