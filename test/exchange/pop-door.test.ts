import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { pino } from 'pino';
import { openConfiguredStore } from '../../src/cli/configured-store.ts';
import { crewMemory, joinCrew } from '../../src/serving/crew.ts';
import { startDelivery } from '../../src/serving/delivery.ts';
import { hostileText } from '../protocols/vast/hostile-text.ts';
import { seeded } from '../support/seed.ts';
import {
  ask,
  type DoorAnswer,
  filled,
  type OpenDoors,
  openDoors,
  type Partner,
  type Stored,
  startPartner,
} from './open-doors.ts';

/** What the partner answers at `/fuzz`. */
let fuzzBody = '';
let doors: OpenDoors;
let partner: Partner;

const browser = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36';
const target = 'https://brand.example/offer?a=1&b=2';
const site = 'https://news.example/page?x=1';

const addFeed = (values: object) =>
  doors.add('xml/popfeed', 'PopFeed', { PublisherId: doors.publisher.Id, Tmax: 2000, ...values });
const addCampaign = (values: object = {}) =>
  doors.add('campaign', 'Campaign', {
    ...{ AdvertiserId: doors.advertiser.Id, Name: 'Pop', Type: 3, Cpm: 4, ClickUrl: target },
    ...values,
  });
const addDsp = (values: object) =>
  doors.add('xml/dsppopfeed', 'DspPopFeed', { AdvertiserId: doors.advertiser.Id, ...values });

function feedUrl(
  feed: Stored,
  macros: Readonly<Record<string, string>> = {},
  form: 'Xml' | 'Json' = 'Json',
): string {
  const [urls] = feed.FeedUrls as readonly Record<string, string>[];
  return filled(urls?.[`FeedUrl${form}`] ?? '', macros);
}

/** The macros as a publisher's server fills them for a visitor. */
const visitor = { user_ip: '203.0.113.7', ua: browser, url: site };

interface Shown {
  readonly title: string;
  readonly url: string;
  readonly description: string;
  readonly bid: number;
  readonly click: string;
}

function shown({ status, text }: DoorAnswer): Shown {
  assert.equal(status, 200, text);
  const [record] = (JSON.parse(text) as { result: Shown[] }).result;
  assert.ok(record);
  return record;
}

/** A feed with one campaign, and the click that it gives for a visitor. */
async function clickOf(
  feed: object,
  campaign: object = {},
  macros: Readonly<Record<string, string>> = visitor,
) {
  const { Id } = await addCampaign(campaign);
  const stored = await addFeed({ Campaigns: [Id], ...feed });
  await doors.served();
  return { feed: stored, click: shown(await ask(feedUrl(stored, macros))).click };
}

const xmlRecord = (fields: string) => `<?xml version="1.0"?><result><record>${fields}</record></result>`;

