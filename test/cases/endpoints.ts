import assert from 'node:assert/strict';
import { fillMacros } from '../../src/protocols/openrtb/macros.ts';
import { ask, type DoorAnswer } from '../exchange/ask.ts';
import {
  type ExchangeRoom,
  filled,
  type Macros,
  type Stored,
  type Values,
  zoneUrl,
} from '../exchange/exchange-room.ts';
import { browser, directUrl, feedUrl, target } from '../exchange/pop-room.ts';
import { type AnsweredBid, post, requestOf } from '../exchange/rtb-room.ts';
import { film } from '../exchange/vast-room.ts';
import { faultsOfRequest, faultsOfResponse } from '../protocols/openrtb/bid-request-schema.ts';
import { playedInTurn } from '../protocols/vast/vast-player.ts';
import type { Case, CaseRequest, FiredEvent } from './case.ts';
import { assertHas } from './expected.ts';

export interface EndpointAnswer {
  readonly status: number;
  /** By names in small letters. */
  readonly headers: Values;
  readonly text: string;
  readonly hasAd: boolean;
  readonly bids: readonly AnsweredBid[];
}

/** How one kind of supply is asked. */
interface Endpoint {
  /** What cases leave out of a supply object, and of its campaigns. */
  readonly usual: Values;
  readonly campaign: Values;
  /** What a player or an exchange calls for an ad that is shown. */
  readonly shows: readonly string[];
  /** Statuses with an ad and without one, where a case tells none. */
  readonly statuses: readonly [ad: number, none: number];
  urlOf(supply: Stored, request: CaseRequest): string;
  hasAd(answer: DoorAnswer, supply: Stored): boolean | Promise<boolean>;
}

const allMedia = { BannerEnabled: 1, VideoEnabled: 1, AudioEnabled: 1, NativeEnabled: 1, PopEnabled: 1 };
const isOk = ({ status }: DoorAnswer) => status === 200;

/** Macros of a request, each of which the URL must have. */
function fillIn(url: string, macros: Macros = {}): string {
  for (const name of Object.keys(macros)) assert.ok(url.includes(`{${name}}`), `the URL has no {${name}}`);
  return filled(url, macros);
}

const endpoints = {
  VastTag: {
    usual: { Tmax: 5000 },
    campaign: film,
    shows: ['impression'],
    statuses: [200, 200],
    urlOf: (supply, { macros }) => fillIn(zoneUrl(supply), macros),
    hasAd: async ({ text }) => (await playedInTurn(text)).length > 0,
  },
  RtbEp: {
    usual: { ...allMedia, PublisherProfitShare: 100 },
    campaign: { ...film, Width: 0, Height: 0, ClickUrl: target, Html: '<p>brand</p>' },
    shows: ['nurl', 'burl', 'impression'],
    statuses: [200, 204],
    urlOf: (supply) => zoneUrl(supply),
    hasAd: isOk,
  },
  BannerEp: {
    usual: { Tmax: 5000 },
    campaign: {
      Type: 2,
      Cpm: 4,
      Width: 300,
      Height: 250,
      ClickUrl: target,
      AdDomain: 'brand.example',
      Html: `<a href="${target.replace('&', '&amp;')}"><img src="https://brand.example/offer.png" alt=""></a>`,
    },
    shows: ['impression'],
    statuses: [200, 204],
    urlOf: (supply, { macros }) => fillIn(zoneUrl(supply), macros),
    hasAd: isOk,
  },
  PopFeed: {
    usual: { Tmax: 5000 },
    campaign: { Type: 3, Cpm: 4, ClickUrl: target },
    shows: ['click'],
    statuses: [200, 204],
    urlOf(supply, { macros, form = 'Json' }) {
      if (form === 'Direct') return directUrl(supply);
      const visitor = { user_ip: '203.0.113.7', ua: browser, url: 'https://news.example/page?x=1' };
      return filled(fillIn(feedUrl(supply, {}, form), macros), visitor);
    },
    hasAd: ({ status, headers }, { FallbackUrl }) =>
      status === 200 || (status === 302 && headers.location !== FallbackUrl),
  },
} satisfies Record<string, Endpoint>;
const byKind = new Map<string, Endpoint>(Object.entries(endpoints));

/** The endpoint of a kind of supply. */
export const endpointOf = (kind: string): Endpoint => byKind.get(kind) ?? assert.fail(kind);

/** The kind of a case's supply object. */
export const kindOf = ({ supply }: Case): string => Object.keys(supply)[0] ?? assert.fail();

