import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Refusal } from '../../src/fields/fault.ts';
import { readEventRecord } from '../../src/statistics/event-records.ts';
import { createEventSink } from '../../src/statistics/event-sink.ts';
import type { BillableEvent } from '../../src/statistics/events.ts';
import type { Store } from '../../src/store/interface.ts';
import type { ObjectKey, PairCounts, StatisticsStore } from '../../src/store/statistics/interface.ts';
import { sqlite } from '../store/sqlite-engine.ts';
import { dailyIn, day, impression, pairOf, startMs } from './counting.ts';
import { smallClaims, storeSink } from './store-sink.ts';

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
const fresh = (kind: string) => {
  ids += 1;
  return { kind, id: ids };
};

async function countsOf({ kind, id }: ObjectKey) {
  const rows = await store.statistics.days(kind, [id], { fromDay: day, toDay: day });
  return rows[0]?.counts ?? dailyIn();
}

/** The statistics, but whatever holds an object of the kind `Bad` fails with this error. */
function failingOn(error: () => Error): StatisticsStore {
  const isBad = (pairs: readonly PairCounts[]) => pairs.some(({ supply }) => supply.kind === 'Bad');
  const { statistics } = store;
  return {
    ...statistics,
    async add(batches, taken) {
      const pairs = batches.flatMap((batch) => [
        ...batch.pairs,
        ...(batch.events?.countsOf(new Set(batch.events.claims)).pairs ?? []),
      ]);
      if (isBad(pairs)) throw error();
      return statistics.add(batches, taken);
    },
  };
}

const refusal = () => new Refusal('invalid', 'The database takes no such counts');

function sinkOn(statistics: StatisticsStore, processClaims = smallClaims()) {
  const failures: string[] = [];
  const onFailure = (_: unknown, what: string) => void failures.push(what);
  const sink = storeSink({ store: { statistics }, now: () => startMs, onFailure, processClaims });
  return { sink, failures };
}

