import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { deliveryEndpoints } from '../../src/exchange/endpoints/delivery-endpoints.ts';
import { testAnswers, testPagePolicies } from '../../src/exchange/endpoints/test/test-answer.ts';
import { SandboxedResponse } from '../../src/management/http/sandboxed-response.ts';
import { filmPath, landingPath, mockDspPath, playerPath } from '../../src/reference/demo-paths.ts';
import { rawHttp } from '../robustness/raw-http.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type ExchangeRoom, openExchange, type Stored, zoneUrl } from './exchange-room.ts';
import { directUrl, feedUrl, visitor } from './pop-room.ts';

const standard = "sandbox; default-src 'none'";
const api = "default-src 'none'; frame-ancestors 'none'";

/** Asks without following redirects, and checks that the answer has one of these policies. */
async function asked(url: string, policies: readonly string[], init: RequestInit = {}) {
  let response: Response;
  // A user may hold five tests a second.
  do response = await fetch(url, { redirect: 'manual', ...init });
  while (response.status === 429);
  const text = await response.text();
  const what = `${init.method ?? 'GET'} ${url}: ${response.status}`;
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff', what);
  const policy = response.headers.get('content-security-policy') ?? 'none';
  assert.ok(policies.includes(policy), `${what} has the policy ${policy}`);
  return { status: response.status, policy, text };
}

let room: ExchangeRoom;
/** Objects by the path of their door. */
const supply = new Map<string, Stored>();
/** Requests that each door answers with what it is there for, by its path. */
const answered = new Map<string, () => Promise<readonly (readonly [url: string, init?: RequestInit])[]>>();

const film = {
  Cpm: 4,
  MediaUrl: 'https://cdn.example/film.mp4',
  Mime: 'video/mp4',
  Duration: 15,
  Width: 640,
  Height: 360,
  ClickUrl: 'https://brand.example/',
  AdDomain: 'brand.example',
  Html: '<p>brand</p>',
};
const bidRequest = {
  id: 'r',
  site: { domain: 'news.example' },
  device: { ip: '203.0.113.7', ua: 'Mozilla/5.0' },
  imp: [{ id: '1', banner: { w: 300, h: 250 } }],
};
const textOf = async (url: string) => (await fetch(url)).text();

before(async () => {
  room = await openExchange();
  const campaign = async (Type: number) => ({
    Campaigns: [(await room.add('campaign', { ...film, Name: 'C', Type })).Id],
    PublisherProfitShare: 100,
  });
  const [video, banner, pop] = [await campaign(1), await campaign(2), await campaign(3)];
  const tag = await room.add('ortb/vasttag', video);
  const endpoint = await room.add('ortb/rtbep', { BannerEnabled: 1, ...banner });
  const banners = await room.add('bannerep', banner);
  const feed = await room.add('xml/popfeed', { Tmax: 2000, ...pop });
  const checked = await room.add('xml/popfeed', { Tmax: 2000, JsCheck: 1, ...pop });
  const dsp = await room.add('ortb/dsprtbep', {
    Name: 'D',
    SyncType: 1,
    SyncUrl: 'https://dsp.example/?to={redirect_url}$UID',
  });
  const bidder = `DspRtbEp-${dsp.Id}`;
  await room.served();
  supply.set('/vast', tag).set('/banner', banners).set('/pop', feed).set('/direct', feed);
  const clickOf = async (one: Stored) =>
    (JSON.parse(await textOf(feedUrl(one, visitor))) as { result: readonly { click: string }[] }).result[0]
      ?.click ?? '';
  const post = (body: string): RequestInit => ({ method: 'POST', body });
  answered
    .set('/vast', async () => [[zoneUrl(tag)], [`${room.server.url}/vast`]])
    .set('/banner', async () => [[zoneUrl(banners)]])
    .set('/banner/', async () => [[`${room.server.url}/banner/player.js`]])
    .set('/rtb', async () => [
      [zoneUrl(endpoint), post(JSON.stringify(bidRequest))],
      [zoneUrl(endpoint), post('{')],
      [zoneUrl(endpoint), post(' '.repeat(600_000))],
      [zoneUrl(endpoint).replace(/auth=[^&]*/, 'auth=x'), post('{}')],
    ])
    .set('/pop', async () => [[feedUrl(feed, visitor)], [feedUrl(feed, visitor, 'Xml')]])
    .set('/direct', async () => [[directUrl(feed)], [directUrl(checked)]])
    .set('/click/', async () => [[await clickOf(feed)], [await clickOf(checked)]])
    .set('/track/open', async () => [[`${room.server.url}/track/open?t=none`]])
    .set('/track/', async () => [
      [/http[^\]<"]*\/track\/impression[^\]<"]*/.exec(await textOf(zoneUrl(tag)))?.[0] ?? ''],
      [/http[^\]<"]*\/track\/click\?[^\]<"]*/.exec(await textOf(zoneUrl(banners)))?.[0] ?? ''],
    ])
    .set('/sellers.json', async () => [[`${room.server.url}/sellers.json`]])
    .set('/cookie_sync', async () => [
      [zoneUrl(endpoint).replace('/rtb', '/cookie_sync'), post('{}')],
      [zoneUrl(endpoint).replace('/rtb', '/cookie_sync'), post('{')],
    ])
    .set('/setuid', async () => [[`${room.server.url}/setuid?bidder=${bidder}&uid=u&f=b`]])
    .set('/sync', async () => [[`${zoneUrl(endpoint).replace('/rtb', '/sync')}&type=iframe`]])
    .set('/optout', async () => [[`${room.server.url}/optout`]]);
});
after(() => room.close());

