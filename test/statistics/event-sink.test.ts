import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { Refusal } from '../../src/fields/fault.ts';
import type { DailyCounts } from '../../src/reference/counters.ts';
import { readEventRecord } from '../../src/statistics/event-records.ts';
import { createEventSink } from '../../src/statistics/event-sink.ts';
import { createPerformanceView } from '../../src/statistics/performance.ts';
import type { ProcessClaims } from '../../src/statistics/process-claims.ts';
import type { Store } from '../../src/store/interface.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { ObjectKey, StatisticsStore } from '../../src/store/statistics/interface.ts';
import { killChildren, startChild } from '../store/child.ts';
import { sqlite, temporaryPath } from '../store/sqlite-engine.ts';
import { dailyIn, day, dayMs, impression, pairOf, shownIn, startMs } from './counting.ts';
import { loggedSink, smallClaims, storeSink } from './store-sink.ts';

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

let ids = 0;
/** An object that nothing was counted of yet. */
const fresh = (kind: string) => {
  ids += 1;
  return { kind, id: ids };
};
const now = () => startMs + 1000;
const sinkOn = (statistics: StatisticsStore, processClaims?: ProcessClaims) =>
  storeSink({ store: { statistics }, now, ...(processClaims && { processClaims }) });

async function countsOn(onDay: number, { kind, id }: { kind: string; id: number }): Promise<DailyCounts> {
  const rows = await store.statistics.days(kind, [id], { fromDay: onDay, toDay: onDay });
  return rows[0]?.counts ?? dailyIn();
}

/** The statistics, but each write asks first what becomes of it: done, not done, or done and not told. */
function failing(next: () => 'done' | 'lost' | 'in doubt'): StatisticsStore {
  const away = () => new Refusal('unavailable', 'The database cannot be reached; try again');
  const guard =
    <A extends unknown[], T>(step: (...given: A) => Promise<T>) =>
    async (...given: A): Promise<T> => {
      const outcome = next();
      if (outcome === 'lost') throw away();
      const done = await step(...given);
      if (outcome === 'in doubt') throw away();
      return done;
    };
  const { statistics } = store;
  return { ...statistics, add: guard(statistics.add) };
}

/** Plays a list of outcomes, after which everything is done. */
function playing(outcomes: readonly ('lost' | 'in doubt')[]) {
  const left = [...outcomes];
  return () => left.shift() ?? 'done';
}

