import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { entities } from '../../src/entities/registry.ts';
import { statisticsUrls } from '../../src/statistics/statistics-urls.ts';
import type { Store } from '../../src/store/interface.ts';
import { openStore } from '../../src/store/open-store.ts';
import { counts, day, dayMs, impression, pairOf, startMs } from '../statistics/counting.ts';
import { type StoreSink, storeSink } from '../statistics/store-sink.ts';
import { type Fetched, startApi } from './api.ts';
import type { ResourceName } from './resources.ts';

const { server, api } = await startApi();
let store: Store;
let sink: StoreSink;
before(async () => {
  // As the exchange's threads have it.
  store = await openStore({ url: server.databaseUrl, now: Date.now });
  sink = storeSink({ store, now: Date.now });
});
after(async () => {
  await sink.close();
  await store.close();
});

const publisher = await api.add('Publisher', { Username: 'media&"co"' });
const tag = await api.add('VastTag', { PublisherId: publisher.Id });
const feed = await api.add('PopFeed', { PublisherId: publisher.Id });
const advertiser = await api.add('Advertiser');
const campaign = await api.add('Campaign', { AdvertiserId: advertiser.Id });
const endpoint = await api.add('DspRtbEp', { AdvertiserId: advertiser.Id });
const objectOf = (kind: ResourceName, { Id: id }: Fetched) => ({ kind, id });

/** What counts on the first and third of three days. */
async function countSomething(): Promise<void> {
  const supply = objectOf('VastTag', tag);
  const demand = objectOf('Campaign', campaign);
  const pair = pairOf(supply, demand);
  for (const shift of [0, 0, 0, 2 * dayMs]) sink.count(pairOf(supply), 'requests', startMs + shift);
  sink.count(pairOf(supply, objectOf('DspRtbEp', endpoint)), 'requests', startMs);
  sink.count(pair, 'bids', startMs);
  sink.count(pair, 'wins', startMs);
  for (const event of ['bills', 'clicks'] as const) {
    await sink.bill(impression('one', pair, { event, spentNanos: 0, revenueNanos: 0 }));
  }
  await sink.bill(impression('one', pair, { spentNanos: 1, revenueNanos: 2_500_000 }));
  const pop = objectOf('PopFeed', feed);
  for (const subId of ['', 'b', '=a,"\n', '=a,"\n'])
    sink.count(pairOf(pop, undefined, subId), 'requests', startMs);
  await sink.bill(impression('pop', pairOf(pop, demand, 'b'), { spentNanos: 1e9, revenueNanos: 2e9 }));
  await sink.flush();
}
before(countSomething);

const range = { date_from: '2026-09-01', date_to: '2026-09-03' };

/** Fills a URL that an object carries, as its template says, with further parameters. */
function filled(template: unknown, more: Readonly<Record<string, string>> = {}): string {
  const url = new URL(String(template));
  for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value);
  return url.href;
}