before(async () => {
  doors = await openDoors();
  const body = (text: string) => (response: { end(text: string): void }) => response.end(text);
  partner = await startPartner({
    '/xml': body(
      xmlRecord(
        '<title>T &amp; U</title><description>D</description><bid>0.0035</bid><url>https://shown.example/</url><click><![CDATA[https://dsp.example/go?a=1&b=2]]></click>',
      ),
    ),
    '/ampersand': body(
      '<ads><ad bid="0.002"><url>https://dsp.example/go?a=1&b=2&amp;c=&#51;</url></ad></ads>',
    ),
    '/attributes': body(
      '<results><listing bid="0.001" redirect="https://dsp.example/low"/><listing bid="0.003" redirect="https://dsp.example/high"/></results>',
    ),
    '/json': body(
      '{"result":[{"title":"T","url":"https://dsp.example/j","description":"D","bid":"0.0031"}]}',
    ),
    '/json-nested': body(
      '{"status":"ok","data":{"ads":[{"cpc":0.0001,"link":"https://dsp.example/low"},{"cpc":0.0032,"clickUrl":"https://dsp.example/n","domain":"nested.example"}]}}',
    ),
    '/cpm': body('{"bid":3.5,"url":"https://dsp.example/cpm"}'),
    '/garbage': body('\0\u0001<<<<{{{ no answer'),
    '/binary': (response) => response.end(Buffer.alloc(4096, 0xfe)),
    '/empty': body('   '),
    '/no-record': body('<result></result>'),
    '/html': body('<html><body><h1>It works!</h1><br></body></html>'),
    '/deep': body('['.repeat(200_000)),
    '/deep-xml': body('<a>'.repeat(50_000)),
    '/open-cdata': body(`<a>&${'<![CDATA['.repeat(20_000)}`),
    '/dtd': body(
      `<!DOCTYPE r [<!ENTITY a "https://evil.example/">]>${'<result><record><bid>1</bid><url>&a;</url></record></result>'}`,
    ),
    '/external': body(
      '<!DOCTYPE r SYSTEM "http://127.0.0.1:1/evil.dtd"><result><record><bid>1</bid><url>https://evil.example/</url></record></result>',
    ),
    '/negative': body(xmlRecord('<bid>-1</bid><url>https://dsp.example/</url>')),
    '/zero': body(xmlRecord('<bid>0</bid><url>https://dsp.example/</url>')),
    '/absurd': body(xmlRecord('<bid>1e300</bid><url>https://dsp.example/</url>')),
    '/not-a-number': body(xmlRecord('<bid>NaN</bid><url>https://dsp.example/</url>')),
    '/comma': body(xmlRecord('<bid>0,5</bid><url>https://dsp.example/</url>')),
    '/script': body(xmlRecord('<bid>0.01</bid><url>javascript:alert(1)</url>')),
    '/split': body('{"bid":0.01,"url":"https://dsp.example/\\r\\nSet-Cookie: a=1\\r\\n\\r\\nbody"}'),
    '/long': body(JSON.stringify({ bid: 0.01, url: `https://dsp.example/${'a'.repeat(100_000)}` })),
    '/status': (response) =>
      response.writeHead(500).end(xmlRecord('<bid>0.01</bid><url>https://dsp.example/</url>')),
    '/hang-up': (response) => response.destroy(),
    '/fuzz': (response) => response.end(fuzzBody),
    '/slow': () => undefined,
    '/endless': (response) => {
      const timer = setInterval(() => response.write(' '.repeat(65_536)), 1);
      response.on('close', () => clearInterval(timer));
    },
  });
});
after(async () => {
  partner.close();
  await doors.close();
});

describe('a Pop Feed with a campaign', () => {
  test('tells what the publisher gets, also where that is nothing', async () => {
    const feed = await addFeed({ Campaigns: [(await addCampaign()).Id] });
    await doors.served();
    assert.equal(shown(await ask(feedUrl(feed, visitor))).bid, 0);
  });

  test('answers in both forms, and its click is impression, click and billable event in one, once', async () => {
    const { Id } = await addCampaign();
    const feed = await addFeed({ Bidfloor: 1, PublisherProfitShare: 50, Campaigns: [Id] });
    await doors.served();
    const json = await ask(feedUrl(feed, { ...visitor, subid: 'home' }));
    assert.match(String(json.headers['content-type']), /^application\/json/);
    assert.equal(json.headers['cache-control'], 'no-store');
    const { url, bid, click } = shown(json);
    assert.deepEqual([url, bid], ['https://brand.example/', 0.0025]);
    const xml = await ask(feedUrl(feed, { ...visitor, subid: 'sport' }, 'Xml'));
    assert.match(String(xml.headers['content-type']), /^application\/xml/);
    assert.match(
      xml.text,
      /^<\?xml version="1.0" encoding="UTF-8"\?><result><record><title>.*<\/title><url>.*<\/url><description>.*<\/description><bid><!\[CDATA\[0\.0025\]\]><\/bid><click><!\[CDATA\[http:.*\/click\/[\w-]+\]\]><\/click><\/record><\/result>$/,
    );
    // Neither form tells where the click leads.
    for (const { text } of [json, xml]) assert.doesNotMatch(text, /offer/);

    for (const _ of [1, 2, 3]) {
      const clicked = await ask(click, { 'user-agent': browser });
      assert.deepEqual([clicked.status, clicked.headers.location], [302, target]);
      // The publisher's site is hidden from whoever is behind the click.
      assert.equal(clicked.headers['referrer-policy'], 'no-referrer');
    }
    const { Requests, Bids, Wins, Bills, NetImpressions, Clicks, Spent } = await doors.rowWith(
      feed.StatsByDateJson,
      (row) => row.Requests === 2,
    );
    assert.deepEqual(
      [Requests, Bids, Wins, Bills, NetImpressions, Clicks, Spent],
      [2, 2, 2, 1, 1, 1, 0.0025],
    );
    const bySubId = await fetch(String(feed.StatsBySubIdJson).replace(/\{date_(from|to)\}/g, ''));
    const rows = (await bySubId.json()) as readonly Record<string, unknown>[];
    assert.deepEqual(
      rows.map(({ SubId, Requests: asked, Clicks: clicks }) => [SubId, asked, clicks]).sort(),
      [
        ['home', 1, 1],
        ['sport', 1, 0],
      ],
    );
  });

  test('who only looks counts nothing and goes nowhere', async () => {
    const { feed, click } = await clickOf({});
    assert.equal((await ask(click, {}, 'HEAD')).status, 204);
    assert.equal((await ask(click, { purpose: 'prefetch' })).status, 204);
    assert.equal((await ask(click, {}, 'POST')).status, 405);
    assert.equal((await doors.row(feed.StatsByDateJson)).Clicks, 0);
  });

  test('the site is shown where both sides allow it', async () => {
    const { click } = await clickOf({ SendOriginalSite: 1 });
    assert.equal((await ask(click)).headers['referrer-policy'], undefined);
  });

  test('a token of a click counts nothing at the other trackers', async () => {
    const { feed, click } = await clickOf({ JsCheck: 1 });
    const token = click.slice(click.lastIndexOf('/') + 1);
    for (const event of ['impression', 'click', 'clicktracking']) {
      assert.equal((await ask(`${doors.server.url}/track/${event}?t=${token}`)).status, 200);
    }
    const { Bills, Clicks } = await doors.rowWith(feed.StatsByDateJson, (row) => row.Requests === 1);
    assert.deepEqual([Bills, Clicks], [0, 0]);
  });
});

