import { setTimeout as delay } from 'node:timers/promises';
import type { BourseServer } from '../servers/bourse.ts';
import type { Request } from '../speed.ts';
import { bidRequest } from './bid-request.ts';
import { publisher } from './publisher.ts';

const waitMsMax = 10_000;
const askEveryMs = 50;

const macros: Readonly<Record<string, string>> = {
  site_url: 'https://news.example/sports/today',
  w: '640',
  h: '360',
  width: '640',
  height: '360',
  ip: '203.0.113.7',
  ua: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
};

const film = {
  Name: 'Film',
  Cpm: 4,
  MediaUrl: 'https://cdn.example/film.mp4',
  Mime: 'video/mp4',
  Duration: 15,
  Width: 640,
  Height: 360,
  ClickUrl: 'https://brand.example/offer',
  AdDomain: 'brand.example',
};

/** The demand of a VAST Tag: a campaign, or DSP RTB EPs at some URLs. */
export type ZoneDemand = 'campaign' | readonly string[];

let accounts = 0;

/** Campaigns that targeting refuses: half by their countries, which have bitmaps, half by a bound. */
const elsewhere = (index: number) =>
  index % 2 === 0 ? { Countries: [{ CC: 'FR' }] } : { StartDate: '2099-01-01' };

async function addDemand({ api }: BourseServer, AdvertiserId: number, demand: ZoneDemand, refused: number) {
  if (demand === 'campaign') {
    const add = (values: object) => api.add('campaign', 'Campaign', { AdvertiserId, ...film, ...values });
    const others = await Promise.all(Array.from({ length: refused }, (_, index) => add(elsewhere(index))));
    return { Campaigns: [await add({}), ...others] };
  }
  const add = (ZoneUrlUsEast: string, index: number) =>
    api.add('ortb/dsprtbep', 'DspRtbEp', {
      AdvertiserId,
      Name: `DSP ${index}`,
      VideoEnabled: 1,
      ZoneUrlUsEast,
    });
  return { DspRtbEps: await Promise.all(demand.map(add)) };
}

async function untilFilled(ask: () => Promise<Response>): Promise<string> {
  const endMs = performance.now() + waitMsMax;
  for (;;) {
    const response = await ask();
    const text = await response.text();
    if (text.includes('<Ad')) return text;
    if (performance.now() > endMs) throw new Error(`${response.url} has no ad: ${text}`);
    await delay(askEveryMs);
  }
}

async function addBothSides(bourse: BourseServer, demand: ZoneDemand, refused = 0) {
  const { api } = bourse;
  accounts += 1;
  const { PlatformDomain, SellersJsonDomain, SellerType, SellerId, ...buyer } = publisher(`zone-${accounts}`);
  const PublisherId = await api.add('publisher', 'Publisher', publisher(`site-${accounts}`));
  const AdvertiserId = await api.add('advertiser', 'Advertiser', { ...buyer, Username: `brand-${accounts}` });
  return { PublisherId, ...(await addDemand(bourse, AdvertiserId, demand, refused)) };
}

interface WithZones {
  readonly ZoneUrls: readonly { readonly ZoneUrl: string }[];
}

async function zonePath({ api }: BourseServer, path: string, id: number): Promise<string> {
  const { ZoneUrls }: WithZones = JSON.parse(await api.get(`/api/${path}/get?Id=${id}`));
  const ZoneUrl = ZoneUrls[0]?.ZoneUrl ?? '';
  const filled = ZoneUrl.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(macros[name] ?? ''));
  return filled.slice(new URL(filled).origin.length);
}

/** Adds supply with demand at these URLs: gives the request to send to it, and what it answered. */
export type OpenDoor = (
  bourse: BourseServer,
  urls: readonly string[],
) => Promise<{ readonly request: Omit<Request, 'connections'>; readonly answer: string }>;

/**
 * Adds a VAST Tag with that demand, beside a campaign also with so many that targeting refuses, and waits until it is
 * served. Gives the request to its zone, and an answer.
 */
export async function addZone(bourse: BourseServer, demand: ZoneDemand, refused = 0) {
  const sides = await addBothSides(bourse, demand, refused);
  const id = await bourse.api.add('ortb/vasttag', 'VastTag', { Name: 'Pre-roll', Tmax: 1000, ...sides });
  const path = await zonePath(bourse, 'ortb/vasttag', id);
  const request = { paths: [path], method: 'GET', headers: {} } as const;
  return { request, answer: await untilFilled(() => fetch(bourse.server.url + path)) };
}

/**
 * Adds an RTB EP with DSPs at these URLs, and waits until it is served. Gives its ID, a request and an answer to it.
 */
export async function addEndpoint(bourse: BourseServer, dsps: readonly string[]) {
  const sides = await addBothSides(bourse, dsps);
  const values = { Name: 'Endpoint', VideoEnabled: 1, PublisherProfitShare: 50, ...sides };
  const id = await bourse.api.add('ortb/rtbep', 'RtbEp', values);
  const path = await zonePath(bourse, 'ortb/rtbep', id);
  const body = JSON.stringify(bidRequest);
  const answer = await untilFilled(() => fetch(bourse.server.url + path, { method: 'POST', body }));
  return { id, request: { paths: [path], method: 'POST', headers: {}, body } as const, answer };
}
