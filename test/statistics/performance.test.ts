import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createPerformanceView, noPerformance } from '../../src/statistics/performance.ts';
import type { Store } from '../../src/store/interface.ts';
import type { StatisticsStore } from '../../src/store/statistics/interface.ts';
import { sqlite } from '../store/sqlite-engine.ts';
import { dayMs, pairCounts, startMs } from './counting.ts';

let store: Store;
let close: () => Promise<void>;
before(async () => {
  const database = await sqlite.fresh();
  store = await database.open();
  close = async () => {
    await store.close();
    await database.remove();
  };
});
after(() => close());

/** A view by a clock that the test sets, and how often it has asked the database. */
function viewAt(clock: { ms: number }) {
  const asked = { rates: 0, figures: 0 };
  const statistics: StatisticsStore = {
    ...store.statistics,
    requestsAfter(...given) {
      asked.rates += 1;
      return store.statistics.requestsAfter(...given);
    },
    days(...given) {
      asked.figures += 1;
      return store.statistics.days(...given);
    },
  };
  return { asked, view: createPerformanceView({ store: { statistics }, now: () => clock.ms }) };
}

const supply = { kind: 'VastTag', id: 1 };

async function count(timeMs: number, requests: number, impressions = 0): Promise<void> {
  const hour = Math.floor(timeMs / 3_600_000);
  const pairs = [pairCounts(supply, undefined, { requests, impressions, revenueNanos: 1e9 }, hour)];
  await store.statistics.add([{ id: randomUUID(), timeMs, pairs, addresses: [] }]);
}

test('figures by a clock: a minute of requests, today, and yesterday after midnight', async () => {
  const clock = { ms: startMs + 1000 };
  const { view, asked } = viewAt(clock);
  const figures = async () => (await view.of('VastTag', [1])).get(1) ?? noPerformance;

  const quiet = await view.version();
  assert.deepEqual(await figures(), noPerformance);
  for (let n = 0; n < 50; n += 1) await view.version();
  assert.deepEqual(asked, { rates: 1, figures: 0 }, 'nothing was counted: nothing is asked again');
  clock.ms += 1000;
  assert.equal(await view.version(), quiet, 'nothing was counted: nothing has moved');

  await count(clock.ms, 120, 30);
  clock.ms += 1000;
  const counted = await view.version();
  assert.notEqual(counted, quiet);
  const today = { Qps: 2, TodayRevenue: 1, TodayFillRate: 25 };
  assert.deepEqual(await figures(), { ...noPerformance, ...today });
  assert.equal((await view.of('Campaign', [1])).get(1)?.Qps, 0, 'another kind of object with that ID');

  clock.ms += 1000;
  assert.equal(await view.version(), counted);
  await count(clock.ms - 2000, 60);
  clock.ms += 1000;
  assert.equal((await figures()).Qps, 3, 'a lot that was committed late counts too');

  clock.ms += 60_000;
  assert.notEqual(await view.version(), counted);
  assert.deepEqual(await figures(), { ...noPerformance, TodayRevenue: 2, TodayFillRate: 16.666667 });

  const beforeMidnight = await view.version();
  clock.ms += dayMs;
  assert.notEqual(await view.version(), beforeMidnight);
  const yesterday = { YesterdayRevenue: 2, YesterdayFillRate: 16.666667 };
  assert.deepEqual(await figures(), { ...noPerformance, ...yesterday });
  clock.ms += dayMs;
  assert.deepEqual(await figures(), noPerformance);
});

/** How far the clock of a maker of counts is behind that of the reader. */
const behindMs = [0, 5000, 12_000, 45_000, 59_000, 61_000, 110_000, -20_000, -59_000];

for (const [n, ms] of behindMs.entries()) {
  test(`counts from a clock that is ${ms} ms behind move the version, and are in Qps for a minute`, async () => {
    const clock = { ms: startMs + (n + 10) * dayMs };
    const { view } = viewAt(clock);
    const qps = async () => (await view.of('VastTag', [1])).get(1)?.Qps ?? 0;
    let version = await view.version();
    const moves = async () => {
      const before = version;
      version = await view.version();
      return version !== before;
    };
    for (let second = 0; second < 3; second += 1) {
      await count(clock.ms - ms, 60);
      clock.ms += 1000;
      assert.equal(await moves(), true, `second ${second}`);
      assert.equal(await qps(), second + 1);
    }
    clock.ms += 50_000;
    assert.equal(await moves(), false, 'each counts once');
    assert.equal(await qps(), 3);
    clock.ms += 10_000;
    assert.equal(await moves(), true);
    assert.equal(await qps(), 0);
    clock.ms += 60_000;
    assert.equal(await moves(), false);
  });
}

test('after the clock was set back the minute begins anew, and nothing is counted twice', async () => {
  const aheadMs = startMs + 20 * dayMs;
  const clock = { ms: aheadMs };
  const { view } = viewAt(clock);
  const qps = async () => (await view.of('VastTag', [1])).get(1)?.Qps ?? 0;
  await view.version();
  for (let minutes = 0; minutes < 5; minutes += 1) {
    await count(clock.ms, 600);
    clock.ms += 60_000;
    await view.version();
  }
  await count(clock.ms, 600);
  clock.ms += 1000;
  assert.equal(await qps(), 10);
  clock.ms = aheadMs - 3_600_000;
  assert.equal(await qps(), 0, 'what was counted before');
  await count(clock.ms, 120);
  clock.ms += 1000;
  assert.equal(await qps(), 2);
  clock.ms += 60_000;
  assert.equal(await qps(), 0);
});
