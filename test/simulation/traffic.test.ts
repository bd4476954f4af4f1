import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { countriesIn, readGeoIp } from '../../src/exchange/reading/geo-ip.ts';
import { parseIpAddress } from '../../src/exchange/reading/ip-address.ts';
import { inLineVast } from '../../src/protocols/vast/build-vast.ts';
import type { HttpClient } from '../../src/simulation/http-client.ts';
import { seededRandom } from '../../src/simulation/random.ts';
import { paceAt } from '../../src/simulation/traffic/day-curve.ts';
import { reportText, simulationReport } from '../../src/simulation/traffic/report.ts';
import { type Clock, type DayOptions, simulateDay } from '../../src/simulation/traffic/simulate-day.ts';
import { latencyOf, newTally } from '../../src/simulation/traffic/tally.ts';
import { createAudience, type Viewer } from '../../src/simulation/traffic/viewers.ts';
import { everyDevice } from '../../src/simulation/traffic/zone.ts';

/** A clock on which nothing takes time but waiting, which takes none. */
function virtualClock(): Clock {
  let now = 0;
  return {
    nowMs: () => now,
    async until(ms) {
      now = Math.max(now, ms);
    },
  };
}

interface Call {
  readonly url: string;
  readonly atMs: number;
}

/** An exchange that answers every zone with the same document, and remembers what was called. */
function recorder(document: string, clock: Clock) {
  const calls: Call[] = [];
  const http: HttpClient = {
    async call(url) {
      calls.push({ url, atMs: clock.nowMs() });
      return { status: 200, body: url.includes('/vast?') ? document : '' };
    },
    close: async () => undefined,
  };
  return { calls, http };
}

const zone = {
  url: 'http://exchange.example/vast?zone=1&ip={ip}&ua={ua}&w={width}&site_url={site_url}&cb={cb}',
  kinds: everyDevice,
};

const document = inLineVast('3.0', {
  adSystem: 'a',
  title: 'a',
  impressions: [
    'http://exchange.example/track/impression?t=1',
    'http://exchange.example/dsp/impression',
    'https://partner.example/impression',
  ],
  tracking: {
    start: 'https://partner.example/start',
    complete: 'http://exchange.example/track/complete?t=1',
  },
  durationSeconds: 10,
  media: [
    { url: 'https://cdn.example/a.mp4', type: 'video/mp4', delivery: 'progressive', width: 1, height: 1 },
  ],
});

async function day(options: Partial<DayOptions> = {}, answer = document) {
  const clock = virtualClock();
  const { calls, http } = recorder(answer, clock);
  const standard = { zones: [zone], requestsPerSecond: 50, seconds: 60, seed: 1 } as const;
  const tally = await simulateDay({ ...standard, http, clock, ...options });
  return { calls, tally };
}

const zoneCalls = (calls: readonly Call[]) => calls.filter(({ url }) => url.includes('/vast?'));

describe('the curve of a day', () => {
  const shares = Array.from({ length: 2400 }, (_, index) => index / 2400);

  test('has a mean of 1, and goes on from midnight to midnight', () => {
    const mean = shares.reduce((sum, share) => sum + paceAt(share), 0) / shares.length;
    assert.ok(Math.abs(mean - 1) < 0.001, `${mean}`);
    assert.ok(Math.abs(paceAt(0) - paceAt(0.9999)) < 0.01);
  });

  test('is highest in the evening and lowest at night', () => {
    const most = shares.reduce((best, share) => (paceAt(share) > paceAt(best) ? share : best));
    const least = shares.reduce((best, share) => (paceAt(share) < paceAt(best) ? share : best));
    assert.ok(most * 24 > 19 && most * 24 < 22, `${most * 24}`);
    assert.ok(least * 24 > 2 && least * 24 < 6, `${least * 24}`);
  });
});