describe('what is refused gets 204, and no demand is asked', () => {
  interface Case {
    readonly name: string;
    readonly feed?: object;
    readonly campaign?: object;
    readonly macros?: Readonly<Record<string, string>>;
    readonly url?: (feed: Stored) => string;
  }
  const cases: readonly Case[] = [
    { name: 'a subid of the blacklist', feed: { SubidList: 'bad\nworse' }, macros: { subid: 'bad' } },
    {
      name: 'a subid that is not of the whitelist',
      feed: { SubidListMode: 1, SubidList: 'good' },
      macros: { subid: 'bad' },
    },
    { name: 'no subid, where there is a whitelist', feed: { SubidListMode: 1, SubidList: 'good' } },
    { name: 'a bid below the floor', feed: { Bidfloor: 5 } },
    { name: 'IPv6, where it is not allowed', feed: { AllowIpV6: 0 }, macros: { user_ip: '2001:db8::1' } },
    {
      name: 'an advertiser that is blocked by Secure',
      feed: { Secure: 1 },
      campaign: { ClickUrl: 'http://brand.example/' },
    },
    { name: 'a campaign of another type', campaign: { Type: 1, MediaUrl: 'https://cdn.example/a.mp4' } },
    { name: 'an unknown feed', url: (feed) => feedUrl(feed).replace(/feed=\d+/, 'feed=999999') },
    { name: 'a wrong auth', url: (feed) => feedUrl(feed).replace(/auth=[^&]+/, 'auth=wrong') },
    {
      name: 'the auth of the direct link',
      url: (feed) => feedUrl(feed).replace(String(feed.Auth), String(feed.AuthDirectUrl)),
    },
    { name: 'no query', url: () => `${doors.server.url}/pop` },
  ];
  for (const {
    name,
    feed: values = {},
    campaign = {},
    macros = visitor,
    url = (feed: Stored) => feedUrl(feed, macros),
  } of cases) {
    test(name, async () => {
      const { Id } = await addCampaign(campaign);
      const feed = await addFeed({ Campaigns: [Id], ...values });
      await doors.served();
      const answer = await ask(url(feed));
      assert.deepEqual([answer.status, answer.text], [204, '']);
    });
  }

  const keywords: readonly (readonly [mode: 0 | 1 | 2, query: string, status: number])[] = [
    [0, 'Free Money', 204],
    [0, 'free money now', 200],
    [1, 'get free money now', 204],
    [1, 'money for free', 200],
    [2, 'money for free', 204],
    [2, 'free lunch', 200],
  ];
  for (const [KeywordBlacklistsType, query, status] of keywords) {
    test(`keywords, mode ${KeywordBlacklistsType}: "${query}" gets ${status}`, async () => {
      const list = await doors.add('keywordlist', 'KeywordList', { Name: 'Words', ListText: 'free money' });
      const { Id } = await addCampaign();
      const feed = await addFeed({ Campaigns: [Id], KeywordBlacklists: [list.Id], KeywordBlacklistsType });
      await doors.served();
      assert.equal((await ask(feedUrl(feed, { ...visitor, query }))).status, status);
    });
  }
});

