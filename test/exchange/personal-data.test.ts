import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { dimensionRows } from '../../src/reference/dimensions.ts';
import { addressOf, startClickHouse, type TestClickHouse } from '../clickhouse/clickhouse-engine.ts';
import { isAbsent } from '../clickhouse/engine-folder.ts';
import { addUsers } from '../management/users.ts';
import { eventually } from '../support/eventually.ts';
import { type Loopback, listenOnLoopback } from '../support/loopback.ts';
import { startTestServer } from '../support/server.ts';
import { ask } from './ask.ts';
import {
  type ExchangeRoom,
  furnish,
  reported,
  type Stored,
  todays,
  type Values,
  zoneUrl,
} from './exchange-room.ts';
import { bidResponse, type DspAnswer, type DspCall, type MockDsp, startMockDsp, vastAd } from './mock-dsp.ts';
import {
  type Consent, consentMacros, consents, filesIn, marks, marksIn, nothingAllowed, userSync, viewer, visitorHeaders,
} from './personal-data.ts'; // biome-ignore format: names
import { directUrl, feedUrl } from './pop-room.ts';
import { bannerImp, popImp, requestOf, videoImp } from './rtb-room.ts';

let folder: string;
let clickHouse: TestClickHouse | undefined;
let room: ExchangeRoom;
let dsp: MockDsp;
let resets: Loopback;
const logged: string[] = [];
/** By path. */
const supplies = new Map<string, Stored>();
/** What was written to disk before it was counted. */
let outbox: readonly (readonly [name: string, text: string])[] = [];

/** All that a partner was told, as it might write it into its answer. */
const echoOf = ({ url, headers, body }: DspCall) =>
  `${decodeURIComponent(url)} ${JSON.stringify(headers)} ${body}`;
const inXml = (text: string) => text.replaceAll(/[<>&]/g, ' ');
const notices = () =>
  Object.fromEntries(
    ['nurl', 'burl', 'lurl'].map((name) => [name, `${dsp.url}/notice?of=${name}&${consentMacros}`]),
  );

/** Of bidders: those that bid, and those that fail in each way. */
const bidders: Readonly<Record<string, (call: DspCall) => DspAnswer>> = {
  '/bids': (call) => {
    const [imp] = (JSON.parse(call.body) as { imp: readonly Values[] }).imp;
    const page = imp?.banner ? `<p>${inXml(echoOf(call))}</p>` : vastAd({ inline: `<Description>${inXml(echoOf(call))}</Description>` });
    return bidResponse(call, { price: 5, adm: imp?.instl ? 'https://brand.example/' : page, ...notices() });
  },
  '/nonsense': (call) => ({ body: echoOf(call) }),
  '/no-vast': (call) => bidResponse(call, { price: 9, adm: echoOf(call), ...notices() }),
  '/wrong-currency': (call) => bidResponse(call, { price: 9 }, { cur: echoOf(call) }),
  '/wrong-member': (call) => bidResponse(call, { price: echoOf(call), impid: echoOf(call) }),
  '/fails': (call) => ({ status: 500, body: echoOf(call) }),
  '/leads-away': (call) => ({ status: 302, headers: { location: `http://[::1]:1/?${encodeURIComponent(echoOf(call))}` }, body: '' }),
  '/never': () => ({ afterMs: Number.POSITIVE_INFINITY, body: '' }),
}; // biome-ignore format: a table

const tags: Readonly<Record<string, (call: DspCall) => DspAnswer>> = {
  '/vast': (call) => ({ body: vastAd({ inline: `<Description>${inXml(echoOf(call))}</Description>` }) }),
  '/vast-nonsense': (call) => ({ body: `<p>${echoOf(call)}` }),
  '/vast-price': (call) => ({ body: vastAd({ inline: `<Pricing model="${encodeURIComponent(echoOf(call))}" currency="USD">1</Pricing>` }) }),
  '/vast-fails': (call) => ({ status: 503, body: echoOf(call) }),
}; // biome-ignore format: a table
const feeds: Readonly<Record<string, (call: DspCall) => DspAnswer>> = {
  '/pop': () => ({ body: '{"result":[{"bid":"0.004","url":"https://brand.example/"}]}' }),
  '/pop-nonsense': (call) => ({
    body: `{"result":[{"bid":"${encodeURIComponent(echoOf(call))}","url":"x"}]}`,
  }),
  '/pop-fails': (call) => ({ status: 500, body: echoOf(call) }),
};
const macros = (names: string) =>
  names
    .split(' ')
    .map((name) => `${name}={${name}}`)
    .join('&');