describe('a simulated day', () => {
  test('is the same for a seed, and another one for another', async () => {
    const [first, again, other] = await Promise.all([day(), day(), day({ seed: 2 })]);
    assert.deepEqual(zoneCalls(first.calls), zoneCalls(again.calls));
    assert.notDeepEqual(zoneCalls(first.calls), zoneCalls(other.calls));
  });

  test('has as many requests as its rate says, more of them in the evening', async () => {
    const { calls, tally } = await day();
    assert.ok(Math.abs(tally.requests - 3000) < 200, `${tally.requests}`);
    const between = (fromHour: number, toHour: number) =>
      zoneCalls(calls).filter(({ atMs }) => atMs >= fromHour * 2500 && atMs < toHour * 2500).length;
    assert.ok(between(18, 22) > 5 * between(1, 5));
  });

  test('fills what a player knows into zone URLs, and nothing else', async () => {
    const { calls } = await day({ seconds: 1 });
    for (const { url } of zoneCalls(calls)) {
      const query = new URL(url).searchParams;
      assert.match(query.get('ip') ?? '', /^[\da-f.:]+$/);
      assert.notEqual(query.get('ua'), '');
      assert.ok(Number(query.get('w')) > 0);
      assert.equal(query.get('site_url'), '{site_url}');
    }
  });

  test('calls trackers of the exchange and of demand on its host, never those of anyone else', async () => {
    const { calls, tally } = await day();
    const hosts = new Set(calls.map(({ url }) => new URL(url).host));
    assert.deepEqual([...hosts], ['exchange.example']);
    const { impression = 0, complete = 0, start } = tally.called;
    assert.equal(tally.filled, tally.requests);
    assert.ok(impression > 0.95 * tally.filled && impression < tally.filled, `${impression}`);
    assert.ok(complete > 0.6 * impression && complete < 0.9 * impression, `${complete}`);
    assert.equal(tally.called['impression of demand'], impression);
    assert.equal(start, undefined);
    assert.deepEqual(tally.acknowledged, tally.called);
    assert.equal(tally.adsWithTracker.impression, tally.filled);
    assert.equal(tally.adsWithTracker.start, undefined);
  });

  const answers: readonly (readonly [name: string, body: string, errors: object])[] = [
    ['no ad', '<VAST version="3.0"/>', {}],
    ['no VAST', '<html></html>', { 'answer: not_vast': 1 }],
    ['nothing', '', { 'answer: empty': 1 }],
  ];
  for (const [name, body, errors] of answers) {
    test(`${name}: is no fill, and counted as what it is`, async () => {
      const { tally } = await day({ seconds: 1 }, body);
      assert.equal(tally.filled, 0);
      assert.deepEqual(Object.keys(tally.errors), Object.keys(errors));
      assert.deepEqual(tally.called, {});
    });
  }

  test('ends early when told to', async () => {
    const { tally } = await day({ signal: AbortSignal.abort() });
    assert.equal(tally.requests, 0);
  });
});

describe('an audience', () => {
  const viewersOf = (count: number, kinds: readonly Viewer['kind'][] = [...everyDevice]) => {
    const audience = createAudience(seededRandom(7));
    return Array.from({ length: count }, () => audience(new Set(kinds)));
  };

  test('has devices of every kind, a few bots, and IPs of both versions', () => {
    const viewers = viewersOf(5000);
    const share = (test: (viewer: Viewer) => boolean) => viewers.filter(test).length / viewers.length;
    for (const kind of everyDevice) assert.ok(share((viewer) => viewer.kind === kind) > 0.005, kind);
    assert.ok(share(({ kind }) => kind === 'bot') < 0.05);
    const v6 = share(({ ip }) => ip.includes(':'));
    assert.ok(v6 > 0.15 && v6 < 0.35, `${v6}`);
  });

  test('comes back', () => {
    const ips = new Set(viewersOf(5000).map(({ ip }) => ip));
    assert.ok(ips.size > 1500 && ips.size < 2500, `${ips.size}`);
  });

  test('watches on what a zone is for', () => {
    assert.deepEqual([...new Set(viewersOf(500, ['tv']).map(({ kind }) => kind))], ['tv']);
  });

  test('their addresses are of the country whose language they speak, by the database of the package', async () => {
    const countryOf = countriesIn(await readGeoIp());
    for (const { ip, language } of viewersOf(500))
      assert.equal(countryOf(parseIpAddress(ip) ?? assert.fail()), language.slice(3), ip);
  });
});

test('the report says what each of its rows is of', () => {
  const tally = {
    ...newTally(),
    requests: 3000,
    filled: 2640,
    latenciesMs: [2],
    adsWithTracker: { impression: 2640, start: 276, 'impression of demand': 900 },
    called: { impression: 2617, start: 273, 'impression of demand': 890, 'start of demand': 10 },
    acknowledged: { impression: 2617, start: 270, 'impression of demand': 890, 'start of demand': 9 },
  };
  const text = reportText(simulationReport({ tally, seed: 1, seconds: 60, counted: undefined }));
  assert.deepEqual(text.split('\n'), [
    'requests    3,000 (50 per second)',
    'filled      2,640 requests (88 %) with an ad',
    'latency     of answered requests: p50 2 ms, p95 2 ms, p99 2 ms, max 2 ms',
    'impression  2,617 of 2,617 calls acknowledged; 2,640 ads have this tracker',
    'start       270 of 273 calls acknowledged; 276 ads have this tracker',
    'of demand   899 of 900 calls acknowledged',
    'errors      none',
    'revenue     unknown: the management API was not called',
  ]);
});

test('percentiles are those of the samples', () => {
  const samples = Array.from({ length: 200 }, (_, index) => 200 - index);
  assert.deepEqual(latencyOf(samples), { p50: 100, p95: 190, p99: 198, max: 200 });
  assert.deepEqual(latencyOf([]), { p50: 0, p95: 0, p99: 0, max: 0 });
});
