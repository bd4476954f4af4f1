import { setTimeout as delay } from 'node:timers/promises';
import type { BourseServer } from '../servers/bourse.ts';
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

async function addDemand({ api }: BourseServer, AdvertiserId: number, demand: ZoneDemand) {
  if (demand === 'campaign') {
    return { Campaigns: [await api.add('campaign', 'Campaign', { AdvertiserId, ...film })] };
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

/** Waits until the zone has an ad; what it answers then. */
async function untilFilled(url: string): Promise<string> {
  const endMs = performance.now() + waitMsMax;
  for (;;) {
    const text = await (await fetch(url)).text();
    if (text.includes('<Ad')) return text;
    if (performance.now() > endMs) throw new Error(`${url} has no ad: ${text}`);
    await delay(askEveryMs);
  }
}

/** A VAST Tag with that demand, once it is served: the path of its zone, filled as a player would, and an answer. */
export async function addZone(bourse: BourseServer, demand: ZoneDemand) {
  const { server, api } = bourse;
  accounts += 1;
  const { PlatformDomain, SellersJsonDomain, SellerType, SellerId, ...buyer } = publisher(`zone-${accounts}`);
  const PublisherId = await api.add('publisher', 'Publisher', publisher(`site-${accounts}`));
  const AdvertiserId = await api.add('advertiser', 'Advertiser', { ...buyer, Username: `brand-${accounts}` });
  const connected = await addDemand(bourse, AdvertiserId, demand);
  const id = await api.add('ortb/vasttag', 'VastTag', {
    PublisherId,
    Name: 'Pre-roll',
    Tmax: 1000,
    ...connected,
  });
  const tag = JSON.parse(await api.get(`/api/ortb/vasttag/get?Id=${id}`)) as {
    ZoneUrls: { ZoneUrl: string }[];
  };
  const [{ ZoneUrl } = { ZoneUrl: '' }] = tag.ZoneUrls;
  const filled = ZoneUrl.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(macros[name] ?? ''));
  const path = filled.slice(new URL(filled).origin.length);
  return { path, answer: await untilFilled(server.url + path) };
}