describe('a click is held against the flags of its feed', () => {
  interface Case {
    readonly name: string;
    readonly feed: object;
    readonly macros?: Readonly<Record<string, string>>;
    readonly headers: Readonly<Record<string, string>>;
    readonly isValid: boolean;
  }
  const here = { ...visitor, user_ip: '127.0.0.1' };
  const cases: readonly Case[] = [
    { name: 'no referer', feed: { NonEmptyReferer: 1 }, headers: {}, isValid: false },
    { name: 'a referer', feed: { NonEmptyReferer: 1 }, headers: { referer: site }, isValid: true },
    {
      name: 'a referer of another site',
      feed: { RefererMatch: 1 },
      headers: { referer: 'https://other.example/' },
      isValid: false,
    },
    {
      name: 'a referer of a subdomain',
      feed: { RefererMatch: 1 },
      headers: { referer: 'https://m.news.example/' },
      isValid: true,
    },
    { name: 'another address', feed: { IpMatch: 1 }, headers: {}, isValid: false },
    { name: 'the same address', feed: { IpMatch: 1 }, macros: here, headers: {}, isValid: true },
    { name: 'another user agent', feed: { UaMatch: 1 }, headers: { 'user-agent': 'curl/8' }, isValid: false },
    { name: 'the same user agent', feed: { UaMatch: 1 }, headers: { 'user-agent': browser }, isValid: true },
  ];
  const fallback = 'https://news.example/back';
  const clicked = new Map<Case, { feed: Stored; answer: DoorAnswer }>();
  // All ask before any waits for its counts.
  before(async () => {
    for (const one of cases) {
      const { feed, click } = await clickOf(
        { ...one.feed, FallbackUrl: fallback },
        {},
        one.macros ?? visitor,
      );
      clicked.set(one, { feed, answer: await ask(click, one.headers) });
    }
  });
  for (const one of cases) {
    const { name, isValid } = one;
    test(`${name}: ${isValid ? 'sent on, and paid' : 'sent back, and not paid'}`, async () => {
      const { feed, answer } = clicked.get(one) ?? assert.fail();
      assert.deepEqual([answer.status, answer.headers.location], [302, isValid ? target : fallback]);
      const { Bills, Clicks } = await doors.rowWith(feed.StatsByDateJson, (row) => row.Requests === 1);
      assert.deepEqual([Bills, Clicks], isValid ? [1, 1] : [0, 0]);
    });
  }

  test('without a FallbackUrl who is refused gets 204', async () => {
    const { click } = await clickOf({ NonEmptyReferer: 1 });
    const { status, headers } = await ask(click);
    assert.deepEqual([status, headers.location], [204, undefined]);
  });

  test('the demand object has flags too', async () => {
    const dsp = await addDsp({ FeedUrlUsEast: `${partner.url}/xml`, NonEmptyReferer: 1 });
    const feed = await addFeed({ DspPopFeeds: [dsp.Id] });
    await doors.served();
    const { click } = shown(await ask(feedUrl(feed, visitor)));
    assert.equal((await ask(click)).status, 204);
    assert.equal((await ask(click, { referer: site })).status, 302);
  });

  for (const [name, spoil] of [
    ['forged', (click: string) => click.slice(0, -4) + (click.endsWith('AAAA') ? 'BBBB' : 'AAAA')],
    ['cut', (click: string) => click.slice(0, -20)],
    ['empty', (click: string) => click.slice(0, click.lastIndexOf('/') + 1)],
    ['of another signer', (click: string) => click.replace(/\/click\/.{22}/, `/click/${'A'.repeat(22)}`)],
  ] as const) {
    test(`a token that is ${name} leads nowhere`, async () => {
      const { feed, click } = await clickOf({ FallbackUrl: 'https://news.example/back' });
      const { status, headers } = await ask(spoil(click));
      assert.deepEqual([status, headers.location], [204, undefined]);
      assert.equal((await doors.row(feed.StatsByDateJson)).Clicks, 0);
    });
  }

  test('a token lives ten minutes', async () => {
    const fallback = 'https://news.example/back';
    const { feed, click } = await clickOf({ FallbackUrl: fallback });
    const locations: unknown[] = [];
    for (const laterMs of [599_000 - 60_000, 600_001]) {
      const later = await startLater(laterMs);
      try {
        const { headers } = await ask(click.replace(doors.server.url, later.url));
        locations.push(headers.location);
      } finally {
        await later.close();
      }
    }
    assert.deepEqual(locations, [target, fallback]);
    assert.equal((await doors.row(feed.StatsByDateJson)).Clicks, 1);
  });
});

