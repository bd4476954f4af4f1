import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { countInStore } from '../../src/serving/counting.ts';
import { startDelivery } from '../../src/serving/delivery.ts';
import { joinThreadGroup, threadGroupMemory } from '../../src/serving/thread-group.ts';
import { dateOf, dayOf } from '../../src/statistics/days.ts';
import { openConfiguredStore } from '../../src/store/configured-store.ts';
import { openLog } from '../statistics/store-sink.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { ask, type DoorAnswer } from './ask.ts';
import type { Stored } from './exchange-room.ts';
import type { Partner } from './partner.ts';
import {
  browser,
  feedUrl,
  openPopRoom,
  type PopRoom,
  runJsCheck,
  shown,
  site,
  startXmlPartner,
  target,
  visitor,
} from './pop-room.ts';

let room: PopRoom;
let partner: Partner;

before(async () => {
  room = await openPopRoom();
  partner = await startXmlPartner();
});
after(async () => {
  await partner.close();
  await room.close();
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
      const { feed, click } = await room.clickOf(
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
      const { Bills, Clicks } = await room.statistics(feed, (row) => row.Requests === 1);
      assert.deepEqual([Bills, Clicks], isValid ? [1, 1] : [0, 0]);
    });
  }

  test('without a FallbackUrl who is refused gets 204', async () => {
    const { click } = await room.clickOf({ NonEmptyReferer: 1 });
    const { status, headers } = await ask(click);
    assert.deepEqual([status, headers.location], [204, undefined]);
  });

  test('the demand object has flags too', async () => {
    const dsp = await room.addDsp({ FeedUrlUsEast: `${partner.url}/xml`, NonEmptyReferer: 1 });
    const feed = await room.addFeed({ DspPopFeeds: [dsp.Id] });
    await room.served();
    const { click } = shown(await ask(feedUrl(feed, visitor)));
    assert.equal((await ask(click)).status, 204);
    assert.equal((await ask(click, { referer: site })).status, 302);
  });

  for (const [name, spoil] of [
    ['forged', (click: string) => click.slice(0, -4) + (click.endsWith('AAAA') ? 'BBBB' : 'AAAA')],
    ['cut', (click: string) => click.slice(0, -20)],
    ['empty', (click: string) => click.slice(0, click.lastIndexOf('/') + 1)],
    ['of another key', (click: string) => click.replace(/(\/click\/.{2}).{6}/, '$1AAAAAA')],
  ] as const) {
    test(`a token that is ${name} leads nowhere`, async () => {
      const { feed, click } = await room.clickOf({ FallbackUrl: 'https://news.example/back' });
      const { status, headers } = await ask(spoil(click));
      assert.deepEqual([status, headers.location], [204, undefined]);
      assert.equal((await room.statistics(feed)).Clicks, 0);
    });
  }

  test('its token opens no tracker, and no other way to the campaign', async () => {
    const { feed, click } = await room.clickOf({});
    const token = click.slice(click.lastIndexOf('/') + 1);
    for (const event of ['impression', 'click', 'clicktracking', 'open', 'win', 'billing', 'loss']) {
      const url = `${room.server.url}/track/${event}?t=${token}`;
      assert.equal((await ask(url)).headers.location, undefined, event);
    }
    const row = await room.statistics(feed, ({ Requests }) => Requests === 1);
    assert.deepEqual([row.Wins, row.Bills, row.Clicks], [1, 0, 0]);
    assert.equal((await ask(click)).headers.location, target);
  });

  test('a token lives ten minutes', async () => {
    const fallback = 'https://news.example/back';
    const { feed } = await room.clickOf({ FallbackUrl: fallback });
    // The click counts on the day of its own clock: at noon nothing of it is on another one.
    const date = dateOf(dayOf(Date.now()));
    const noonMs = Date.parse(`${date}T12:00:00Z`);
    const askAt = async (url: string, timeMs: number) => {
      const process = await startAt(timeMs);
      try {
        return await ask(`${process.url}${url.slice(new URL(url).origin.length)}`);
      } finally {
        await process.close();
      }
    };
    const { click } = shown(await askAt(feedUrl(feed, visitor), noonMs));
    const locations: unknown[] = [];
    for (const laterMs of [599_999, 600_000]) {
      locations.push((await askAt(click, noonMs + laterMs)).headers.location);
    }
    assert.deepEqual(locations, [target, fallback]);
    const report = String(feed.StatsByDateJson).replace(/\{date_(from|to)\}/g, date);
    const [row] = (await (await fetch(report)).json()) as { Clicks: number }[];
    assert.equal(row?.Clicks, 1);
  });
});

/** Another process on the same database, whose clock stands still. */
async function startAt(timeMs: number) {
  const store = await openConfiguredStore(room.server.databaseUrl);
  const config = {
    allowPrivateDemand: true,
    crawlProxy: undefined,
    ratesUrl: 'http://rates.example/latest.json',
    ratesDays: 7,
    trustedProxies: 0,
    region: undefined,
    callCost: 0.1,
    explorePercent: 7,
    keepSamplesDays: 8,
  };
  const threadGroup = joinThreadGroup(threadGroupMemory(1), 0);
  const server = createServer();
  const regions = () => [{ name: 'us-east', url: 'http://other.example' }];
  const now = () => timeMs;
  const logger = pino({ level: 'silent' });
  const isHarmless = () => false;
  const countryOf = () => '';
  const log = await openLog({ store, outboxFolder: mkdtempSync(join(tmpdir(), 'bourse-outbox-')), now });
  const counting = countInStore({ config, store, threadGroup, logger, now, log });
  const delivery = await startDelivery({
    config,
    source: store,
    counting,
    threadGroup,
    logger,
    regions,
    countries: { countryOf, metrics: () => [] },
    isHarmless,
    now,
  });
  delivery.attachTo(server);
  const loopback = await listenOnLoopback(server);
  const close = async () => {
    await loopback.close();
    await delivery.close();
    await log.close();
    await store.close();
    threadGroup.channel.close();
  };
  return { url: loopback.url, close };
}

describe('JsCheck', () => {
  const fallback = 'https://news.example/back';

  const run = (page: string, given?: object) => room.server.url + runJsCheck(page, given);

  test('a browser runs the page and is sent on; the page alone counts nothing', async () => {
    const { feed, click } = await room.clickOf({
      JsCheck: 1,
      NonEmptyReferer: 1,
      RefererMatch: 1,
      FallbackUrl: fallback,
    });
    assert.equal((await ask(click)).headers.location, fallback);
    const page = await ask(click, { referer: site });
    assert.equal(page.status, 200);
    assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; script-src 'sha256-/);
    assert.equal((await room.statistics(feed)).Bills, 0);
    for (const _ of [1, 2]) assert.equal((await ask(run(page.text))).headers.location, target);
    assert.equal((await room.statistics(feed)).Bills, 1);
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
    ['no JavaScript', (page) => room.server.url + (/content="0;url=([^"]*)"/.exec(page)?.[1] ?? '')],
    ['who only leaves out the answer', (page) => run(page).replace(/\?.*/, '')],
    ['who guesses the answer', (page) => run(page).replace(/js=\d+/, 'js=1')],
  ];
  for (const [name, follow] of programs) {
    test(`${name} is sent back and not paid`, async () => {
      const { feed, click } = await room.clickOf({ JsCheck: 1, FallbackUrl: fallback });
      const page = await ask(click);
      assert.equal((await ask(follow(page.text))).headers.location, fallback);
      assert.equal((await room.statistics(feed)).Bills, 0);
    });
  }
});