describe('counts', () => {
  test('are in the database once they are flushed, under the hour in which they were', async () => {
    const supply = fresh('VastTag');
    const demand = fresh('Campaign');
    const sink = sinkOn(store.statistics);
    sink.count(pairOf(supply), 'requests', startMs);
    sink.count(pairOf(supply, demand), 'requests', startMs);
    sink.count(pairOf(supply, demand), 'bids', startMs + dayMs - 1);
    sink.count(pairOf(supply), 'requests', startMs + dayMs);
    assert.deepEqual(await countsOn(day, supply), dailyIn());
    await sink.flush();
    assert.deepEqual(await countsOn(day, supply), dailyIn({ requests: 1, bids: 1 }));
    assert.deepEqual(await countsOn(day + 1, supply), dailyIn({ requests: 1 }));
    const hours = await store.statistics.hours(supply, { fromDay: day, toDay: day });
    assert.deepEqual(
      hours.map(({ hour }) => hour - day * 24),
      [0, 0, 23],
    );
    await sink.close();
  });

  test('are written by themselves within two seconds', async () => {
    const supply = fresh('VastTag');
    const outboxFolder = mkdtempSync(join(tmpdir(), 'bourse-outbox-'));
    const sink = await loggedSink({ store, outboxFolder, now });
    sink.count(pairOf(supply), 'requests', startMs);
    const startedMs = performance.now();
    while ((await countsOn(day, supply)).requests === 0) {
      assert.ok(performance.now() - startedMs < 10_000);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await sink.close();
    rmSync(outboxFolder, { recursive: true });
  });

  test('outlive an outage of the database: they are kept, added up, and written once', async () => {
    const supply = fresh('VastTag');
    const sink = sinkOn(failing(playing(['lost', 'in doubt', 'lost'])));
    for (let round = 0; round < 3; round += 1) {
      sink.count(pairOf(supply), 'requests', startMs);
      await assert.rejects(sink.flush(), { code: 'unavailable' });
    }
    sink.count(pairOf(supply), 'requests', startMs);
    await sink.flush();
    assert.equal((await countsOn(day, supply)).requests, 4);
    await sink.flush();
    assert.equal((await countsOn(day, supply)).requests, 4);
    await sink.close();
  });

  test('that are written only after an outage move the figures then', async () => {
    const supply = fresh('VastTag');
    const clock = { ms: startMs };
    const statistics = failing(playing(['lost']));
    const sink = storeSink({ store: { statistics }, now: () => clock.ms });
    sink.count(pairOf(supply), 'requests', startMs);
    await assert.rejects(sink.flush(), { code: 'unavailable' });
    clock.ms += 3_600_000;
    const view = createPerformanceView({ store, now: () => clock.ms });
    const before = await view.version();
    await sink.flush();
    clock.ms += 1000;
    assert.notEqual(await view.version(), before);
    await sink.close();
  });

  test('that could not be written are tried again by themselves', { timeout: 30_000 }, async () => {
    const supply = fresh('VastTag');
    const { promise: written, resolve } = Promise.withResolvers<void>();
    let attempts = 0;
    const append = async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('once');
      resolve();
      return true;
    };
    const failures: string[] = [];
    const sink = createEventSink({
      outbox: { append, claims: smallClaims(), onUnkept: () => undefined },
      now,
      flushMs: 10,
      onFailure: (_, what) => void failures.push(what),
    });
    sink.count(pairOf(supply), 'requests', startMs);
    await written;
    await sink.close();
    assert.deepEqual([attempts, failures], [2, ['counts could not be written; they are kept']]);
  });

  test('are not lost by an orderly close, also when the disk takes them only then', async () => {
    const supply = fresh('VastTag');
    const written: Buffer[] = [];
    let attempts = 0;
    const append = async (record: Buffer) => {
      attempts += 1;
      if (attempts < 3) throw new Error('EIO');
      return written.push(record) > 0;
    };
    const sink = createEventSink({
      outbox: { append, claims: smallClaims(), onUnkept: () => undefined },
      now,
    });
    for (let id = 1; id <= 450; id += 1)
      sink.count(pairOf(supply, { kind: 'Campaign', id }), 'bids', startMs);
    await sink.close();
    const bids = written.map(readEventRecord).flatMap((one) => (one.kind === 'lot' ? one.lot.pairs : []));
    assert.equal(
      bids.reduce((sum, { counts }) => sum + counts.bids, 0),
      450,
    );
  });

  test('of subids take bounded memory, however many are sent while nobody writes them', async () => {
    const feed = fresh('PopFeed');
    const sink = sinkOn(store.statistics);
    const [long, longer] = ['x'.repeat(500), 'x'.repeat(501)];
    sink.count(pairOf(feed, undefined, long), 'requests', startMs);
    for (let n = 0; n < 5000; n += 1) sink.count(pairOf(feed, undefined, `s${n}`), 'requests', startMs);
    sink.count(pairOf(feed, undefined, longer), 'requests', startMs);
    sink.count(pairOf(feed, undefined, `nul \0 and half \ud800 ${'x'.repeat(500)}`), 'requests', startMs);
    sink.count(pairOf(feed, undefined, 's1'), 'bids', startMs);
    await sink.flush();
    const rows = await store.statistics.subIds(feed, { fromDay: day, toDay: day });
    assert.equal(rows.length, 2001);
    const of = (name: string) => rows.find(({ subId }) => subId === name)?.counts;
    assert.deepEqual(of('s1'), shownIn({ requests: 1, bids: 1 }));
    assert.equal(of(long.slice(0, 128))?.requests, 2);
    assert.equal(of('other')?.requests, 3002);
    await sink.close();
  });
});