/** Another process on the same database, whose clock goes before. */
async function startLater(laterMs: number) {
  const store = await openConfiguredStore(doors.server.databaseUrl);
  const config = { geoIpDatabase: undefined, allowPrivateDemand: true, trustedProxies: 0, region: undefined };
  const crew = joinCrew(crewMemory(1), 0);
  const server = createServer();
  const regions = () => [{ name: 'us-east', url: 'http://later.example' }];
  const now = () => Date.now() + laterMs;
  const logger = pino({ level: 'silent' });
  const isHarmless = () => false;
  const delivery = await startDelivery({ config, store, crew, logger, regions, isHarmless, now });
  delivery.attachTo(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await delivery.close();
    await store.close();
    crew.peers.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

describe('JsCheck', () => {
  const fallback = 'https://news.example/back';

  /** Runs the page as a browser would, and answers where it goes on to. */
  function run(page: string, given: object = {}): string {
    const [, token = ''] = /data-token="([^"]*)"/.exec(page) ?? [];
    const [, next = ''] = /data-next="([^"]*)"/.exec(page) ?? [];
    const [, script = ''] = /<script>(.*)<\/script>/s.exec(page) ?? [];
    let to = '';
    runInNewContext(script, {
      document: { documentElement: { dataset: { token, next } } },
      navigator: { webdriver: false, userAgent: browser, language: 'en' },
      screen: { width: 1920, height: 1080 },
      location: {
        replace: (url: string) => {
          to = url;
        },
      },
      ...given,
    });
    return `${doors.server.url}${to}`;
  }

  test('a browser runs the page and is sent on; the page alone counts nothing', async () => {
    const { feed, click } = await clickOf({
      JsCheck: 1,
      NonEmptyReferer: 1,
      RefererMatch: 1,
      FallbackUrl: fallback,
    });
    assert.equal((await ask(click)).headers.location, fallback);
    const page = await ask(click, { referer: site });
    assert.equal(page.status, 200);
    assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; script-src 'sha256-/);
    assert.equal((await doors.row(feed.StatsByDateJson)).Bills, 0);
    for (const _ of [1, 2]) assert.equal((await ask(run(page.text))).headers.location, target);
    assert.equal((await doors.row(feed.StatsByDateJson)).Bills, 1);
  });

  const programs: readonly (readonly [string, (page: string) => string])[] = [
    [
      'a driven browser',
      (page) => run(page, { navigator: { webdriver: true, language: 'en', userAgent: browser } }),
    ],
    [
      'a headless browser',
      (page) => run(page, { navigator: { language: 'en', userAgent: 'HeadlessChrome/130' } }),
    ],
    ['no screen', (page) => run(page, { screen: { width: 0, height: 0 } })],
    ['no JavaScript', (page) => doors.server.url + (/content="0;url=([^"]*)"/.exec(page)?.[1] ?? '')],
    ['who only leaves out the answer', (page) => run(page).replace(/\?.*/, '')],
    ['who guesses the answer', (page) => run(page).replace(/js=\d+/, 'js=1')],
  ];
  for (const [name, follow] of programs) {
    test(`${name} is sent back and not paid`, async () => {
      const { feed, click } = await clickOf({ JsCheck: 1, FallbackUrl: fallback });
      const page = await ask(click);
      assert.equal((await ask(follow(page.text))).headers.location, fallback);
      assert.equal((await doors.row(feed.StatsByDateJson)).Bills, 0);
    });
  }
});