async function addDemand() {
  const ids: Record<string, number[]> = { DspRtbEps: [], DspVastTags: [], DspPopFeeds: [] };
  const note = async (list: string, path: string, values: Values) => ids[list]?.push((await room.add(path, { ...userSync, ...values })).Id);
  const media = { VideoEnabled: 1, BannerEnabled: 1, PopEnabled: 1 };
  for (const [path, answer] of Object.entries({ ...bidders, ...tags, ...feeds })) dsp.answer(path, answer);
  dsp.answer('/notice', () => ({ status: 500, body: '' }));
  for (const path of Object.keys(bidders))
    await note('DspRtbEps', 'ortb/dsprtbep', { Name: path, ...media, ZoneUrlUsEast: `${dsp.url}${path}` });
  await note('DspRtbEps', 'ortb/dsprtbep', { Name: 'resets', ...media, ZoneUrlUsEast: `${resets.url}/` });
  await note('DspRtbEps', 'ortb/dsprtbep', { Name: 'with custom members', ...media, ZoneUrlUsEast: `${dsp.url}/bids`, CustomParams: { 'ext.x': '1' } });
  const query = macros('buyeruid width height cb ua ip app_name country lat lon gdpr gdpr_consent us_privacy gpp gpp_sid coppa lmt gpc');
  for (const path of Object.keys(tags))
    await note('DspVastTags', 'ortb/dspvasttag', { Name: path, ZoneUrlUsEast: `${dsp.url}${path}?${query}`, ...(path === '/vast-price' ? {} : { FixedCpm: 1 }) });
  const popQuery = macros('buyeruid ip ua url query subid uid country lang cb gdpr_consent us_privacy gpp');
  for (const path of Object.keys(feeds))
    await note('DspPopFeeds', 'xml/dsppopfeed', { Name: path, FeedUrlUsEast: `${dsp.url}${path}?${popQuery}`, DirectUrl: `https://brand.example/?${popQuery}`, FixedSpendCpc: path === '/pop' ? 0.01 : 0 });
  const film = { Cpm: 0.1, ClickUrl: 'https://brand.example/offer', Html: '<p>x</p>', MediaUrl: 'https://cdn.example/a.mp4', Mime: 'video/mp4' };
  const campaigns = [1, 2, 3].map((Type) => room.add('campaign', { Name: `campaign ${Type}`, Type, ...film }));
  return { ...ids, Campaigns: (await Promise.all(campaigns)).map(({ Id }) => Id) };
} // biome-ignore format: a table

async function addSupply(connected: Readonly<Record<string, readonly number[]>>) {
  const { DspRtbEps, DspVastTags, DspPopFeeds, Campaigns } = connected;
  const media = { BannerEnabled: 1, VideoEnabled: 1, PopEnabled: 1, NativeEnabled: 1 };
  const rows = [
    ['/rtb', 'ortb/rtbep', { ...media, BuyerUidOf: DspRtbEps?.[0], DspRtbEps, DspVastTags, DspPopFeeds, Campaigns }],
    ['/rtb of browsers', 'ortb/rtbep', { ...media, HeaderBidJs: 1, DspRtbEps }],
    ['/vast', 'ortb/vasttag', { Waterfall: 1, DspRtbEps, DspVastTags, Campaigns }],
    ['/banner', 'bannerep', { DspRtbEps, Campaigns }],
    ['/pop', 'xml/popfeed', { DspRtbEps, DspPopFeeds, Campaigns, FallbackUrl: 'https://fallback.example/' }],
  ] as const; // biome-ignore format: a table
  const ips = await room.add('iplist', { Name: 'networks', ListText: '203.0.113.0/24\n2001:db8::/32' });
  for (const [name, path, values] of rows) {
    supplies.set(
      name,
      await room.add(path, { Name: name, ...(name.startsWith('/rtb') ? {} : { Tmax: 300 }), ...values }),
    );
    const blocked = {
      Name: `${name}, blocked`,
      ...(name.startsWith('/rtb') ? {} : { Tmax: 300 }),
      IpBlacklists: [ips.Id],
      AllowIpV6: 0,
    };
    supplies.set(blocked.Name, await room.add(path, { ...values, ...blocked }));
  }
}