describe('billable events', () => {
  test('are durable when they are acknowledged, with their amounts', async () => {
    const supply = fresh('VastTag');
    const sink = sinkOn(store.statistics);
    const event = impression('durable', pairOf(supply, fresh('Campaign')));
    assert.equal(await sink.bill(event), true);
    const expected = dailyIn({ impressions: 1, spentNanos: 1500, revenueNanos: 2000 });
    assert.deepEqual(await countsOn(day, supply), expected);
    await sink.close();
  });

  const pair = () => pairOf(fresh('VastTag'), fresh('Campaign'));
  const refusals: readonly (readonly [what: string, more: object, expected: boolean | RegExp])[] = [
    ['that come after their trackers have expired do not count', { expiresMs: now() - 1 }, false],
    ['at the last moment count', { expiresMs: now() }, true],
    ['with a negative amount are an error', { revenueNanos: -1 }, /is not valid/],
    ['with an amount that is none are an error', { spentNanos: Number.NaN }, /is not valid/],
    ['with an amount beyond whole numbers are an error', { spentNanos: 2 ** 53 }, /is not valid/],
    ['of an auction ID that no database can hold are an error', { auctionId: 'a\0' }, /is not valid/],
    ['that last for ever are an error', { expiresMs: 1e300 }, /is not valid/],
    ['at no time are an error', { timeMs: Number.NaN, expiresMs: startMs }, /is not valid/],
    ['of no object are an error', { pair: pairOf({ kind: 'VastTag', id: 0 }) }, /is not valid/],
    [
      'of an object beyond all are an error',
      { pair: pairOf({ kind: 'VastTag', id: 2 ** 31 }) },
      /is not valid/,
    ],
  ];
  for (const [what, more, expected] of refusals) {
    test(`${what}, and harm no others`, async () => {
      const sink = sinkOn(store.statistics);
      const other = sink.bill(impression(`beside ${what}`, pair()));
      const told = sink.bill(impression(what, pair(), more));
      if (typeof expected === 'boolean') assert.equal(await told, expected);
      else await assert.rejects(told, expected);
      assert.equal(await other, true);
      await sink.close();
    });
  }

  test('that are under way are told before an orderly close ends', async () => {
    const sink = sinkOn(store.statistics);
    let told: boolean | undefined;
    const under = sink.bill(impression('closing', pairOf(fresh('VastTag'), fresh('Campaign'))));
    const telling = under.then((counted) => {
      told = counted;
    });
    await sink.close();
    assert.equal(told, true);
    await telling;
  });

  test('never pay more to the publisher than they earn', async () => {
    const supply = fresh('VastTag');
    const sink = sinkOn(store.statistics);
    await sink.bill(impression('dear', pairOf(supply, fresh('Campaign')), { spentNanos: 2001 }));
    assert.equal((await countsOn(day, supply)).spentNanos, 2000);
    await sink.close();
  });

  test('move the figures, also where nothing else was counted', async () => {
    const clock = { ms: startMs };
    const sink = storeSink({ store, now: () => clock.ms });
    const view = createPerformanceView({ store, now: () => clock.ms });
    const event = impression('alone', pairOf(fresh('VastTag'), fresh('Campaign')));
    const moves = async () => {
      const before = await view.version();
      await sink.bill(event);
      await sink.flush();
      clock.ms += 1000;
      return (await view.version()) !== before;
    };
    assert.deepEqual([await moves(), await moves()], [true, false], 'it counts once');
    await sink.close();
  });

  test('that come many times at once count once, also over sinks', async () => {
    const supply = fresh('VastTag');
    const event = impression('many', pairOf(supply, fresh('Campaign')));
    const claims = smallClaims();
    const sinks = [sinkOn(store.statistics, claims), sinkOn(store.statistics, claims)];
    const told = await Promise.all(sinks.flatMap((sink) => [1, 2, 3].map(() => sink.bill(event))));
    assert.equal(told.filter(Boolean).length, 1);
    assert.equal((await countsOn(day, supply)).impressions, 1);
    await Promise.all(sinks.map((sink) => sink.close()));
  });

  test('outlive an outage: what was in doubt is told as what it was', async () => {
    const supply = fresh('VastTag');
    const sink = sinkOn(failing(playing(['lost', 'in doubt', 'lost'])));
    const events = [1, 2, 3].map((n) => impression(`outage ${n}`, pairOf(supply, fresh('Campaign'))));
    assert.deepEqual(await Promise.all(events.map(sink.bill)), [true, true, true]);
    await sink.flush();
    assert.equal((await countsOn(day, supply)).impressions, 3);
    await sink.close();
  });

  test('make one commit of many that wait', async () => {
    const supply = fresh('VastTag');
    let commits = 0;
    const { statistics } = store;
    const counting: StatisticsStore = {
      ...statistics,
      add: (...given) => {
        commits += 1;
        return statistics.add(...given);
      },
    };
    const sink = sinkOn(counting);
    const events = Array.from({ length: 1000 }, (_, n) =>
      impression(`group ${n}`, pairOf(supply, fresh('Campaign'))),
    );
    await Promise.all(events.map(sink.bill));
    await sink.flush();
    assert.equal((await countsOn(day, supply)).impressions, 1000);
    assert.ok(commits <= 10, `${commits} commits`);
    await sink.close();
  });
});