describe('counts that the database refuses', () => {
  for (const [name, rows, spoil] of [
    ['of one object', 1, (supply: ObjectKey) => [{ ...supply, kind: 'Bad' }, startMs] as const],
    // With what its subid has counted.
    ['of no time', 2, (supply: ObjectKey) => [supply, Number.NaN] as const],
  ] as const) {
    test(`${name} are set aside with a line in the log, and hold up no other`, async () => {
      const supplies = Array.from({ length: 450 }, () => fresh('VastTag'));
      const { sink, failures } = sinkOn(failingOn(refusal));
      const bad = new Set([0, 199, 200, 449]);
      for (const [index, supply] of supplies.entries()) {
        const [counted, timeMs] = bad.has(index) ? spoil(supply) : [supply, startMs];
        sink.count(pairOf(counted, undefined, 'sub'), 'requests', timeMs);
      }
      await sink.flush();
      assert.equal(sink.setAside(), rows * bad.size);
      assert.equal(failures.length, rows * bad.size);
      for (const failure of failures) assert.match(failure, /^set aside: \{/);
      for (const [index, supply] of supplies.entries())
        assert.equal((await countsOf(supply)).requests, bad.has(index) ? 0 : 1, String(index));
      await sink.flush();
      assert.equal(sink.setAside(), rows * bad.size, 'nothing of it comes again');
      await sink.close();
    });
  }

  test('with their subids are set aside alone', async () => {
    const [good, feed] = [fresh('PopFeed'), fresh('PopFeed')];
    const { sink } = sinkOn(store.statistics);
    sink.count(pairOf(good, undefined, 'a'), 'requests', startMs);
    sink.count(pairOf(feed, undefined, 'a'), 'requests', Number.NaN);
    await sink.flush();
    assert.equal(sink.setAside(), 2, 'a pair and a subid');
    const rows = await store.statistics.subIds(good, { fromDay: day, toDay: day });
    assert.deepEqual(
      rows.map(({ subId }) => subId),
      ['a'],
    );
    await sink.close();
  });
});

test('counts that fail for another reason are kept, and count once when they no longer fail', async () => {
  let isBroken = true;
  const { add } = failingOn(() => new Error('broken'));
  const { statistics } = store;
  const failing: StatisticsStore['add'] = (...given) => (isBroken ? add(...given) : statistics.add(...given));
  const { sink } = sinkOn({ ...statistics, add: failing });
  const [bad, good] = [fresh('Bad'), fresh('VastTag')];
  sink.count(pairOf(bad), 'requests', startMs);
  await assert.rejects(sink.flush(), /broken/);
  sink.count(pairOf(good), 'requests', startMs);
  await assert.rejects(sink.flush(), /broken/);
  isBroken = false;
  await sink.flush();
  const range = { fromDay: day, toDay: day };
  const counted = await Promise.all([good, bad].map((supply) => statistics.hours(supply, range)));
  assert.deepEqual(
    counted.flat().map(({ counts }) => counts.requests),
    [1, 1],
  );
  assert.equal(sink.setAside(), 0);
  await sink.close();
});

describe('a log that takes nothing', () => {
  for (const [how, append] of [
    ['is full', async () => false],
    ['fails', () => Promise.reject(new Error('EIO'))],
  ] as const) {
    test(`refuses billable events, and counts add up in memory: it ${how}`, async () => {
      const written: Buffer[] = [];
      const unkept: unknown[] = [];
      let isAway = true;
      const outbox = {
        append: async (record: Buffer) => (isAway ? append() : written.push(record) > 0),
        claims: smallClaims(),
        onUnkept: (error: unknown) => void unkept.push(error),
      };
      const sink = createEventSink({ outbox, now: () => startMs, timeoutMs: 100 });
      const supply = fresh('VastTag');
      const event = impression(`log ${how}`, pairOf(supply, fresh('Campaign')));
      for (let time = 0; time < 60; time += 1) {
        sink.count(pairOf(supply), 'requests', startMs);
        await assert.rejects(sink.flush(), { code: 'unavailable' });
      }
      await assert.rejects(sink.bill(event), { code: 'unavailable' });
      assert.equal(unkept.length, 61);
      isAway = false;
      assert.equal(await sink.bill(event), true, 'what was refused may come again');
      await sink.close();
      const records = written.map(readEventRecord);
      const requests = records.flatMap((one) =>
        one.kind === 'lot' ? one.lot.pairs.map(({ counts }) => counts.requests) : [],
      );
      assert.deepEqual(requests, [1, 59]);
      assert.equal(records.filter(({ kind }) => kind === 'event').length, 1);
    });
  }
});

describe('billable events that the database refuses', () => {
  test('fail alone, however many share their lot', async () => {
    const supplies = Array.from({ length: 300 }, () => fresh('VastTag'));
    const bad = new Set([0, 7, 8, 299]);
    const { sink } = sinkOn(failingOn(refusal));
    const events = supplies.map((supply, index) =>
      impression(
        `lot ${index}`,
        pairOf(bad.has(index) ? { ...supply, kind: 'Bad' } : supply, fresh('Campaign')),
      ),
    );
    assert.deepEqual(
      await Promise.all(events.map(sink.bill)),
      events.map(() => true),
    );
    await sink.flush();
    assert.equal(sink.setAside(), bad.size);
    for (const [index, supply] of supplies.entries())
      assert.equal((await countsOf(supply)).impressions, bad.has(index) ? 0 : 1, String(index));
    await sink.close();
  });
});

describe('an auction has a loss or the others, whichever comes first', () => {
  type Event = BillableEvent['event'];
  const cases: readonly (readonly [events: readonly Event[], counted: readonly boolean[]])[] = [
    [
      ['wins', 'losses'],
      [true, false],
    ],
    [
      ['losses', 'wins'],
      [true, false],
    ],
    [
      ['bills', 'losses'],
      [true, false],
    ],
    [
      ['losses', 'bills'],
      [true, false],
    ],
    [
      ['wins', 'losses', 'bills'],
      [true, false, true],
    ],
    [
      ['bills', 'losses', 'wins'],
      [true, false, true],
    ],
    [
      ['losses', 'wins', 'bills'],
      [true, false, false],
    ],
    [
      ['losses', 'losses', 'wins', 'losses', 'bills'],
      [true, false, false, false, false],
    ],
    [
      ['wins', 'wins', 'losses', 'losses', 'bills', 'bills'],
      [true, false, false, false, true, false],
    ],
  ];
  for (const [events, expected] of cases) {
    for (const how of ['at once', 'one after the other', 'by two threads'] as const) {
      test(`${events.join(', ')}: ${how}`, async () => {
        const [supply, auctionId] = [fresh('RtbEp'), `${events.join()} ${how}`];
        const claims = smallClaims();
        const sinks = [sinkOn(store.statistics, claims).sink, sinkOn(store.statistics, claims).sink];
        const both = pairOf(supply, fresh('Campaign'));
        const bill = (event: Event, index: number) =>
          sinks[how === 'by two threads' ? index % 2 : 0]?.bill(impression(auctionId, both, { event }));
        const told: unknown[] = [];
        if (how === 'at once') told.push(...(await Promise.all(events.map(bill))));
        else for (const [index, event] of events.entries()) told.push(await bill(event, index));
        assert.deepEqual(told, expected);
        const { wins, bills } = await countsOf(supply);
        const count = (name: Event) =>
          events.filter((event, index) => event === name && expected[index]).length;
        assert.deepEqual([wins, bills], [count('wins'), count('bills')]);
        for (const sink of sinks) await sink.close();
      });
    }
  }
});

describe('an impression that bills, and its parts as programs of before write them', () => {
  type Part = Partial<BillableEvent>;
  const whole: Part = { event: 'bills', isImpression: true };
  const parts: readonly Part[] = [{ event: 'impressions' }, { event: 'bills' }];
  for (const [name, ofProcesses] of [
    ['the whole first', [[whole, whole], parts]],
    ['its parts first', [parts, [whole]]],
  ] as const) {
    test(`count once by two processes: ${name}`, async () => {
      const supply = fresh('VastTag');
      const both = pairOf(supply, fresh('Campaign'));
      for (const events of ofProcesses) {
        const { sink } = sinkOn(store.statistics);
        for (const part of events) await sink.bill(impression(`parts ${name}`, both, part));
        await sink.close();
      }
      const { impressions, bills } = await countsOf(supply);
      assert.deepEqual([impressions, bills], [1, 1]);
    });
  }
});

test('an event whose names another machine of the region holds is stored: that machine may be gone', async () => {
  const claims = { claim: async () => false, giveBack: () => undefined };
  const sink = storeSink({ store, now: () => startMs, claims });
  const supply = fresh('VastTag');
  const event = impression('held elsewhere', pairOf(supply, fresh('Campaign')), { event: 'bills' });
  assert.equal(await sink.bill(event), false, 'limits are booked where it was first');
  await sink.close();
  assert.equal((await countsOf(supply)).bills, 1);
});