const supplyNamed = (name: string): Stored => supplies.get(name) ?? assert.fail(name);
const headers = { ...visitorHeaders, connection: 'close' };
const urlsIn = (text: string) =>
  [...text.matchAll(/https?:\/\/127\.0\.0\.1:\d+\/(?:track|click)[^"'<>\]\s\\]*/g)].map(([url]) =>
    url.replaceAll('&amp;', '&'),
  );

/** Calls what an answer has: trackers, clicks and notices, as browsers and callers do. */
async function follow(text: string): Promise<void> {
  for (const url of new Set(urlsIn(text)))
    await ask(`${url}&loss=102&price=3&gdpr_consent=mark-user`, headers);
}

async function bidOn(name: string, { regs, consent }: Consent, addressed: object): Promise<void> {
  const { device, user, site } = viewer;
  const asked = [videoImp, bannerImp, popImp].map(async (imp) => {
    const members = {
      device: { ...device, ...addressed },
      user: { ...user, consent },
      site,
      regs,
      tmax: 400,
    };
    const body = JSON.stringify(requestOf([imp], members));
    const response = await fetch(zoneUrl(supplyNamed(name)), {
      method: 'POST',
      headers: visitorHeaders,
      body,
    });
    await follow(await response.text());
  });
  await Promise.all(asked);
}

/** Requests that no partner sees, in all the ways in which they are wrong. */
async function askWrongly(): Promise<void> {
  const url = zoneUrl(supplyNamed('/rtb'));
  const whole = requestOf([videoImp], { ...viewer, regs: { gdpr: 'mark-user' } });
  const bodies = [
    JSON.stringify(whole),
    JSON.stringify({ ...whole, regs: {}, device: { ...viewer.device, geo: { lat: '52.5243778' } } }),
    JSON.stringify(viewer),
    `${JSON.stringify(viewer)}{`,
    JSON.stringify({ ...whole, padding: 'mark-user '.repeat(100_000) }),
  ];
  for (const body of bodies) await fetch(url, { method: 'POST', headers: visitorHeaders, body });
  await fetch(url, { method: 'POST', headers: { ...visitorHeaders, 'content-encoding': 'gzip' }, body: 'mark-ifa' });
  const encoded = encodeURIComponent(JSON.stringify(viewer));
  for (const method of ['OPTIONS', 'HEAD', 'PUT', 'GET']) {
    for (const path of ['rtb', 'vast', 'banner', 'pop', 'direct', 'track/impression', 'click/mark-user', 'sync'])
      await ask(`${room.server.url}/${path}?zone=mark-user&auth=mark-ifa&t=mark-eid&x=${encoded}`, { ...headers, origin: 'https://news.example' }, method);
  }
  await ask(`${room.server.url}/%E0%A4%A?ip=203.0.113.77`, headers);
  await ask(`${room.server.url}/api/auth/login?user=mark-user`, headers, 'POST');
} // biome-ignore format: a table

async function askAtAllDoors(consent: Consent, suffix: string): Promise<void> {
  const supply = (door: string) => supplyNamed(`${door}${suffix}`);
  const urls = [
    ...['/vast', '/banner'].map((door) => zoneUrl(supply(door), playerMacros)),
    ...(['Json', 'Xml'] as const).map((form) => feedUrl(supply('/pop'), feedMacros, form)),
    directUrl(supply('/pop')),
  ];
  await Promise.all([
    bidOn(`/rtb${suffix}`, consent, {}),
    bidOn(`/rtb${suffix}`, consent, { ip: undefined }),
    bidOn(`/rtb of browsers${suffix}`, consent, { ip: undefined, ua: undefined }),
    ...urls.map(async (url) => follow((await ask(`${url}${consent.query}`, headers)).text)),
  ]);
}

async function api(path: string, token: string, body?: object): Promise<string> {
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  const response = await fetch(`${room.server.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}` },
  });
  return `${path}: ${await response.text()}`;
}

