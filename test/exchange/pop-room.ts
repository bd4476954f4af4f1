import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { ask, type DoorAnswer } from './ask.ts';
import {
  type ExchangeRoom,
  filled,
  type Macros,
  openExchange,
  type Stored,
  type Values,
} from './exchange-room.ts';
import { type Partner, startPartner } from './partner.ts';

export const browser = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36';
/** Where campaigns lead to. */
export const target = 'https://brand.example/offer?a=1&b=2';
export const site = 'https://news.example/page?x=1';
/** The macros as a publisher's server fills them for a visitor. */
export const visitor: Macros = { user_ip: '203.0.113.7', ua: browser, url: site };

/** An exchange whose campaigns are pops, and short ways to what tests of Pop Feeds do. */
export interface PopRoom extends ExchangeRoom {
  addFeed(values: Values): Promise<Stored>;
  addCampaign(values?: Values): Promise<Stored>;
  addDsp(values: Values): Promise<Stored>;
  /** A feed with one campaign, and the click that it gives for a visitor. */
  clickOf(feed: Values, campaign?: Values, macros?: Macros): Promise<{ feed: Stored; click: string }>;
}

/** A feed's URL with some macros filled. */
export function feedUrl(feed: Stored, macros: Macros = {}, form: 'Xml' | 'Json' = 'Json'): string {
  const [urls] = feed.FeedUrls as readonly Record<string, string>[];
  return filled(urls?.[`FeedUrl${form}`] ?? '', macros);
}

/** The direct link of a feed. */
export function directUrl({ DirectUrls }: Stored): string {
  const [{ DirectUrl = '' } = {}] = DirectUrls as readonly { readonly DirectUrl?: string }[];
  return DirectUrl;
}

/** The record of a feed's answer in JSON. */
interface Shown {
  readonly title: string;
  readonly url: string;
  readonly description: string;
  readonly bid: number;
  readonly click: string;
}

/** The record that a feed answers, which it must. */
export function shown({ status, text }: DoorAnswer): Shown {
  assert.equal(status, 200, text);
  const [record] = (JSON.parse(text) as { result: Shown[] }).result;
  assert.ok(record);
  return record;
}

/** What a demand partner answers in XML. */
export const xmlRecord = (fields: string) =>
  `<?xml version="1.0"?><result><record>${fields}</record></result>`;

/** A demand partner whose one feed, at `/xml`, answers a record of 3.5 CPM. */
export const startXmlPartner = (): Promise<Partner> =>
  startPartner({
    '/xml': (response) => response.end(xmlRecord('<bid>0.0035</bid><url>https://dsp.example/go</url>')),
  });

export async function openPopRoom(): Promise<PopRoom> {
  const room = await openExchange();
  const addFeed: PopRoom['addFeed'] = (values) => room.add('xml/popfeed', { Tmax: 2000, ...values });
  const addCampaign: PopRoom['addCampaign'] = (values = {}) =>
    room.add('campaign', { Name: 'Pop', Type: 3, Cpm: 4, ClickUrl: target, ...values });
  return {
    ...room,
    addFeed,
    addCampaign,
    addDsp: (values) => room.add('xml/dsppopfeed', values),
    async clickOf(values, campaign = {}, macros = visitor) {
      const { Id } = await addCampaign(campaign);
      const feed = await addFeed({ Campaigns: [Id], ...values });
      await room.served();
      return { feed, click: shown(await ask(feedUrl(feed, macros))).click };
    },
  };
}

/** Runs the page of `JsCheck` as a browser would, or one with what is given, and answers where it goes on to. */
export function runJsCheck(page: string, given: object = {}): string {
  const [, token = ''] = /data-token="([^"]*)"/.exec(page) ?? [];
  const [, next = ''] = /data-next="([^"]*)"/.exec(page) ?? [];
  const [, script = ''] = /<script>(.*)<\/script>/s.exec(page) ?? [];
  let to = '';
  runInNewContext(script, {
    document: { documentElement: { dataset: { token, next: next.replaceAll('&amp;', '&') } } },
    navigator: { webdriver: false, userAgent: browser, language: 'en' },
    screen: { width: 1920, height: 1080 },
    location: {
      replace: (url: string) => {
        to = url;
      },
    },
    ...given,
  });
  return to;
}