/** Demand of a case as the API is told: what its kind leaves out is as usual. */
export const usualDemand = (kind: string, endpoint: Endpoint): Values =>
  new Map<string, Values>([
    ['Campaign', endpoint.campaign],
    ['DspRtbEp', allMedia],
  ]).get(kind) ?? {};

/** The URL of a request: that of the supply object, with the parameters that the case replaces. */
export function urlOf(kind: string, supply: Stored, request: CaseRequest, serverUrl: string): string {
  if (request.path !== undefined) return serverUrl + request.path;
  let url = endpointOf(kind).urlOf(supply, request);
  for (const [name, value] of Object.entries(request.query ?? {})) {
    const [, field = ''] = /^\{(\w+)\}$/.exec(value ?? '') ?? [];
    const told = value === null ? '' : `${name}=${field === '' ? value : String(supply[field])}`;
    const there = new RegExp(`(?<=[?&])${name}=[^&]*`);
    url = there.test(url) ? url.replace(there, told) : `${url}&${told}`;
  }
  return url;
}

/** Throws where the case's part of it is not valid OpenRTB. */
export function bidRequestOf({ imp = [], members = {} }: CaseRequest): Values {
  const { site = requestOf([]).site, ...others } = members;
  const request = requestOf(imp, { ...others, site: site ?? undefined });
  assert.deepEqual(faultsOfRequest(JSON.parse(JSON.stringify(request))), [], 'the bid request of the case');
  return request;
}

/** Asks for an ad. */
export async function askFor(room: ExchangeRoom, played: Case, supply: Stored, request: CaseRequest) {
  const kind = kindOf(played);
  const url = urlOf(kind, supply, request, room.server.url);
  const { headers = {}, body } = request;
  if (kind !== 'RtbEp') {
    const answer = await ask(url, headers, request.method);
    return {
      ...answer,
      bids: [],
      hasAd: await endpointOf(kind).hasAd(answer, supply),
    } satisfies EndpointAnswer;
  }
  const answer = await post(url, body ?? bidRequestOf(request), headers);
  if (answer.body && answer.status === 200) assert.deepEqual(faultsOfResponse(answer.body), []);
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    text: answer.body === undefined ? '' : JSON.stringify(answer.body),
    bids: answer.bids,
    hasAd: answer.bids.length > 0,
  } satisfies EndpointAnswer;
}

/** URLs of our trackers of one kind in a document. */
const trackersIn = (text: string, event: string, serverUrl: string) =>
  [...text.matchAll(new RegExp(`${serverUrl}/track/${event}\\?t=[\\w.:~-]+`, 'g'))].map(([url]) => url);

function eventUrls(
  room: ExchangeRoom,
  { text, bids }: EndpointAnswer,
  kind: string,
  event: string,
): string[] {
  const { url } = room.server;
  if (kind === 'PopFeed' && event === 'click')
    return [...text.matchAll(new RegExp(`${url}/click/[\\w.:~-]+`, 'g'))].map(([found]) => found);
  if (kind !== 'RtbEp') return trackersIn(text, event, url);
  return bids.flatMap((bid) => {
    const notice = bid[event];
    return typeof notice === 'string' ? [notice] : trackersIn(bid.adm, event, url);
  });
}

async function fireOne(url: string, { macros, requestHeaders, method, status, headers }: FiredEvent) {
  const answer = await ask(fillMacros(url, macros ?? {}), requestHeaders, method);
  assertHas(answer.status, status ?? 200, `status of ${url.split('?')[0]}`);
  assertHas(answer.headers, headers ?? {}, 'headers');
}

/** Calls the trackers and notices of an answer: what the case says, or all that an ad that is shown calls, twice. */
export async function fire(room: ExchangeRoom, answered: EndpointAnswer, played: Case): Promise<void> {
  const kind = kindOf(played);
  if (!played.fires && !answered.hasAd) return;
  const usual = endpointOf(kind).shows.map((event) => ({ event, times: 2 }));
  for (const one of played.fires ?? usual) {
    const urls = eventUrls(room, answered, kind, one.event);
    if (played.fires) assert.notEqual(urls.length, 0, `the answer has no ${one.event}: ${answered.text}`);
    const status = kind === 'PopFeed' || one.event === 'open' || one.event === 'click' ? 302 : 200;
    for (const url of urls)
      for (let time = 0; time < (one.times ?? 1); time += 1) await fireOne(url, { status, ...one });
  }
}
