import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import type { Stored } from '../exchange/exchange-room.ts';
import { openRtbRoom, type RtbRoom } from '../exchange/rtb-room.ts';
import { eventually } from '../support/eventually.ts';
import { type Loopback, listenOnLoopback } from '../support/loopback.ts';
import { borrowBrowser, returnBrowser } from '../support/shared-browser.ts';
import { servedByAdManager } from './ad-manager.ts';
import { bundle } from './prebid-bundle.ts';

let room: RtbRoom;
before(async () => {
  room = await openRtbRoom();
});
after(() => room.close());

/** The code for a platform, as it is handed out for an object. */
async function codeOf(kind: string, { Id }: Stored, name: string): Promise<string> {
  const rows = (await room.call(`integrations/get?${kind}=${Id}`)) as unknown as readonly {
    readonly Name: string;
    readonly Codes: readonly { readonly Code: string }[];
  }[];
  const row = rows.find(({ Name }) => Name === name);
  return row?.Codes[0]?.Code ?? assert.fail(`${name} is not handed out`);
}

const read = (url: string | URL) => readFileSync(new URL(url));
/** What the code for players loads, under its names there. */
const playerFiles: Readonly<Record<string, string>> = {
  'video-js.css': import.meta.resolve('video.js/dist/video-js.css'),
  'video.js': import.meta.resolve('video.js/dist/video.js'),
  'videojs-contrib-ads.js': import.meta.resolve('videojs-contrib-ads/dist/videojs-contrib-ads.js'),
  'videojs.ima.css': import.meta.resolve('videojs-ima/dist/videojs.ima.css'),
  'videojs.ima.js': import.meta.resolve('videojs-ima/dist/videojs.ima.js'),
};
/** Video.js and its plugins are the real ones. Google's SDK and JW Player cannot be had: `video-ads.js` stands in. */
const players = [
  { name: 'jwPlayer', before: '<script src="https://cdn.jwplayer.com/libraries/own.js"></script>', play: '' },
  { name: 'videoJs', before: '', play: '.vjs-big-play-button' },
  { name: 'ima', before: '', play: 'video' },
] as const;

const counted = {
  ...{ Requests: 1, Impressions: 1, Starts: 1, FirstQuartiles: 1, Midpoints: 1 },
  ...{ ThirdQuartiles: 1, Completes: 1, AdErrors: 0 },
};

/** Today's figures of a VAST Tag. */
async function figuresOf({ Id }: Stored) {
  const today = new Date().toJSON().slice(0, 10);
  const Filters = [{ Field: 'Supply', Operator: 'In', Values: [`VastTag:${Id}`] }];
  const question = { From: today, To: today, GroupBy: ['Medium'], Measures: Object.keys(counted), Filters };
  const { Rows } = await room.call('statistics/report', question);
  return Rows;
}

