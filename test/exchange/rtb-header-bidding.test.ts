import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { snippetOf } from '../../src/reference/integration-snippet.ts';
import { integrations } from '../../src/reference/integrations.ts';
import { type Loopback, listenOnLoopback } from '../support/loopback.ts';
import { borrowBrowser, returnBrowser } from '../support/shared-browser.ts';
import { type Values, zoneUrl } from './exchange-room.ts';
import { openRtbRoom, type RtbRoom } from './rtb-room.ts';

/** The library with its module for servers that speak OpenRTB, as its package builds it for trials. */
const library = readFileSync(new URL('../../not-for-prod/prebid.js', import.meta.resolve('prebid.js')));

/** The code that publishers are given, with the time of a slow machine. */
function codeFor(endpoint: string): string {
  const object = { Id: 1, BannerEnabled: 1, VideoEnabled: 1 };
  const code = snippetOf(integrations.prebidJs, { object, urls: [endpoint], vendor: 0 }) ?? '';
  const fitted = code
    .replace("adapter: 'prebidServer',\n        enabled: true,\n        timeout: 1000,", (text) =>
      text.replace('1000', '5000'),
    )
    .replace('requestBids({', 'requestBids({ timeout: 10000,');
  assert.match(fitted, /127\.0\.0\.1.*timeout: 5000.*timeout: 10000/s);
  return fitted;
}

/** A page with two ad units whose bids come from an endpoint; the banner is shown. */
const pageWith = (
  endpoint: string,
) => `<!doctype html><body><iframe id="slot"></iframe><script src="/library.js"></script>
<script>
pbjs.que.push(() => pbjs.onEvent('auctionEnd', ({ bidsReceived }) => {
  window.outcome = bidsReceived.toSorted((one, other) => one.cpm - other.cpm).map(
    ({ cpm, currency, width, height, mediaType, creativeId, ttl, meta, vastXml }) =>
      ({ cpm, currency, width, height, mediaType, creativeId, ttl, domains: meta.advertiserDomains,
        isVast: vastXml?.includes('<VAST') ?? false }));
}));
</script>
${codeFor(endpoint)}`;

let room: RtbRoom;
let browser: Browser;
let site: Loopback;
let page = '';

before(async () => {
  room = await openRtbRoom();
  browser = await borrowBrowser();
  const server = createServer((request, response) => {
    const isLibrary = request.url === '/library.js';
    response.setHeader('content-type', isLibrary ? 'text/javascript' : 'text/html');
    response.end(isLibrary ? library : page);
  });
  site = await listenOnLoopback(server);
});
after(async () => {
  await returnBrowser();
  await site.close();
  await room.close();
});

test('a library of header bidding gets bids in a browser, shows one, and it is billed', async () => {
  const image = await room.campaign({ Type: 2, Width: 300, Height: 250, Cpm: 3 });
  const film = await room.campaign({ Type: 1, Cpm: 4 });
  const rtbEp = await room.endpoint({
    HeaderBidJs: 1,
    RevenueCountingMethod: 2,
    Campaigns: [image.Id, film.Id],
  });
  await room.served();
  page = pageWith(zoneUrl(rtbEp));
  const tab = await browser.newPage();
  // Another origin than the exchange's, so that CORS holds.
  await tab.goto(site.url.replace('127.0.0.1', 'localhost'));
  await tab.waitForFunction('window.outcome');
  const outcome = await tab.evaluate<readonly Values[]>('window.outcome');
  const told = { currency: 'USD', ttl: 3600, domains: ['brand.example'] };
  assert.deepEqual(outcome, [
    {
      cpm: 3,
      width: 300,
      height: 250,
      mediaType: 'banner',
      creativeId: String(image.Id),
      isVast: false,
      ...told,
    },
    {
      cpm: 4,
      width: 640,
      height: 360,
      mediaType: 'video',
      creativeId: String(film.Id),
      isVast: true,
      ...told,
    },
  ]);
  const isCounted = ({ Requests, NetImpressions }: Values) =>
    Number(Requests) > 0 && Number(NetImpressions) > 0;
  const row = await room.statistics(rtbEp, isCounted);
  assert.deepEqual([row.Requests, row.Bills, row.NetImpressions, row.Spent], [1, 1, 1, 0.003]);
});