describe('every door sends the policy that lets nothing run, or the one that it declares', () => {
  for (const { path, pagePolicy } of deliveryEndpoints) {
    const policies = [standard, ...(pagePolicy === undefined ? [] : [pagePolicy])];

    test(`${path}: to any method and query`, async () => {
      const url = `${room.server.url}${path}`;
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH', 'QUERY'])
        for (const headers of [{}, { origin: 'https://page.example' }, { 'sec-purpose': 'prefetch' }])
          await asked(url, policies, { method, headers });
      for (const query of ['?', '?zone=1&auth=x', '?t=x&zone=%ff&auth=%00', `?zone=${'9'.repeat(9000)}`])
        await asked(url + query, policies);
    });

    test(`${path}: to what it is there for`, async () => {
      const requests =
        (await answered.get(path)?.()) ?? assert.fail(`a request that ${path} answers is wanted here`);
      const met = new Set<string>();
      for (const [url, init] of requests) met.add((await asked(url, policies, init)).policy);
      if (pagePolicy !== undefined && path !== '/track/open')
        assert.ok(met.has(pagePolicy), 'the declared policy is needed');
    });

    test(`${path}: its own policy keeps strangers' markup apart`, () => {
      if (pagePolicy === undefined) return;
      assert.match(pagePolicy, /^(sandbox |default-src 'none'; (script-src 'sha256-|(?!.*script-src)))/);
      assert.doesNotMatch(pagePolicy, /allow-same-origin/);
    });
  }
});

describe('test URLs do so, too', () => {
  for (const path of testAnswers.keys()) {
    test(path, async () => {
      const object = supply.get(path) ?? assert.fail(`an object of ${path} is wanted here`);
      const Entity = { '/vast': 'VastTag', '/banner': 'BannerEp' }[path] ?? 'PopFeed';
      const test = await room.call('exchange/test', { Entity, Id: object.Id });
      const made = Object.values(test).filter((value) => typeof value === 'string');
      const url = made.find((value) => value.includes('test_pass=')) ?? assert.fail(JSON.stringify(test));
      const at = new URL(url);
      at.pathname = path;
      const { dormant, live } = testPagePolicies;
      const seen = [
        await asked(String(at), [standard, dormant]),
        await asked(`${at}&test_live=1`, [standard, live]),
        await asked(String(at), [standard], { method: 'HEAD' }),
        await asked(String(at), [standard], { method: 'POST' }),
        await asked(`${room.server.url}${path}?test_pass=none`, [standard]),
      ];
      assert.deepEqual(
        seen.slice(2).map(({ status }) => status),
        [204, 405, 403],
      );
      assert.ok(seen[0] && seen[0].status < 300, String(seen[0]?.status));
    });
  }
});

describe('what no door answers', () => {
  const head = (line: string, more = '') => `${line} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
  const cases: readonly (readonly [bytes: string, status: number])[] = [
    [head('GET /vastx'), 404],
    [head('GET /track'), 404],
    [head('GET /demo/player'), 404],
    [head('FROB /vast'), 400],
    [head(`GET /vast?${'a'.repeat(200_000)}`), 431],
    [`${head('POST /rtb', 'transfer-encoding: chunked\r\n')}zz\r\n`, 400],
    [head('CONNECT x:80'), 405],
    ['\x16\x03\x01', 400],
  ];
  for (const [bytes, status] of cases) {
    test(`${JSON.stringify(bytes.slice(0, 30))}: ${status}`, async () => {
      const reply = await rawHttp(Number(new URL(room.server.url).port), bytes);
      assert.equal(reply.status, status, reply.head);
      assert.match(reply.head, /^x-content-type-options: nosniff\r?$/im);
      const [, policy = 'none'] = /^content-security-policy: (.*?)\r?$/im.exec(reply.head) ?? [];
      assert.ok([standard, api].includes(policy), policy);
    });
  }
});

describe('a demonstration', () => {
  let server: TestServer;
  let key = '';
  before(async () => {
    server = await startTestServer({ allowPrivateDemand: true });
    const init = { method: 'POST', headers: { authorization: `Bearer ${server.token}` }, body: '{}' };
    assert.equal((await fetch(`${server.url}/api/demonstration/start`, init)).status, 200);
    while ((await fetch(`${server.url}${playerPath}`)).status !== 200);
    const { headers } = init;
    const demand = await (await fetch(`${server.url}/api/ortb/dsprtbep/get`, { headers })).text();
    key = /\/demo\/dsp\/([\w-]+)\//.exec(demand)?.[1] ?? assert.fail('no key');
  });
  after(() => server.close());

  const pages = [playerPath, landingPath];
  const others = [
    filmPath,
    '/demo/player.js',
    '/demo/player.css',
    '/demo/vast-client.js',
    '/demo/tags',
    '/demo/auctions?tag=1',
    '/demo/statistics?tag=1',
    `${mockDspPath}/KEY/nothing`,
    `${mockDspPath}/KEY/vast/price=2`,
    `${mockDspPath}/KEY/pop/price=2`,
    `${mockDspPath}/KEY/vast/price=2/impression`,
    ...['error', 'empty', 'redirect', 'markup'].map(
      (fault) => `${mockDspPath}/KEY/vast/price=2,fault=${fault},faulty=1`,
    ),
  ];
  for (const path of pages)
    test(path, async () => {
      const { policy } = await asked(`${server.url}${path}`, [
        (await fetch(`${server.url}${path}`)).headers.get('content-security-policy') ?? '',
      ]);
      assert.match(policy, /default-src 'none'; script-src 'self';.*frame-ancestors 'none'/);
    });
  for (const path of others)
    test(path, async () => void (await asked(server.url + path.replace('KEY', key), [standard])));
});

describe('a response', () => {
  const own = "default-src 'self'";
  const name = 'content-security-policy';
  const cases: Readonly<Record<string, readonly [send: (response: ServerResponse) => void, policy: string]>> =
    {
      'without a head': [(response) => response.end(), standard],
      'with a status': [(response) => response.writeHead(404).end(), standard],
      'with a reason': [(response) => response.writeHead(200, 'Fine', { 'x-a': '1' }).end(), standard],
      'with headers': [(response) => response.writeHead(200, { 'x-a': '1' }).end(), standard],
      'with a list of headers': [(response) => response.writeHead(200, ['x-a', '1']).end(), standard],
      'that says otherwise': [(response) => response.writeHead(200, { [name]: own }).end(), own],
      'that says otherwise in a list': [(response) => response.writeHead(200, [name, own]).end(), own],
      'that has said otherwise': [
        (response) => response.setHeader(name, own).writeHead(200, { 'x-a': '1' }).end(),
        own,
      ],
      'that has set others': [
        (response) => response.setHeader('x-b', '1').writeHead(200, { 'x-a': '1' }).end(),
        standard,
      ],
    };
  for (const [what, [send, policy]] of Object.entries(cases)) {
    test(what, async () => {
      const server = await listenOnLoopback(
        createServer({ ServerResponse: SandboxedResponse }, (_request, response) => send(response)),
      );
      await asked(server.url, [policy]);
      await server.close();
    });
  }
});