describe('a DSP Pop Feed', () => {
  interface Case {
    readonly path: string;
    readonly PriceImp1000?: 0 | 1;
    readonly location: string;
    readonly bid: number;
  }
  const good: readonly Case[] = [
    { path: '/xml', location: 'https://dsp.example/go?a=1&b=2', bid: 0.0035 },
    { path: '/ampersand', location: 'https://dsp.example/go?a=1&b=2&c=3', bid: 0.002 },
    { path: '/attributes', location: 'https://dsp.example/high', bid: 0.003 },
    { path: '/json', location: 'https://dsp.example/j', bid: 0.0031 },
    { path: '/json-nested', location: 'https://dsp.example/n', bid: 0.0032 },
    { path: '/cpm', PriceImp1000: 1, location: 'https://dsp.example/cpm', bid: 0.0035 },
  ];
  for (const { path, PriceImp1000 = 0, location, bid } of good) {
    test(`${path} is read`, async () => {
      const dsp = await addDsp({ FeedUrlUsEast: partner.url + path, PriceImp1000 });
      const feed = await addFeed({ PublisherProfitShare: 100, DspPopFeeds: [dsp.Id] });
      await doors.served();
      const record = shown(await ask(feedUrl(feed, visitor)));
      assert.equal(record.bid, bid);
      assert.equal((await ask(record.click)).headers.location, location);
    });
  }

  const hostile = [
    ...[
      '/garbage',
      '/binary',
      '/empty',
      '/no-record',
      '/html',
      '/deep',
      '/deep-xml',
      '/open-cdata',
      '/dtd',
      '/external',
    ],
    ...[
      '/negative',
      '/zero',
      '/absurd',
      '/not-a-number',
      '/comma',
      '/script',
      '/long',
      '/status',
      '/hang-up',
    ],
    ...['/slow', '/endless', '/nothing'],
  ];
  test('hostile answers are no bids, and harm nobody beside them', async () => {
    const { Id } = await addCampaign({ Cpm: 0.5 });
    const dsps: number[] = [];
    for (const path of hostile) dsps.push((await addDsp({ FeedUrlUsEast: partner.url + path })).Id);
    const feed = await addFeed({ Tmax: 700, PublisherProfitShare: 100, Campaigns: [Id], DspPopFeeds: dsps });
    await doors.served();
    const record = shown(await ask(feedUrl(feed, visitor)));
    assert.equal(record.bid, 0.0005);
    assert.equal((await ask(record.click)).headers.location, target);
    const [auction] = (await doors.call('exchange/auctions?Limit=1')) as unknown as readonly {
      Candidates: readonly { Entity: string; Outcome: string; Rule: string }[];
    }[];
    const outcomes = auction?.Candidates.filter(({ Entity }) => Entity === 'DspPopFeed') ?? [];
    assert.equal(outcomes.length, hostile.length);
    for (const { Outcome, Rule } of outcomes)
      assert.ok(Outcome === 'refused' && Rule !== 'lost', JSON.stringify(outcomes));
  });

  test('no answer splits headers', async () => {
    const dsp = await addDsp({ FeedUrlUsEast: `${partner.url}/split` });
    const feed = await addFeed({ DspPopFeeds: [dsp.Id] });
    await doors.served();
    const { headers } = await ask(shown(await ask(feedUrl(feed, visitor))).click);
    assert.equal(headers.location, 'https://dsp.example/Set-Cookie:%20a=1body');
    assert.equal(headers['set-cookie'], undefined);
  });

  test('is asked with the macros filled, and told of the platform instead of the site unless both sides allow it', async () => {
    const macros = 'i={ip}&u={url}&q={query}&s={subid}&x={uid}&c={country}';
    const asked: unknown[] = [];
    for (const SendOriginalSite of [0, 1]) {
      const dsp = await addDsp({ FeedUrlUsEast: `${partner.url}/macros?${macros}`, SendOriginalSite: 1 });
      const feed = await addFeed({ DspPopFeeds: [dsp.Id], SendOriginalSite });
      await doors.served();
      await ask(feedUrl(feed, { ...visitor, query: 'a b&c', subid: 's/1', uid: 'u1' }));
      const { url, headers } = partner.seen.at(-1) ?? {};
      const { u, ...others } = Object.fromEntries(new URLSearchParams(url?.split('?')[1]));
      asked.push(u, headers?.['x-device-referer']);
      assert.deepEqual(others, { i: '203.0.113.7', q: 'a b&c', s: 's/1', x: 'u1', c: '' });
      assert.equal(headers?.['x-device-user-agent'], browser);
    }
    const own = `${doors.server.url}/`;
    assert.deepEqual(asked, [own, own, site, site]);
  });
});