describe('code that is handed out', () => {
  test('asks for bids from the command line', async () => {
    const film = await room.campaign({ Type: 1, Cpm: 4 });
    const rtbEp = await room.endpoint({ Campaigns: [film.Id] });
    await room.served();
    const code = await codeOf('RtbEp', rtbEp, 'openRtb');
    const { stdout } = await promisify(execFile)('bash', ['-c', code]);
    const { seatbid } = JSON.parse(stdout) as { seatbid: { bid: { impid: string; adm: string }[] }[] };
    assert.deepEqual(
      seatbid[0]?.bid.map(({ impid, adm }) => [impid, adm.includes('film.mp4')]),
      [['2', true]],
    );
  });

  test('asks for pops from a server, whose visitor is then counted', async () => {
    const pop = await room.campaign({ Type: 3, Cpm: 4 });
    const feed = await room.add('xml/popfeed', {
      Tmax: 2000,
      PublisherProfitShare: 100,
      Campaigns: [pop.Id],
    });
    await room.served();
    const code = await codeOf('PopFeed', feed, 'popServer');
    const { popFor } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      readonly popFor: (visitor: object) => Promise<string | undefined>;
    };
    const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/126.0';
    const click = await popFor({ ip: '203.0.113.7', userAgent, pageUrl: 'https://news.example/', id: 'v' });
    const response = await fetch(click ?? assert.fail('nobody buys'), {
      redirect: 'manual',
      headers: { 'user-agent': userAgent },
    });
    assert.equal(response.headers.get('location'), 'https://brand.example/offer');
  });

  describe('in a page', () => {
    let site: Loopback;
    let page = '';
    let browser: Browser;
    before(async () => {
      browser = await borrowBrowser();
      site = await listenOnLoopback(
        createServer(({ url = '' }, response) => {
          const file = playerFiles[url.slice(1)];
          if (file === undefined) response.setHeader('content-type', 'text/html').end(page);
          else
            response
              .setHeader('content-type', url.endsWith('.css') ? 'text/css' : 'text/javascript')
              .end(read(file));
        }),
      );
    });
    after(() => Promise.all([site.close(), returnBrowser()]));

    test('shows a banner and links to a pop', async () => {
      // Ad Manager tells a visitor's choice to vendors that the code names.
      await room.call('team/update', { Team: { GvlId: 9999 } });
      const sized = { Width: 300, Height: 250 };
      const banner = await room.campaign({ Type: 2, Cpm: 3, ...sized });
      const bannerEp = await room.add('bannerep', { ...sized, Campaigns: [banner.Id] });
      const pop = await room.campaign({ Type: 3, Cpm: 4 });
      const feed = await room.add('xml/popfeed', { Tmax: 2000, Campaigns: [pop.Id] });
      await room.served();
      page = `<!doctype html><title>news</title>${await codeOf('BannerEp', bannerEp, 'bannerPage')}
        ${servedByAdManager(await codeOf('BannerEp', bannerEp, 'adManagerBanner'), 'https://news.example/a?b')}
        ${await codeOf('PopFeed', feed, 'directLink')}`;
      const tab = await browser.newPage();
      const byAdManager = tab.waitForRequest(/[?&]cb=4711(?:&|$)/);
      await tab.goto(site.url);
      const { searchParams } = new URL((await byAdManager).url());
      assert.deepEqual(
        ['site_url', 'gdpr', 'gdpr_consent', 'gpp'].map((name) => searchParams.get(name)),
        ['https://news.example/a?b', '0', 'CPX', 'DBABTA'],
      );
      for (const index of [0, 1])
        await tab.frameLocator('iframe').nth(index).getByText('brand').first().waitFor();
      const link = tab.getByRole('link', { name: 'More' });
      await tab.waitForFunction(
        `document.querySelector('a').href.includes(encodeURIComponent(location.href))`,
      );
      const target = await fetch((await link.getAttribute('href')) ?? '', { redirect: 'manual' });
      assert.equal(target.headers.get('location'), 'https://brand.example/offer');
      await tab.close();
    });

    test('plays an ad before a video, which counts up to its end', async () => {
      const script = await bundle(String(read(new URL('video-ads.js', import.meta.url))));
      const film = read(new URL('../../assets/demo/film.mp4', import.meta.url));
      for (const { name, before: first, play } of players) {
        const campaign = await room.campaign({ Type: 1, Cpm: 4 });
        const tag = await room.add('ortb/vasttag', { PublisherProfitShare: 100, Campaigns: [campaign.Id] });
        await room.served();
        page = `<!doctype html><title>news</title>${first}${await codeOf('VastTag', tag, name)}`;
        const tab = await browser.newPage();
        await tab.route(/imasdk\.googleapis\.com|cdn\.jwplayer\.com/, (route) =>
          route.fulfill({ contentType: 'text/javascript', body: script }),
        );
        await tab.route('**/film.mp4', (route) => route.fulfill({ contentType: 'video/mp4', body: film }));
        const asked = tab.waitForRequest(/\/vast\?/);
        await tab.goto(site.url);
        if (play) await tab.click(play);
        const { searchParams } = new URL((await asked).url());
        assert.equal(searchParams.get('site_url'), `${site.url}/`, name);
        await eventually(
          async () => assert.deepEqual(await figuresOf(tag), [{ Medium: 'video', ...counted }]),
          name,
        );
        // Then comes the video.
        await tab.waitForFunction(
          `[...document.querySelectorAll('video')].some(({ src, currentSrc, paused }) => (src || currentSrc).includes('media.example') && !paused)`,
        );
        await tab.close();
      }
    });
  });
});