/** All that may be fetched without naming anything. */
async function fetched(token: string): Promise<readonly string[]> {
  const document = await (await fetch(`${room.server.url}/api/openapi.json`)).json();
  const paths = Object.entries(
    (document as { paths: Record<string, { get?: { parameters?: readonly Values[] } }> }).paths,
  );
  const free = paths.filter(([, { get }]) => get && !(get.parameters ?? []).some(({ required }) => required));
  const texts: string[] = [];
  for (const [path] of free) if (!/openapi|download/.test(path)) texts.push(await api(path, token));
  return texts;
}

async function reportsBy(token: string): Promise<readonly string[]> {
  const texts: string[] = [];
  const asked = { Period: 'Last7Days', Measures: ['Requests', 'Impressions', 'Refusals', 'Revenue'] };
  for (const [name] of dimensionRows) {
    for (const question of [{ ...asked, GroupBy: [name] }, { ...asked, Measures: ['Requests'], GroupBy: [name] }, { ...asked, Measures: ['Refusals'], GroupBy: [name] }]) {
      texts.push(await api('/api/statistics/report', token, question), await api('/api/statistics/report?Format=csv', token, question));
    }
  }
  return texts;
} // biome-ignore format: a table

/** Of the last request to an object: browser, page, search words and privacy signals. */
const marksToldInTests = [
  'Mark-Agent',
  'mark-page',
  'mark-search',
  nothingAllowed,
  'DBABLA~CAARAAAAAABA.YA',
  '1YYN',
];
const kinds = ['RtbEp', 'VastTag', 'BannerEp', 'PopFeed', 'DspRtbEp', 'DspVastTag', 'DspPopFeed', 'Campaign'];