test('explains requests to feeds and direct links', async () => {
  const campaign = await addCampaign({ Cpm: 0.5, Countries: [{ CC: 'DE' }] });
  const dsp = await addDsp({ FeedUrlUsEast: `${partner.url}/xml`, DirectUrl: target, FixedSpendCpc: 0.002 });
  const feed = await addFeed({ Campaigns: [campaign.Id], DspPopFeeds: [dsp.Id] });
  await doors.served();
  const [{ DirectUrl = '' } = {}] = feed.DirectUrls as readonly { DirectUrl?: string }[];
  const seen = partner.seen.length;
  const outcomes: unknown[] = [];
  for (const Url of [feedUrl(feed, visitor), DirectUrl]) {
    const { Candidates } = await doors.call('exchange/explain', {
      PopFeed: { Id: feed.Id },
      Request: { Url },
    });
    outcomes.push(
      (Candidates as readonly Stored[]).map(({ Outcome, Rule, Price }) => [Outcome, Rule, Price]),
    );
  }
  const refused = ['refused', 'country_not_targeted', null];
  assert.deepEqual(outcomes, [
    [refused, ['asked', '', null]],
    [refused, ['won', '', 2]],
  ]);
  assert.equal(partner.seen.length, seen);
});

describe('limits', () => {
  interface Case {
    readonly name: string;
    readonly feed?: object;
    readonly campaign?: object;
    /** Of a visitor at another address. */
    readonly elsewhere: 200 | 204;
  }
  const cases: readonly Case[] = [
    { name: 'impressions for an address, of the feed', feed: { ImpressionsLimitPerIp: 1 }, elsewhere: 200 },
    { name: 'impressions for an address, of demand', campaign: { ImpressionsLimitPerIp: 1 }, elsewhere: 200 },
    { name: 'what is spent', feed: { PublisherProfitShare: 100, SpentDailyLimit: 0.004 }, elsewhere: 204 },
    { name: 'what is earned', campaign: { SpendTotalLimit: 0.004 }, elsewhere: 204 },
  ];
  for (const { name, feed: values = {}, campaign = {}, elsewhere } of cases) {
    test(`${name}: the click counts`, async () => {
      const { feed, click } = await clickOf(values, campaign);
      await ask(click);
      await ask(click);
      assert.equal((await ask(feedUrl(feed, visitor))).status, 204);
      assert.equal((await ask(feedUrl(feed, { ...visitor, user_ip: '203.0.113.8' }))).status, elsewhere);
    });
  }
});

test('2,000 subids of a feed and day are told apart, the rest are one', async () => {
  const feed = await addFeed({});
  await doors.served();
  const asked = 2_010;
  const subIds = Array.from({ length: asked }, (_, index) => `s${index}`);
  const workers = Array.from({ length: 20 }, async () => {
    for (let subid = subIds.pop(); subid !== undefined; subid = subIds.pop()) {
      const response = await fetch(feedUrl(feed, { ...visitor, subid }));
      assert.equal(response.status, 204);
    }
  });
  await Promise.all(workers);
  await doors.rowWith(feed.StatsByDateJson, ({ Requests }) => Requests === asked);
  const report = await fetch(String(feed.StatsBySubIdJson).replace(/\{date_(from|to)\}/g, ''));
  const rows = (await report.json()) as readonly { SubId: string; Requests: number }[];
  assert.equal(rows.length, 2_001);
  assert.equal(rows.find(({ SubId }) => SubId === 'other')?.Requests, 10);
});

