import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { allPurposes, consentString } from '../exchange/consent-string.ts';
import { type Stored, type Values, zoneUrl } from '../exchange/exchange-room.ts';
import { type MockDsp, nativeBids, startMockDsp } from '../exchange/mock-dsp.ts';
import { openRtbRoom, type RtbRoom } from '../exchange/rtb-room.ts';
import { guideCode } from '../support/guide-code.ts';
import { type Loopback, listenOnLoopback } from '../support/loopback.ts';
import { ratesRead, today, writeRates } from '../support/rates.ts';
import { borrowBrowser, returnBrowser } from '../support/shared-browser.ts';
import { servedByAdManager } from './ad-manager.ts';
import { bundle } from './prebid-bundle.ts';

const adapterUrl = new URL('../../integrations/prebid-js/bourseBidAdapter.js', import.meta.url);
const jasmine = readFileSync(new URL('jasmine-core/jasmine.js', import.meta.resolve('jasmine-core')), 'utf8');

let browser: Browser;
before(async () => {
  browser = await borrowBrowser();
});
after(returnBrowser);

interface Outcome {
  readonly passes: number;
  readonly failures: readonly string[];
}

test("the adapter's own tests pass, and run at least 80 % of it", async () => {
  const code = await bundle("import './bourseBidAdapter_spec.js';");
  const tab = await browser.newPage();
  await tab.addScriptTag({ content: jasmine });
  await tab.coverage.startJSCoverage({ reportAnonymousScripts: true });
  await tab.addScriptTag({ content: code });
  const { passes, failures } = await tab.evaluate<Outcome>(`new Promise((resolve) => {
    const outcome = { passes: 0, failures: [] };
    jasmine.getEnv().addReporter({
      specDone({ status, fullName, failedExpectations }) {
        if (status === 'passed') outcome.passes += 1;
        else outcome.failures.push(fullName + ': ' + failedExpectations[0]?.message);
      },
      jasmineDone: () => resolve(outcome),
    });
    jasmine.getEnv().execute();
  })`);
  assert.deepEqual(failures, []);
  assert.ok(passes > 20, `${passes} passed`);
  const scripts = await tab.coverage.stopJSCoverage();
  await tab.close();
  const script = scripts.find(({ source }) => source === code);
  assert.ok(script, 'the script was measured');
  // Comments of the bundler name each module.
  const [from, until] = ['bourseBidAdapter.js', 'bourseBidAdapter_spec.js'].map((name) =>
    code.indexOf(`/${name}\n`),
  );
  assert.ok(from !== undefined && until !== undefined && from > 0 && until > from);
  const ran = new Uint8Array(until - from).fill(1);
  for (const { count, startOffset, endOffset } of script.functions.flatMap(({ ranges }) => ranges))
    ran.fill(count > 0 ? 1 : 0, Math.max(0, startOffset - from), Math.max(0, endOffset - from));
  const share = ran.reduce((sum, one) => sum + one, 0) / ran.length;
  assert.ok(share >= 0.8, `${Math.round(100 * share)} % of the code ran`);
  assert.match(readFileSync(adapterUrl, 'utf8'), /registerBidder\(spec\)/);
});

const film = readFileSync(new URL('../../assets/demo/film.mp4', import.meta.url));
const pageCode = readFileSync(new URL('prebid-page.js', import.meta.url), 'utf8');

interface PageOutcome {
  readonly counts: Values;
  readonly bids: readonly Values[];
}

