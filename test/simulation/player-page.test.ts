import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { entityOf } from '../../src/entities/registry.ts';
import { openConfiguredStore } from '../../src/store/configured-store.ts';
import { bourseProcess, stopped } from '../cli/bourse-process.ts';
import { windowSizes } from '../console/screens.ts';
import { violations } from '../console/violations.ts';
import type { SpawnedServer } from '../spawned-server.ts';
import { borrowBrowser, returnBrowser } from '../support/shared-browser.ts';

interface DemoTag {
  readonly id: number;
  readonly name: string;
}

type Row = Readonly<Record<string, number>>;

const { run, serve, databasePath } = bourseProcess();
let server: SpawnedServer;
let browser: Browser;
let page: Page;
let tags: readonly DemoTag[];
const outside: string[] = [];
const problems: string[] = [];

const statusOf = async (path: string) => (await fetch(server.url + path)).status;

async function rowsFor(tagId: number | undefined): Promise<readonly Row[]> {
  return (await (await fetch(`${server.url}/demo/statistics?tag=${tagId}`)).json()) as Row[];
}

async function rowOf(name: string): Promise<Row> {
  const [row] = await rowsFor(tags.find((one) => one.name === name)?.id);
  return row ?? {};
}

/** The tag's row, once it is as wanted: counts reach the database within about a second. */
async function rowWith(name: string, isThere: (row: Row) => boolean): Promise<Row> {
  for (;;) {
    const row = await rowOf(name);
    if (isThere(row)) return row;
  }
}

const pathsWithoutDemo = ['/demo/player', '/demo/tags', '/demo/film.mp4', '/demo/dsp/vast/price=2'];
let before404: readonly number[];

