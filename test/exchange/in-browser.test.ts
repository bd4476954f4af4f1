import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { json } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { borrowBrowser, returnBrowser } from '../support/shared-browser.ts';
import { type ExchangeRoom, openExchange, type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { vastAd, vastWrapper } from './mock-dsp.ts';
import { type Partner, startPartner } from './partner.ts';

const film = new URL('../../assets/demo/film.mp4', import.meta.url);

/** The film, and counting it, take less. */
const [watchedMsMax, pollMs] = [20_000, 50];

/** What the partner's page of a publisher shows. */
let publisherPage = '';
let room: ExchangeRoom;
let partner: Partner;
let browser: Browser;

before(async () => {
  room = await openExchange();
  const page = (html: string) => (response: { end(text: string): void }) => response.end(html);
  partner = await startPartner({
    '/offer': page('<title>offer</title>'),
    '/back': page('<title>back</title>'),
    '/bids': async (response, request) => {
      const { id } = (await json(request)) as { readonly id: string };
      const adm = vastWrapper(`${partner.url}/inline`).replace('https://dsp.example', partner.url);
      response.end(
        JSON.stringify({ id, seatbid: [{ bid: [{ id: 'b', impid: '1', price: 3, adm, mtype: 2 }] }] }),
      );
    },
    '/inline': (response) =>
      response
        .setHeader('access-control-allow-origin', '*')
        .setHeader('content-type', 'text/xml')
        .end(
          vastAd({ media: `${partner.url}/film.mp4` }).replace(
            'https://dsp.example/imp',
            `${partner.url}/shown`,
          ),
        ),
    '/film.mp4': (response) => response.setHeader('content-type', 'video/mp4').end(readFileSync(film)),
    '/publisher': (response) => response.setHeader('content-type', 'text/html').end(publisherPage),
  });
  browser = await borrowBrowser();
});
after(async () => {
  await returnBrowser();
  await partner.close();
  await room.close();
});

const person = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36';

const addCampaign = (values: object) => room.add('campaign', { Cpm: 4, ...values });

describe('the page of JsCheck', () => {
  let feed: Stored;
  before(async () => {
    const { Id } = await addCampaign({ Type: 3, ClickUrl: `${partner.url}/offer` });
    feed = await room.add('xml/popfeed', {
      JsCheck: 1,
      NonEmptyReferer: 1,
      FallbackUrl: `${partner.url}/back`,
      Campaigns: [Id],
    });
    await room.served();
    const [{ DirectUrl = '' } = {}] = feed.DirectUrls as readonly { DirectUrl?: string }[];
    publisherPage = `<a href="${DirectUrl.replaceAll('&', '&amp;')}">more</a>`;
  });

  interface Case {
    readonly name: string;
    readonly context: BrowserContextOptions;
    /** Takes away the mark of a browser that a program drives. */
    readonly isHidden: boolean;
    readonly title: string;
  }
  const cases: readonly Case[] = [
    { name: 'sends a person on', context: { userAgent: person }, isHidden: true, title: 'offer' },
    { name: 'sends a driven browser back', context: { userAgent: person }, isHidden: false, title: 'back' },
    { name: 'sends a headless browser back', context: {}, isHidden: true, title: 'back' },
    {
      name: 'sends a browser without JavaScript back',
      context: { userAgent: person, javaScriptEnabled: false },
      isHidden: false,
      title: 'back',
    },
  ];
  for (const { name, context: options, isHidden, title } of cases) {
    test(name, async () => {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      if (isHidden) {
        await page.addInitScript('Object.defineProperty(navigator, "webdriver", { get: () => false })');
      }
      await page.goto(`${partner.url}/publisher`);
      const arrived = page.waitForURL(new RegExp(`/${title}$`));
      await page.click('a');
      await arrived;
      // Whoever is behind the click learns of neither the publisher nor our page.
      assert.equal(partner.seen.findLast(({ url }) => url === `/${title}`)?.headers.referer, undefined);
      await context.close();
    });
  }

  test('only the person is paid for', async () => {
    const row = await room.statistics(feed, ({ Requests }) => Requests === cases.length);
    assert.deepEqual([row.Wins, row.Bills, row.Clicks], [cases.length, 1, 1]);
  });
});

test('a banner in a frame shows, counts, leads on, and is kept out of the origin of the exchange', async () => {
  const { Id } = await addCampaign({
    Type: 2,
    ClickUrl: `${partner.url}/offer`,
    Width: 300,
    Height: 250,
    Html: `<a href="${partner.url}/offer" target="_blank">offer</a><script>document.title = self.origin</script>`,
  });
  const banner = await room.add('bannerep', { NonEmptyReferer: 1, RefererMatch: 1, Campaigns: [Id] });
  await room.served();
  const url = zoneUrl(banner, { site_url: `${partner.url}/publisher` }).replaceAll('&', '&amp;');
  publisherPage = `<iframe src="${url}" referrerpolicy="unsafe-url"></iframe>`;
  const page = await browser.newPage();
  await page.goto(`${partner.url}/publisher`, { waitUntil: 'networkidle' });
  const frame = page.frames().find((one) => one.url().includes('/banner?'));
  assert.ok(frame);
  assert.equal(await frame.title(), 'null');
  const popup = page.waitForEvent('popup');
  await frame.click('a');
  await (await popup).waitForURL(/\/offer$/);
  const row = await room.statistics(banner, ({ Requests }) => Requests === 1);
  assert.deepEqual([row.Bills, row.NetImpressions, row.Clicks], [1, 1, 1]);
  await page.close();
});

test('a video that a banner endpoint shows is played, behind a wrapper too, and counts like one in a player', async () => {
  const demand = await room.add('ortb/dsprtbep', { VideoEnabled: 1, ZoneUrlUsEast: `${partner.url}/bids` });
  const banner = await room.add('bannerep', { VideoEnabled: 1, DspRtbEps: [demand.Id] });
  await room.served();
  const url = zoneUrl(banner, { site_url: `${partner.url}/publisher` }).replaceAll('&', '&amp;');
  publisherPage = `<iframe src="${url}" width="640" height="360"></iframe>`;
  const page = await browser.newPage();
  await page.goto(`${partner.url}/publisher`);
  const frame = page.frames().find((one) => one.url().includes('/banner?')) ?? assert.fail();
  assert.equal(await frame.evaluate('self.origin'), 'null');
  await frame.waitForSelector('video[src]');
  await frame.evaluate('document.querySelector("video").playbackRate = 8');
  const today = new Date().toJSON().slice(0, 10);
  const Measures = ['Requests', 'Impressions', 'Starts', 'Completes'];
  const Filters = [{ Field: 'Supply', Operator: 'In', Values: [`BannerEp:${banner.Id}`] }];
  const question = { From: today, To: today, GroupBy: ['Medium'], Measures, Filters };
  const report = async () => (await room.call('statistics/report', question)).Rows as readonly Values[];
  const lateMs = performance.now() + watchedMsMax;
  let rows = await report();
  for (; !rows[0]?.Completes && performance.now() < lateMs; rows = await report()) await delay(pollMs);
  assert.deepEqual(rows, [{ Medium: 'video', Requests: 1, Impressions: 1, Starts: 1, Completes: 1 }]);
  const called = partner.seen.flatMap(({ url: path = '' }) =>
    /^\/(?:wrapped|shown)$/.test(path) ? [path] : [],
  );
  assert.deepEqual(called.toSorted(), ['/shown', '/wrapped']);
  await page.close();
});
