import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { Stored } from '../exchange/exchange-room.ts';
import { openRtbRoom, type RtbRoom } from '../exchange/rtb-room.ts';
import { type Loopback, listenOnLoopback } from '../support/loopback.ts';
import { borrowBrowser, returnBrowser } from '../support/shared-browser.ts';

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
    before(async () => {
      site = await listenOnLoopback(
        createServer((_, response) => response.setHeader('content-type', 'text/html').end(page)),
      );
    });
    after(() => site.close());

    test('shows a banner and links to a pop', async () => {
      const sized = { Width: 300, Height: 250 };
      const banner = await room.campaign({ Type: 2, Cpm: 3, ...sized });
      const bannerEp = await room.add('bannerep', { ...sized, Campaigns: [banner.Id] });
      const pop = await room.campaign({ Type: 3, Cpm: 4 });
      const feed = await room.add('xml/popfeed', { Tmax: 2000, Campaigns: [pop.Id] });
      await room.served();
      page = `<!doctype html><title>news</title>${await codeOf('BannerEp', bannerEp, 'bannerPage')}
        ${await codeOf('BannerEp', bannerEp, 'adManagerBanner')}
        ${await codeOf('PopFeed', feed, 'directLink')}`;
      const browser = await borrowBrowser();
      const tab = await browser.newPage();
      await tab.goto(site.url);
      for (const index of [0, 1])
        await tab.frameLocator('iframe').nth(index).getByText('brand').first().waitFor();
      const link = tab.getByRole('link', { name: 'More' });
      await tab.waitForFunction(
        `document.querySelector('a').href.includes(encodeURIComponent(location.href))`,
      );
      const target = await fetch((await link.getAttribute('href')) ?? '', { redirect: 'manual' });
      assert.equal(target.headers.get('location'), 'https://brand.example/offer');
      await tab.close();
      await returnBrowser();
    });
  });
});