test('whatever demand answers, nobody is sent anywhere but to http or https', async () => {
  const dsp = await addDsp({ FeedUrlUsEast: `${partner.url}/fuzz`, PriceImp1000: 1 });
  const feed = await addFeed({ DspPopFeeds: [dsp.Id] });
  await doors.served();
  const evil = fc.constantFrom(
    ...[
      'javascript:alert(1)',
      'data:text/html,x',
      '//evil.example',
      'file:///etc/passwd',
      'https:evil',
      'https://',
    ],
    ...[
      'https://a.example/\r\nX: 1',
      'https://a.example/\u0000',
      'https://ü.example/😀\ud800',
      ' https://a.example ',
    ],
    ...['https://a.example/{a}|^"', 'https://user:pass@a.example/', 'HTTPS://A.example:99999/'],
  );
  const url = fc.oneof(
    evil,
    fc.webUrl(),
    hostileText.map((text) => `https://a.example/${text}`),
  );
  let clicks = 0;
  await fc.assert(
    fc.asyncProperty(url, fc.boolean(), async (target, isXml) => {
      const quoted = target.toWellFormed().replace(/[\0<&]/g, (character) => `&#${character.charCodeAt(0)};`);
      fuzzBody = isXml
        ? xmlRecord(`<bid>1</bid><url>${quoted}</url>`)
        : JSON.stringify({ bid: 1, url: target });
      const answer = await ask(feedUrl(feed, visitor));
      if (answer.status === 204) return;
      const { status, headers } = await ask(shown(answer).click);
      clicks += 1;
      assert.equal(status, 302);
      assert.match(String(headers.location), /^https?:\/\/[\x21-\x7e]+$/);
      assert.equal(headers.x, undefined);
    }),
    seeded(150),
  );
  assert.ok(clicks > 50);
});

test('any query is answered as decided, with headers whole', async () => {
  const { Id } = await addCampaign();
  const feed = await addFeed({ Campaigns: [Id] });
  await doors.served();
  const base = feedUrl(feed, visitor);
  const name = fc.constantFrom(
    'feed',
    'auth',
    'subid',
    'query',
    'user_ip',
    'ua',
    'url',
    'uid',
    'format',
    'lang',
    'js',
    '',
  );
  const raw = fc.oneof(
    hostileText.map((text) => encodeURIComponent(text.toWellFormed())),
    fc.string({ unit: fc.constantFrom(...'%0dA&=+?;/{}~aZ9') }),
    fc.constantFrom('%0d%0aSet-Cookie:%20a=1', 'a'.repeat(9000), '%', '%ff%fe', '%00'),
  );
  const query = fc.array(fc.tuple(name, raw), { maxLength: 6 });
  const path = fc.constantFrom(
    '/pop?',
    '/direct?',
    '/click/?',
    '/click/x?',
    '/banner?',
    '/vast?',
    `${base}&`,
  );
  await fc.assert(
    fc.asyncProperty(path, query, async (start, members) => {
      const tail = members.map(([key, value]) => `${key}=${value}`).join('&');
      const url = `${start.startsWith('http') ? '' : doors.server.url}${start}${tail}`.slice(0, 15_000);
      const { status, headers } = await ask(url);
      assert.ok([200, 204].includes(status), `${status} for ${url}`);
      assert.equal(headers['set-cookie'], undefined);
      assert.equal(headers.location, undefined);
    }),
    seeded(300),
  );
  const long = 'a'.repeat(100_000);
  assert.equal((await ask(`${base}&x=${long}`)).status, 200);
  const { click } = shown(
    await ask(feedUrl(feed, { ...visitor, subid: long.slice(0, 50_000), query: long.slice(0, 8_000) })),
  );
  assert.equal((await ask(click, { referer: `https://news.example/${long}` })).headers.location, target);
  for (const door of ['/pop', '/direct', '/banner', '/click/x', `/click/${long}`]) {
    assert.equal((await ask(`${doors.server.url}${door}?subid=${long.slice(0, 20_000)}`)).status, 204);
  }
  assert.equal((await ask(base)).status, 200);
});