describe('in a page', () => {
  let room: RtbRoom;
  let site: Loopback;
  let dsp: MockDsp;
  let script = '';
  let page = '';
  const folder = mkdtempSync(join(tmpdir(), 'bourse-prebid-'));

  before(async () => {
    room = await openRtbRoom(undefined, { ratesFile: writeRates(folder, today()) });
    await ratesRead(room.server.url);
    dsp = await startMockDsp();
    script = await bundle(pageCode);
    const files: Readonly<Record<string, readonly [type: string, body: string | Buffer]>> = {
      '/prebid.js': ['text/javascript', script],
      '/film.mp4': ['video/mp4', film],
    };
    site = await listenOnLoopback(
      createServer((request, response) => {
        const [type, body] = files[request.url ?? ''] ?? ['text/html', page];
        response.writeHead(200, { 'content-type': type }).end(body);
      }),
    );
  });
  after(async () => {
    await Promise.all([room.close(), site.close(), dsp.close()]);
    rmSync(folder, { recursive: true });
  });

  const pageWith = (ask: object, head = '') =>
    `<!doctype html><title>news</title>${head}<script>window.ask = ${JSON.stringify(ask)}</script><script src="/prebid.js"></script>`;

  /** What the page did; the requests that its tab sent to the exchange. */
  async function visit(ask: object, head = '') {
    page = pageWith(ask, head);
    const tab = await browser.newPage();
    const sent: string[] = [];
    tab.on('request', (request) => {
      if (request.url().startsWith(room.server.url)) sent.push(request.url().replace(room.server.url, ''));
    });
    // Another origin than the exchange's, so that CORS holds.
    await tab.goto(site.url.replace('127.0.0.1', 'localhost'));
    await tab.waitForFunction('window.outcome');
    const outcome = await tab.evaluate<PageOutcome>('window.outcome');
    await tab.close();
    return { ...outcome, sent };
  }

  /** What the page has been handed, by the name of the platform. */
  async function codesFor({ Id }: Stored): Promise<ReadonlyMap<string, string>> {
    const rows = (await room.call(`integrations/get?RtbEp=${Id}`)) as unknown as readonly {
      readonly Name: string;
      readonly Codes: readonly { readonly Code: string }[];
    }[];
    return new Map(rows.map(({ Name, Codes: [first] }) => [Name, first?.Code ?? '']));
  }

  const paramsOf = (rtbEp: Stored) => {
    const url = new URL(zoneUrl(rtbEp));
    const { zone, auth } = Object.fromEntries(url.searchParams);
    return { endpoint: `${url.origin}${url.pathname}`, zone: Number(zone), auth };
  };
  const banner = {
    sizes: [
      [300, 250],
      [728, 90],
    ],
  };
  const video = {
    context: 'instream',
    playerSize: [640, 360],
    mimes: ['video/mp4'],
    protocols: [2, 3],
    plcmt: 1,
  };
  const native = {
    adTemplate: '<a href="##hb_native_linkurl##">##hb_native_asset_id_1##</a>',
    ortb: { ver: '1.2', assets: [{ id: 1, required: 1, title: { len: 80 } }] },
  };

  test('banner, video and native ads are shown, and counted once on both sides', async () => {
    const leaderboard = await room.campaign({ Type: 2, Width: 728, Height: 90, Cpm: 3 });
    const clip = await room.campaign({ Type: 1, Cpm: 4, MediaUrl: `${site.url}/film.mp4`, Duration: 1 });
    dsp.answer('/native', (call) => nativeBids(call));
    const demand = await room.dsp({ ZoneUrlUsEast: `${dsp.url}/native`, NativeEnabled: 1, GvlId: 755 });
    const rtbEp = await room.endpoint({
      HeaderBidJs: 1,
      RevenueCountingMethod: 2,
      Campaigns: [leaderboard.Id, clip.Id],
      DspRtbEps: [demand.Id],
    });
    await room.served();
    const bids = [{ bidder: 'bourse', params: paramsOf(rtbEp) }];
    // The film comes from a server of the test, without TLS.
    const ortb2Imp = { secure: 0 };
    const units = [
      { code: 'top', mediaTypes: { banner }, bids },
      { code: 'film', mediaTypes: { video }, ortb2Imp, bids },
      { code: 'list', mediaTypes: { native }, bids },
      { code: 'any', mediaTypes: { banner, video, native }, ortb2Imp, bids },
    ];
    const outcome = await visit({ bidder: 'bourse', config: {}, units });
    const told = { bidderCode: 'bourse', currency: 'USD', domains: ['brand.example'] };
    assert.deepEqual(
      outcome.bids.map(({ ttl, ...bid }) => bid),
      [
        { adUnitCode: 'top', mediaType: 'banner', cpm: 3, width: 728, height: 90, ...told },
        { adUnitCode: 'film', mediaType: 'video', cpm: 4, width: 640, height: 360, ...told },
        { adUnitCode: 'list', mediaType: 'native', cpm: 2, width: 0, height: 0, ...told },
        { adUnitCode: 'any', mediaType: 'video', cpm: 4, width: 640, height: 360, ...told },
      ],
    );
    assert.deepEqual(outcome.counts, { bidResponse: 4, bidWon: 4 });
    const [asked] = outcome.sent.filter((url) => url.startsWith('/rtb?'));
    assert.match(asked ?? '', /&gzip=1$/, 'the request is compressed');
    const row = await room.statistics(rtbEp, ({ NetImpressions }) => Number(NetImpressions) >= 4);
    assert.deepEqual([row.Requests, row.Wins, row.NetImpressions], [1, 4, 4]);
  });

  test('the code that publishers are handed shows banner and native, and hands on the video', async () => {
    const leaderboard = await room.campaign({ Type: 2, Width: 728, Height: 90, Cpm: 3 });
    const clip = await room.campaign({ Type: 1, Cpm: 4 });
    const assets = [
      { id: 1, title: { text: 'Brand' } },
      { id: 2, img: { url: 'https://brand.example/a.png', w: 300, h: 157 } },
    ];
    dsp.answer('/handed', (call) => nativeBids(call, assets));
    const demand = await room.dsp({ ZoneUrlUsEast: `${dsp.url}/handed`, NativeEnabled: 1 });
    const rtbEp = await room.endpoint({
      HeaderBidJs: 1,
      RevenueCountingMethod: 2,
      Campaigns: [leaderboard.Id, clip.Id],
      DspRtbEps: [demand.Id],
    });
    await room.served();
    const codes = await codesFor(rtbEp);
    page = `<!doctype html><title>news</title><script>
      var pbjs = { que: [] };
      // A slow machine; what the page's parts tell.
      pbjs.que.push(() => {
        pbjs.setConfig({ bidderTimeout: 10000 });
        window.shown = [];
        window.keys = {};
        pbjs.onEvent('bidResponse', ({ adUnitCode, adserverTargeting }) => {
          window.keys[adUnitCode] = adserverTargeting;
        });
        pbjs.onEvent('adRenderSucceeded', ({ bid }) => window.shown.push(bid.mediaType));
      });
      addEventListener('vast', ({ detail }) => { window.vast = detail; });
    </script>${codes.get('prebidJs')}`;
    const tab = await browser.newPage();
    // Another origin than the exchange's, so that CORS holds.
    await tab.goto(site.url.replace('127.0.0.1', 'localhost'));
    await tab.waitForFunction('window.vast && window.shown.length === 2');
    assert.deepEqual(await tab.evaluate('window.shown.sort()'), ['banner', 'native']);
    assert.match(await tab.evaluate('window.vast'), /<VAST.*film\.mp4/s);

    // In Google Ad Manager, a line item by the price, whose creative stands in a SafeFrame: a frame of another origin.
    const keys = await tab.evaluate<Readonly<Record<string, string>>>(`window.keys['banner-${rtbEp.Id}']`);
    const [named = ''] = guideCode('ad-manager.md', 'Header bidding', 'text');
    assert.deepEqual(
      named.split(/\s+/).filter((key) => key && keys[key] === undefined),
      ['hb_uuid'],
      'a video in a cache alone has its ID there',
    );
    const prices = String(codes.get('lineItems'))
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',').at(-1));
    assert.ok(prices.includes(keys.hb_pb));
    const buckets = await tab.evaluate<string[]>(
      'Array.from({ length: 2500 }, (_, cents) => window.bucketOf(cents / 100))',
    );
    assert.deepEqual(
      new Set(buckets),
      new Set(['0.00', ...prices]),
      "Prebid's prices, below the first line item too",
    );
    assert.equal(codes.get('prebidCreative'), guideCode('ad-manager.md', 'Header bidding', 'html')[0]);
    page = servedByAdManager(codes.get('prebidCreative') ?? '', tab.url(), keys);
    // The package needs its dependencies to be built alone: `overrides` of package.json leave them out.
    const creatives = import.meta.resolve('prebid-universal-creative/dist/banner.js');
    await tab.route('https://cdn.jsdelivr.net/npm/prebid-universal-creative@latest/dist/*.js', (route) => {
      const [name = ''] = /[^/]+$/.exec(route.request().url()) ?? [];
      return route.fulfill({ path: fileURLToPath(new URL(name, creatives)) });
    });
    await tab.evaluate(
      `document.body.append(Object.assign(document.createElement('iframe'), { name: 'safeframe', src: '${site.url}/safeframe' }))`,
    );
    await tab.waitForFunction('window.shown.length === 3');
    await tab
      .frameLocator('iframe[name=safeframe]')
      .frameLocator('iframe')
      .last()
      .getByText('brand')
      .waitFor();
    await tab.close();
  });

  for (const { SyncType, by, filterSettings } of [
    { SyncType: 1, by: 'a picture', filterSettings: undefined },
    { SyncType: 2, by: 'a frame', filterSettings: { iframe: { bidders: ['bourse'], filter: 'include' } } },
  ])
    test(`partners match users by ${by}, and know them in the next request`, async () => {
      // It sends the browser on to our URL, as the frame or the picture that it is in.
      const partner = await listenOnLoopback(
        createServer(({ url }, response) => {
          const to = new URL(url ?? '', 'http://localhost').searchParams.get('to') ?? '';
          if (SyncType === 1) response.writeHead(302, { location: to }).end();
          else
            response
              .setHeader('content-type', 'text/html')
              .end(`<script>location.replace(${JSON.stringify(to)})</script>`);
        }),
      );
      const path = `/known-${SyncType}`;
      dsp.answer(path, () => ({ status: 204, body: '' }));
      const demand = await room.dsp({
        ZoneUrlUsEast: `${dsp.url}${path}`,
        SyncType,
        SyncUrl: `${partner.url}/match?to={redirect_url}user-7`,
      });
      const rtbEp = await room.endpoint({ HeaderBidJs: 1, DspRtbEps: [demand.Id] });
      await room.served();
      const told = () => {
        const { user } = JSON.parse(dsp.calls(path).at(-1)?.body ?? '{}') as { user?: { buyeruid?: string } };
        return user?.buyeruid;
      };
      const userSync = { syncDelay: 0, ...(filterSettings && { filterSettings }) };
      const units = [
        { code: 'top', mediaTypes: { banner }, bids: [{ bidder: 'bourse', params: paramsOf(rtbEp) }] },
      ];
      page = pageWith({ bidder: 'bourse', config: { userSync }, units });
      const tab = await browser.newPage();
      const isMatched = tab.waitForResponse(/\/setuid\?.*uid=user-7$/);
      await tab.goto(site.url.replace('127.0.0.1', 'localhost'));
      await isMatched;
      assert.equal(told(), undefined);
      await tab.reload();
      await tab.waitForFunction('window.outcome');
      assert.equal(told(), 'user-7');
      await tab.close();
      await partner.close();
    });

  test('under an alias, with consent, floors and a currency of its own', async () => {
    dsp.answer('/euro', ({ body }) => {
      const { id, imp } = JSON.parse(body) as { id: string; imp: { id: string }[] };
      const bid = imp.map((one) => ({
        ...{ id: one.id, impid: one.id, price: 2, adm: '<b>ad</b>', w: 300, h: 250, mtype: 1, crid: 'e' },
        adomain: ['brand.example'],
      }));
      return { body: JSON.stringify({ id, cur: 'EUR', seatbid: [{ bid }] }) };
    });
    const demand = await room.dsp({ ZoneUrlUsEast: `${dsp.url}/euro`, Currency: 'EUR', GvlId: 755 });
    const rtbEp = await room.endpoint({ HeaderBidJs: 1, RevenueCountingMethod: 2, DspRtbEps: [demand.Id] });
    await room.served();
    const consent = consentString({ purposes: allPurposes, vendors: [755] });
    const head = `<script>
      window.__tcfapi = (command, version, callback) =>
        callback({ gdprApplies: true, tcString: '${consent}', eventStatus: 'tcloaded', vendor: { consents: { 755: true } }, purpose: { consents: {} } }, true);
      window.__uspapi = (command, version, callback) => callback({ version: 1, uspString: '1YNN' }, true);
      window.__gpp = (command, callback) => {
        const pingData = { gppVersion: '1.1', signalStatus: 'ready', cmpStatus: 'loaded', gppString: 'DBABTA~1YNN', applicableSections: [6], supportedAPIs: [], parsedSections: {} };
        if (command === 'ping') return callback(pingData, true);
        if (command === 'addEventListener') return callback({ eventName: 'signalStatus', data: 'ready', pingData }, true);
        callback(null, true);
      };
    </script>`;
    const outcome = await visit(
      {
        bidder: 'acme',
        config: {
          consentManagement: Object.fromEntries(
            ['gdpr', 'usp', 'gpp'].map((name) => [name, { cmpApi: 'iab', timeout: 5000 }]),
          ),
          currency: { adServerCurrency: 'EUR', rates: { USD: { EUR: 0.92 } } },
          floors: { data: { currency: 'EUR', schema: { fields: ['mediaType'] }, values: { banner: 1.25 } } },
        },
        units: [{ code: 'top', mediaTypes: { banner }, bids: [{ bidder: 'acme', params: paramsOf(rtbEp) }] }],
      },
      head,
    );
    assert.deepEqual(
      outcome.bids.map(({ bidderCode, cpm, currency }) => [bidderCode, cpm, currency]),
      [['acme', 2, 'EUR']],
    );
    assert.deepEqual(outcome.counts, { bidResponse: 1, bidWon: 1 });
    const asked = JSON.parse(dsp.calls('/euro').at(-1)?.body ?? '{}') as {
      readonly imp: readonly Values[];
      readonly regs: Values;
      readonly user: Values;
      readonly cur: unknown;
    };
    assert.deepEqual([asked.regs.gdpr, asked.user.consent], [1, consent]);
    const { us_privacy, gpp, gpp_sid } = asked.regs;
    assert.deepEqual([us_privacy, gpp, gpp_sid], ['1YNN', 'DBABTA~1YNN', [6]]);
    assert.deepEqual([asked.imp[0]?.bidfloor, asked.imp[0]?.bidfloorcur], [1.25, 'EUR']);
  });
});