describe('while another process holds the file', () => {
  const lockerModule = new URL('../store/locker-process.ts', import.meta.url);
  afterEach(killChildren);

  test('a billable event is acknowledged, and counts once when the file is free', async () => {
    const { path, remove } = temporaryPath();
    const locked = await openStore({ url: `sqlite:${path}`, now });
    const outboxFolder = mkdtempSync(join(tmpdir(), 'bourse-outbox-'));
    const sink = await loggedSink({ store: locked, outboxFolder, now });
    const supply = fresh('VastTag');
    const event = impression('locked', pairOf(supply, fresh('Campaign')));
    const holder = startChild(lockerModule, [path]);
    assert.equal(await holder.line(), 'locked');
    assert.deepEqual(await Promise.all([event, event].map(sink.bill)), [true, false]);
    holder.say('go');
    assert.equal(await holder.line(), 'free');
    await sink.close();
    const rows = await locked.statistics.days('VastTag', [supply.id], { fromDay: day, toDay: day });
    assert.equal(rows[0]?.counts.impressions, 1);
    await locked.close();
    remove();
    rmSync(outboxFolder, { recursive: true });
  });
});

test('counters of limits begin with what was counted today', async () => {
  const supply = fresh('VastTag');
  const demand = fresh('Campaign');
  const sink = sinkOn(store.statistics);
  await sink.bill(impression('yesterday', pairOf(supply, demand), { timeMs: startMs - 1 }));
  await sink.bill(impression('today', pairOf(supply, demand)));
  sink.count(pairOf(supply), 'requests', startMs);
  await sink.close();
  const today = (await Array.fromAsync(store.statistics.countedOn(day))).flat();
  const of = ({ kind, id }: ObjectKey) =>
    today.find((one) => one.kind === kind && one.id === id)?.counts ?? assert.fail();
  assert.deepEqual([of(demand).impressions, of(demand).revenueNanos], [1, 2000]);
  const costs = await store.statistics.totalCosts(['Campaign']);
  assert.equal(costs.find(({ id }) => id === demand.id)?.totalNanos, 4000);
  assert.equal(of(supply).requests, 1);
});