before(async () => {
  server = await serve();
  before404 = await Promise.all(pathsWithoutDemo.map(statusOf));
  const filled = await run(['demo', '--server', server.url]);
  assert.equal(filled.code, 0, filled.stderr);
  assert.match(filled.stdout, new RegExp(`watch an ad at ${server.url}/demo/player\n`));
  while ((await statusOf('/demo/player')) !== 200);
  tags = (await (await fetch(`${server.url}/demo/tags`)).json()) as readonly DemoTag[];
  browser = await borrowBrowser();
  page = await browser.newPage();
  page.on('request', (request) => {
    if (!request.url().startsWith(`${server.url}/`)) outside.push(request.url());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.goto(`${server.url}/demo/player`);
});

after(async () => {
  await returnBrowser();
  await stopped(server);
});

test('without a demonstration there is nothing below /demo', () => {
  assert.deepEqual(
    before404,
    pathsWithoutDemo.map(() => 404),
  );
});

describe('the page /demo/player', () => {
  const eventsOf = () =>
    page.locator('#log li').evaluateAll((items) => items.map((item) => item.dataset.event));

  test('lists the tags of the demo', async () => {
    const options = page.locator('#tag option');
    await options.last().waitFor({ state: 'attached' });
    const names = await options.allTextContents();
    assert.deepEqual(names, ['Nordlicht pre-roll', 'Lumen rewarded video', 'Corcovado TV breaks']);
  });

  test('plays an ad to its end, and its impression is in the statistics', async () => {
    await page.selectOption('#tag', { label: 'Nordlicht pre-roll' });
    await page.click('button');
    await page.locator('#log [data-event=impression]').waitFor();
    // Nobody waits for all of the film: what is left of it is played faster than the clock.
    await page.evaluate('document.querySelector("video").playbackRate = 8');
    await page.locator('#log [data-event=complete]').waitFor();
    assert.deepEqual((await eventsOf()).sort(), [
      'ad',
      'complete',
      'creativeView',
      'firstQuartile',
      'impression',
      'midpoint',
      'start',
      'thirdQuartile',
    ]);
    assert.match(
      (await page.locator('#outcome').textContent()) ?? '',
      /^.+ won, at \$\d+\.\d\d per 1,000 impressions\.$/,
    );
    assert.equal(await page.locator('#candidates tr').count(), 4);
    const isCounted = ({ Requests = 0, NetImpressions = 0 }) => Requests > 0 && NetImpressions > 0;
    const row = await rowWith('Nordlicht pre-roll', isCounted);
    assert.deepEqual([row.Requests, row.NetImpressions, row.Bills], [1, 1, 1]);
  });

  test('leads a click to the advertiser, and it counts', async () => {
    await page.selectOption('#tag', { label: 'Lumen rewarded video' });
    await page.click('button');
    await page.locator('#log [data-event=impression]').waitFor();
    const [landing] = await Promise.all([page.waitForEvent('popup'), page.click('#video')]);
    await landing.waitForURL(`${server.url}/demo/advertiser`);
    assert.equal((await rowWith('Lumen rewarded video', ({ Clicks = 0 }) => Clicks > 0)).Clicks, 1);
  });

  test('tells why there is no ad', async () => {
    await page.selectOption('#tag', { label: 'Corcovado TV breaks' });
    await page.click('button');
    await page.locator('#log [data-event="no ad"]').waitFor();
    await page.getByText('No ad: device type not targeted (DeviceTypes).').waitFor();
  });

  test('can be used by everybody, in both schemes, and fits a phone', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await violations(page, colorScheme === 'dark'), []);
    }
    await page.setViewportSize(windowSizes.phone);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), windowSizes.phone.width);
  });

  test('shows no credential of the statistics, and no amount that was counted', async () => {
    const store = await openConfiguredStore(`sqlite:${databasePath}`);
    const publishers = await store.page(entityOf('Publisher'), 1, {}, 100);
    const advertisers = await store.page(entityOf('Advertiser'), 1, {}, 100);
    await store.close();
    const secrets = [...publishers, ...advertisers].map(({ document }) => String(document.StatsAuth));
    assert.ok(secrets.length > 2 && secrets.every((secret) => secret.length > 20));
    const paths = [
      'player',
      'player.js',
      'vast-player.js',
      'tags',
      ...tags.flatMap(({ id }) => [`auctions?tag=${id}`, `statistics?tag=${id}`]),
    ];
    const texts = await Promise.all(
      paths.map(async (path) => (await fetch(`${server.url}/demo/${path}`)).text()),
    );
    for (const text of [...texts, await page.content()]) {
      assert.deepEqual(
        secrets.filter((secret) => text.includes(secret)),
        [],
      );
      assert.doesNotMatch(text, /Spent|Revenue|username=/);
    }
    const [row] = await rowsFor(tags[0]?.id);
    const names = ['DateStats', 'Requests', 'Bids', 'Wins', 'Bills', 'NetImpressions', 'Clicks', 'FillRate'];
    assert.deepEqual(Object.keys(row ?? {}), names);
    assert.deepEqual(await rowsFor(999_999), []);
  });

  test('asks no other host for anything, and meets no error', () => {
    assert.deepEqual([outside, problems], [[], []]);
  });
});

describe('the film is sent in the parts that players ask for', () => {
  const cases: readonly (readonly [range: string, status: number, bytes: (length: number) => number])[] = [
    ['bytes=0-', 206, (length) => length],
    ['bytes=0-99', 206, () => 100],
    ['bytes=100-199', 206, () => 100],
    ['bytes=-50', 206, () => 50],
    ['bytes=-999999999', 206, (length) => length],
    ['bytes=10-999999999', 206, (length) => length - 10],
    ['bytes=999999999-', 416, () => 0],
    ['bytes=20-10', 416, () => 0],
    ['bytes=-0', 416, () => 0],
    ['bytes=0-1,4-5', 200, (length) => length],
    ['lines=1-2', 200, (length) => length],
  ];
  for (const [range, status, bytes] of cases) {
    test(range, async () => {
      const whole = Buffer.from(await (await fetch(`${server.url}/demo/film.mp4`)).arrayBuffer());
      const answer = await fetch(`${server.url}/demo/film.mp4`, { headers: { range } });
      const body = Buffer.from(await answer.arrayBuffer());
      assert.deepEqual([answer.status, body.length], [status, bytes(whole.length)]);
      assert.ok(whole.includes(body));
    });
  }
});