async function ask(template: unknown, more: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(filled(template, more));
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const supplyHeader = 'DateStats,Requests,Bids,Wins,Bills,NetImpressions,Clicks,FillRate,Spent';
const demandHeader = supplyHeader.replace('Spent', 'Revenue');
const zeros = (date: string) => `${date},0,0,0,0,0,0,0,0`;

/** What each URL answers for the three days, line by line. */
const rows: readonly (readonly [what: string, template: () => unknown, lines: readonly string[]])[] = [
  [
    'a VAST Tag',
    () => tag.StatsByDateCsv,
    [
      supplyHeader,
      '2026-09-01,3,1,1,1,1,1,33.333333,0.000000001',
      zeros('2026-09-02'),
      '2026-09-03,1,0,0,0,0,0,0,0',
    ],
  ],
  [
    'a publisher: its objects together',
    () => publisher.StatsByDateCsv,
    [
      supplyHeader,
      '2026-09-01,7,1,1,1,2,1,28.571429,1.000000001',
      zeros('2026-09-02'),
      '2026-09-03,1,0,0,0,0,0,0,0',
    ],
  ],
  [
    'an advertiser: its objects together',
    () => advertiser.StatsByDateCsv,
    [demandHeader, '2026-09-01,1,1,1,1,2,1,200,2.0025', zeros('2026-09-02'), zeros('2026-09-03')],
  ],
  [
    'a DSP RTB EP',
    () => endpoint.StatsByDateCsv,
    [demandHeader, '2026-09-01,1,0,0,0,0,0,0,0', zeros('2026-09-02'), zeros('2026-09-03')],
  ],
  [
    'a Pop Feed',
    () => feed.StatsByDateCsv,
    [supplyHeader, '2026-09-01,4,0,0,0,1,0,25,1', zeros('2026-09-02'), zeros('2026-09-03')],
  ],
  [
    'a Pop Feed by subid',
    () => feed.StatsBySubIdCsv,
    [
      supplyHeader.replace(',', ',SubId,'),
      '2026-09-01,,1,0,0,0,0,0,0,0',
      `2026-09-01,"'=a,""\n",2,0,0,0,0,0,0,0`,
      '2026-09-01,b,1,0,0,0,1,0,100,1',
      '2026-09-02,,0,0,0,0,0,0,0,0',
      '2026-09-03,,0,0,0,0,0,0,0,0',
    ],
  ],
];

suite('statistics URLs', () => {
  for (const [what, template, lines] of rows) {
    test(`of ${what}, as CSV by RFC 4180`, async () => {
      const { status, headers, text } = await ask(template(), range);
      assert.equal(status, 200, text);
      assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
      assert.equal(text, `${lines.join('\r\n')}\r\n`);
    });
  }

  test('as JSON: the same names, with numbers', async () => {
    const { headers, text } = await ask(tag.StatsByDateJson, { ...range, date_to: '2026-09-01' });
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    const row = { DateStats: '2026-09-01', Requests: 3, Bids: 1, Wins: 1, Bills: 1, NetImpressions: 1 };
    assert.deepEqual(JSON.parse(text), [{ ...row, Clicks: 1, FillRate: 33.333333, Spent: 1e-9 }]);
    const subIds = JSON.parse((await ask(feed.StatsBySubIdJson, range)).text) as { SubId: string }[];
    assert.deepEqual(
      subIds.map(({ SubId }) => SubId),
      ['', '=a,"\n', 'b', '', ''],
    );
  });

  test('as they are handed out, with unfilled templates: today, a row of zeros', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const urls: unknown[] = [];
    for (const { key } of entities.filter(({ fields }) => 'StatsByDateCsv' in fields)) {
      const object = await api.add(key as ResourceName);
      const names = Object.keys(object).filter((name) => /^StatsBy.*(Csv|Json)$/.test(name));
      urls.push(...names.map((name) => object[name]));
    }
    assert.deepEqual(
      [...new Set(urls.map((url) => new URL(String(url)).pathname))].toSorted(),
      statisticsUrls.map(({ path }) => path).toSorted(),
      'every URL that is handed out is served, and no others',
    );
    for (const url of urls) {
      const { status, text } = await ask(url);
      assert.equal(status, 200, `${url}: ${text}`);
      assert.ok(text.includes(today), text);
    }
  });

  test('columns= picks and orders them', async () => {
    const { text } = await ask(tag.StatsByDateCsv, { ...range, columns: 'Clicks, DateStats' });
    assert.equal(text, 'Clicks,DateStats\r\n1,2026-09-01\r\n0,2026-09-02\r\n0,2026-09-03\r\n');
  });

  const dates: readonly (readonly [more: Readonly<Record<string, string>>, days: number | undefined])[] = [
    [{ date_from: '2026-01-01', date_to: '2027-01-01' }, 366],
    [{ date_from: '2026-01-01', date_to: '2027-01-02' }, undefined],
    [{ date_from: '2026-09-03', date_to: '2026-09-03' }, 1],
    [{ date_from: '2026-09-03', date_to: '2026-09-02' }, undefined],
    [{ date_to: '2026-09-03' }, 1],
    [{ date_from: '', date_to: '' }, 1],
    [{ date_from: '2026-02-29', date_to: '2026-03-01' }, undefined],
    [{ date_from: '2026-9-1', date_to: '2026-09-02' }, undefined],
    [{ date_from: 'yesterday' }, undefined],
  ];
  for (const [more, days] of dates) {
    test(`${JSON.stringify(more)}: ${days === undefined ? '406' : `${days} days`}`, async () => {
      const { status, text } = await ask(tag.StatsByDateCsv, more);
      assert.equal(status, days === undefined ? 406 : 200, text);
      if (days !== undefined) assert.equal(text.split('\r\n').length - 2, days);
    });
  }

  const refusals: readonly (readonly [
    more: Readonly<Record<string, string>>,
    status: number,
    says: RegExp,
  ])[] = [
    [{ auth: 'wrong' }, 401, /username or auth/],
    [{ auth: '' }, 401, /username or auth/],
    [{ username: 'nobody' }, 401, /username or auth/],
    [{ auth: 'wrong', zone: 'x', columns: 'x' }, 401, /username or auth/],
    [{ zone: '0' }, 406, /zone is required/],
    [{ zone: '987654' }, 406, /not found/],
    [{ zone: 'x' }, 406, /zone must be a whole number/],
    [{ type: 'xml' }, 406, /type must be one of csv, json/],
    [{ columns: 'DateStats,Revenue' }, 406, /Revenue, which is not a column.*DateStats, Requests.*Spent/],
    [{ columns: 'Clicks,Clicks' }, 406, /twice/],
    [{ feed: '1' }, 406, /feed is not a known parameter/],
    [{ date_from: '2026-01-02', date_to: '2026-01-01' }, 406, /^date_to must not be before date_from$/],
    [
      { date_from: '2026-01-01', date_to: '2027-01-02' },
      406,
      /^date_to must be within 366 days of date_from, both included$/,
    ],
    [{ date_from: '2999-01-01' }, 406, /^date_from must not be after today if date_to is omitted$/],
    [{ date_from: '2020-01-01' }, 406, /^date_from must be within 366 days of today, both included$/],
  ];
  for (const [more, expected, says] of refusals) {
    test(`${JSON.stringify(more)}: ${expected}`, async () => {
      const { status, text } = await ask(tag.StatsByDateCsv, more);
      assert.equal(status, expected, text);
      assert.match((JSON.parse(text) as { Error: string }).Error, says);
    });
  }

  test("another account's objects are not found, nor are its credentials of use on the other side", async () => {
    const other = await api.add('Publisher');
    const own = { username: String(other.Username), auth: String(other.StatsAuth) };
    assert.equal((await ask(tag.StatsByDateCsv, own)).status, 406);
    assert.equal((await ask(advertiser.StatsByDateCsv, own)).status, 401);
  });

  test('of an inactive account are still answered: what was earned is theirs to see', async () => {
    const { Id } = advertiser;
    await api.post('/api/advertiser/deactivate', { Advertiser: { Id } });
    assert.equal((await ask(advertiser.StatsByDateCsv, range)).status, 200);
    await api.post('/api/advertiser/activate', { Advertiser: { Id } });
  });
});