describe('no personal datum of a viewer is', () => {
  before(prepare);
  after(async () => {
    await room?.close();
    await dsp?.close();
    await resets?.close();
    await clickHouse?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const isFree = (texts: readonly string[]) => {
    assert.ok(texts.length > 0);
    const leaks = texts.flatMap((text) => marksIn(text).map((mark) => `${mark} in ${around(text, mark)}`));
    assert.deepEqual(leaks, []);
  };

  test('unknown to partners where nothing forbids it, so that all of the others say something', () => {
    const told = ['/bids', '/vast', '/pop'].flatMap((path) => dsp.calls(path).map(echoOf)).join('\n');
    const unsent: readonly (string | RegExp)[] = ['cb00714d', '3405803853', '2001:0db8:0077:0088', 'mark-cookie'];
    const missing = marks.filter((mark) => !unsent.includes(mark) && !(typeof mark === 'string' ? told.includes(mark) : mark.test(told)));
    assert.deepEqual(missing, []);
  });
  test('in the log', () => isFree([logged.join('')]));
  test('in metrics', async () => isFree([await (await fetch(`${room.server.url}/metrics`)).text()]));
  test('in what the API answers', async () => isFree(await fetched(room.server.token)));
  test('in what partners see in the portal', async () => {
    const accounts = [room.publisher, room.advertiser].map(({ Id: id }, index) => ({ kind: index === 0 ? 'Publisher' : 'Advertiser', id }) as const);
    const users = await addUsers(room.server, accounts.map((partner) => ({ role: 3, teamId: 1, partner })));
    for (const { token } of users) isFree([...(await fetched(token)), ...(await reportsBy(token))]);
  });
  test('in reports by any dimension, also as CSV', async () => isFree(await reportsBy(room.server.token)));
  test('in statistics URLs', async () => {
    const urls = [...supplies.values()].flatMap((one) => Object.entries(one).filter(([name]) => /^Stats/.test(name)).map(([, url]) => todays(url)));
    isFree(await Promise.all(urls.map(async (url) => (await fetch(url)).text())));
  });
  for (const kind of kinds) {
    test(`in the health of ${kind}`, async () => isFree([await api(`/api/health/get?Entity=${kind}`, room.server.token)]));
  }
  test('in explanations of the last request, and tests with it', async () => {
    const texts: string[] = [];
    for (const [name, { Id }] of supplies) {
      const Entity = kinds[['/rtb', '/vast', '/banner', '/pop'].findIndex((door) => name.startsWith(door))] ?? '';
      texts.push(await api('/api/exchange/explain', room.server.token, { Entity, Id }));
      const tested = await api('/api/exchange/test/run', room.server.token, { Entity, Id });
      // Partners need them to answer as they would have.
      texts.push(marksToldInTests.reduce((text, mark) => text.replaceAll(mark, ''), tested));
    }
    isFree(texts);
  });
  test('in ClickHouse', { skip: isAbsent }, async () => {
    const rows = async () => JSON.stringify(await clickHouse?.row('SELECT groupArray(toString(tuple(*))) FROM bourse_fact'));
    await eventually(async () => assert.match(await rows(), /news\.example/), 'rows reach ClickHouse');
    isFree([await rows()]);
  });
  test('in files, before and after it is counted', () => {
    assert.ok(outbox.some(([name]) => /seg|\d/.test(name)));
    const isDatabase = !room.server.databaseUrl.includes('postgres');
    const database = isDatabase ? rowsIn(room.server.databaseUrl.replace(/^\w+:(\/\/)?/, '')) : [];
    // Notices wait there until they are sent, as partners wrote them.
    const withoutNotices = (text: string) => text.replaceAll(/"url":"[^"]*"/g, '');
    isFree([...outbox, ...database].map(([name, text]) => `${name}: ${withoutNotices(text)}`));
  });
}); // biome-ignore format: a table

const playerMacros = {
  ip: '203.0.113.77', ua: visitorHeaders['user-agent'], ifa: 'mark-ifa', site_url: visitorHeaders.referer, lang: 'de', width: '640', height: '360',
}; // biome-ignore format: a table
const feedMacros = {
  user_ip: '203.0.113.77', ua: visitorHeaders['user-agent'], uid: 'mark-user', url: visitorHeaders.referer, query: 'mark-search', lang: 'de',
}; // biome-ignore format: a table

/** All of a SQLite file, table by table: its pages would cut what is told from what is not. */
function rowsIn(path: string): readonly (readonly [table: string, text: string])[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
  const rows = tables.map(({ name }): [string, string] => [
    String(name),
    database
      .prepare(`select * from "${name}"`)
      .all()
      .flatMap((row) => Object.values(row))
      .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
      .join('\n'),
  ]);
  database.close();
  return rows;
}

/** What is around the first place of a mark. */
function around(text: string, mark: string): string {
  const found = mark.startsWith('/') ? text.search(/\byob\b|1YYN/) : text.indexOf(mark);
  const at = Math.max(0, found);
  return `${text.slice(0, 60)} … ${text.slice(Math.max(0, at - 200), at + 60)}`;
}

async function prepare(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'bourse-personal-'));
  clickHouse = isAbsent ? undefined : await startClickHouse();
  resets = await listenOnLoopback(createServer((request) => void request.destroy()));
  dsp = await startMockDsp();
  const logger = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  const outboxFolder = join(folder, 'outbox');
  const config = {
    allowPrivateDemand: true,
    trustedProxies: 1,
    outboxFolder,
    ...(clickHouse && { analyticsUrl: addressOf(clickHouse.url()), analyticsSample: 1 }),
  };
  // Nothing is counted before it has been looked at.
  room = await furnish(await startTestServer(config, logger, { flushMs: 3_600_000 }));
  await addSupply(await addDemand());
  await room.served();
  for (const suffix of ['', ', blocked'])
    for (const consent of consents) await askAtAllDoors(consent, suffix);
  await askWrongly();
  outbox = filesIn(outboxFolder);
  await room.server.flush();
  await reported(supplyNamed('/vast').StatsByDateJson, ([row]) => Number(row?.Requests) > 0);
}