suite('figures on objects', () => {
  const names = ['Qps', 'TodayRevenue', 'TodayFillRate', 'YesterdayRevenue', 'YesterdayFillRate'];
  const figuresOf = (object: Fetched) => names.map((name) => object[name]);

  /** The object once its first figure is no longer `before`, or as it is after ten seconds. */
  async function moved(id: number, before: unknown): Promise<Fetched> {
    const endMs = performance.now() + 10_000;
    for (;;) {
      const object = await api.one('VastTag', id);
      if (object.Qps !== before || performance.now() > endMs) return object;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  test('are real: alone, in arrays, after POSTs, and move the ETag', async () => {
    const { Id } = await api.add('VastTag', { PublisherId: publisher.Id });
    const path = `/api/ortb/vasttag/get?Id=${Id}`;
    const etag = (await api.get(path)).headers.get('etag') ?? '';
    const supply = { kind: 'VastTag', id: Id };
    const pair = pairOf(supply, objectOf('Campaign', campaign));
    const nowMs = Date.now();
    for (let n = 0; n < 240; n += 1) sink.count(pairOf(supply), 'requests', nowMs);
    for (let n = 0; n < 4; n += 1) sink.count(pairOf(supply), 'requests', nowMs - dayMs);
    await sink.bill(impression('now', pair, { timeMs: nowMs, revenueNanos: 1_500_000_000 }));
    await sink.bill(impression('before', pair, { timeMs: nowMs - dayMs, revenueNanos: 250_000_000 }));
    await sink.flush();
    const expected = [4, 1.5, 0.416667, 0.25, 25];
    assert.deepEqual(figuresOf(await moved(Id, 0)), expected);
    const [row] = await api.all('VastTag', `?AfterId=${Id - 1}`);
    assert.deepEqual(row && figuresOf(row), expected);
    assert.deepEqual(figuresOf(await api.update('VastTag', { Id, Name: 'x' })), expected);
    const { body } = await api.post('/api/ortb/vasttag/deactivate', { VastTag: { Id } });
    assert.deepEqual(figuresOf(body.VastTag as Fetched), expected);
    const again = await api.send(path, { headers: { 'if-none-match': etag } });
    assert.equal(again.status, 200);
  });
});

test('a year of a publisher is reported day by day, beside as many days of others', async () => {
  const { Id } = await api.add('Publisher');
  const { Id: tagId } = await api.add('VastTag', { PublisherId: Id });
  const first = day - 365;
  // In one statement, as the exchange would have written it day by day.
  const objects = 50;
  const pairs = Array.from({ length: 366 * objects }, (_, n) => ({
    hour: (first + Math.floor(n / objects)) * 24,
    supply: { kind: 'VastTag', id: n % objects === 0 ? tagId : 100_000 + (n % objects) },
    demand: undefined,
    counts: counts({
      requests: 5,
      bids: 4,
      wins: 3,
      bills: 2,
      impressions: 2,
      clicks: 1,
      spentNanos: 1,
      revenueNanos: 2,
    }),
  }));
  await store.statistics.add([{ id: 'a year', timeMs: 0, pairs, addresses: [] }]);
  const { StatsByDateCsv } = await api.one('Publisher', Id);
  const url = filled(StatsByDateCsv, { date_from: '2025-09-01', date_to: '2026-09-01' });
  const text = await (await fetch(url)).text();
  const lines = text.split('\r\n');
  assert.equal(lines.length, 368);
  for (const line of lines.slice(1, 367)) assert.match(line, /^\d{4}-\d\d-\d\d,5,4,3,2,2,1,40,0\.000000001$/);
});
