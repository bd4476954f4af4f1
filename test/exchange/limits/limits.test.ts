import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createLimits, limitsMemory } from '../../../src/exchange/limits/create-limits.ts';
import { createSteadyClock } from '../../../src/exchange/limits/steady-clock.ts';
import { nanosOf } from '../../../src/exchange/money.ts';
import { type Case, home, may, neighbour, noonMs, show, v6 } from './case.ts';
import { auctionAt, bookAt, countedOf, dayMs, limited, midnightMs, refusedBy, smallSize } from './limited.ts';
import { promiseCases } from './promise-cases.ts';

const stopped = () => 31_234;
// No process begins with a whole minute.
const fresh = ({ startMs = midnightMs + 31_234, steadyMs = stopped } = {}) =>
  createLimits(limitsMemory({ startMs, ratesFromMs: stopped() }, smallSize), steadyMs);
const sinceNothing = { startMs: 0, ratesFromMs: 0 };

const cases: readonly Case[] = [
  ...promiseCases,
  {
    name: 'one impression for an address: the second is refused',
    limits: { impressionsPerIp: 1 },
    before: (limits, object) => show(limits, object, home),
    ask: may(home),
    refusal: { reason: 'impressions_per_ip', field: 'ImpressionsLimitPerIp', wanted: 1, met: 1 },
  },
  {
    name: 'another address has its own count',
    limits: { impressionsPerIp: 1 },
    before: (limits, object) => show(limits, object, home),
    ask: may(neighbour),
    refusal: undefined,
  },
  {
    name: 'the next UTC day has its own count',
    limits: { impressionsPerIp: 1 },
    before: (limits, object) => show(limits, object, home),
    ask: may(home, noonMs + dayMs),
    refusal: undefined,
  },
  {
    name: 'IPv6 addresses of one /64 are one',
    limits: { impressionsPerIp: 1 },
    before: (limits, object) => show(limits, object, v6(1)),
    ask: may(v6(99)),
    refusal: { reason: 'impressions_per_ip', field: 'ImpressionsLimitPerIp', wanted: 1, met: 1 },
  },
  {
    name: 'a daily amount that is reached',
    limits: { amountDailyNanos: nanosOf(0.01) },
    before: (limits, object) => bookAt(limits, object, nanosOf(0.01), noonMs),
    ask: may(home),
    refusal: { reason: 'revenue_daily_limit', field: 'RevenueDailyLimit', wanted: 0.01, met: 0.01 },
  },
  {
    name: 'a daily amount that is nearly reached',
    limits: { amountDailyNanos: nanosOf(0.01) },
    before: (limits, object) => bookAt(limits, object, nanosOf(0.009_999), noonMs),
    ask: may(home),
    refusal: undefined,
  },
  {
    name: "yesterday's amount is not today's",
    limits: { amountDailyNanos: nanosOf(0.01) },
    before: (limits, object) => bookAt(limits, object, nanosOf(5), noonMs - dayMs),
    ask: may(home),
    refusal: undefined,
  },
  {
    name: 'nor is that of the day before, whose place it takes',
    limits: { amountDailyNanos: nanosOf(0.01) },
    before: (limits, object) => {
      bookAt(limits, object, nanosOf(5), noonMs - 2 * dayMs);
      bookAt(limits, object, nanosOf(0.009), noonMs);
      bookAt(limits, object, nanosOf(0.003), noonMs);
    },
    ask: may(home),
    refusal: { reason: 'revenue_daily_limit', field: 'RevenueDailyLimit', wanted: 0.01, met: 0.012 },
  },
  {
    name: 'nor is that of an object of another kind with the same ID',
    limits: { amountDailyNanos: nanosOf(0.01) },
    before: (limits, object) => bookAt(limits, { ...object, kind: 'RtbEp' }, nanosOf(5), noonMs),
    ask: may(home),
    refusal: undefined,
  },
  {
    name: 'a total amount counts all days',
    kind: 'Campaign',
    limits: { amountTotalNanos: nanosOf(10) },
    before: (limits, object) => {
      bookAt(limits, object, nanosOf(5), noonMs - dayMs);
      bookAt(limits, object, nanosOf(5), noonMs);
    },
    ask: may(home),
    refusal: { reason: 'spend_total_limit', field: 'SpendTotalLimit', wanted: 10, met: 10 },
  },
  {
    name: 'what was counted before a restart still counts: impressions',
    limits: { impressionsDaily: 100 },
    before: (limits, object) => limits.raise([countedOf(object, { impressions: 51 })], noonMs),
    ask: may(home),
    refusal: {
      reason: 'impressions_daily_limit',
      field: 'ImpressionsDailyLimit',
      wanted: 100,
      met: 51,
    },
  },
  {
    name: 'what was counted before a restart still counts: the total of other days',
    kind: 'Campaign',
    limits: { amountTotalNanos: nanosOf(10) },
    before: (limits, object) => limits.raiseTotals([{ ...object, totalNanos: nanosOf(10), impressions: 0 }]),
    ask: may(home),
    refusal: { reason: 'spend_total_limit', field: 'SpendTotalLimit', wanted: 10, met: 10 },
  },
  {
    name: 'impressions in all: those of other days and before a restart, and what is reserved',
    limits: { impressionsTotal: 10 },
    before: (limits, object) => {
      limits.raiseTotals([{ ...object, totalNanos: 0, impressions: 8 }]);
      bookAt(limits, object, 0, noonMs);
      refusedBy(limits, object, auctionAt(noonMs));
    },
    ask: may(home),
    refusal: { reason: 'impressions_total_limit', field: 'ImpressionsTotalLimit', wanted: 10, met: 10 },
  },
  {
    name: 'what others have counted counts: theirs and ours together, as the database has them',
    limits: { amountDailyNanos: nanosOf(10) },
    before: (limits, object) => {
      bookAt(limits, object, nanosOf(4), noonMs);
      limits.raise([countedOf(object, { amountNanos: nanosOf(7) })], noonMs);
      bookAt(limits, object, nanosOf(3), noonMs);
    },
    ask: may(home),
    refusal: { reason: 'revenue_daily_limit', field: 'RevenueDailyLimit', wanted: 10, met: 10 },
  },
  {
    name: 'in the total too, and once, however often it is told',
    kind: 'Campaign',
    limits: { amountTotalNanos: nanosOf(11) },
    before: (limits, object) => {
      limits.raise([countedOf(object, { amountNanos: nanosOf(7) })], noonMs);
      limits.raiseTotals([{ ...object, totalNanos: nanosOf(9), impressions: 0 }]);
      for (let times = 0; times < 3; times += 1) {
        limits.raise([countedOf(object, { amountNanos: nanosOf(8) })], noonMs);
      }
    },
    ask: may(home),
    refusal: undefined,
  },
  {
    name: 'what was counted while nothing was limited counts: requests',
    limits: { requestsDaily: 4 },
    before: (limits) => {
      for (let times = 0; times < 3; times += 1) limits.takeRequest(limited({}), noonMs);
    },
    ask: (limits, object) => limits.takeRequest(object, noonMs),
    refusal: { reason: 'requests_daily_limit', field: 'RequestsDailyLimit', wanted: 4, met: 3 },
  },
  {
    name: 'and bids, but for those that were given back',
    limits: { bidsDaily: 4 },
    before: (limits, object) => {
      for (let times = 0; times < 4; times += 1) limits.takeBid(limited({}), noonMs);
      limits.giveBackBid(object, noonMs);
    },
    ask: (limits, object) => limits.takeBid(object, noonMs),
    refusal: { reason: 'bids_daily_limit', field: 'BidsDailyLimit', wanted: 4, met: 3 },
  },
  {
    name: 'what the database has not counted yet is not taken away',
    limits: { requestsDaily: 4 },
    before: (limits, object) => {
      for (let times = 0; times < 3; times += 1) limits.takeRequest(object, noonMs);
      limits.raise([countedOf(object, { requests: 1 })], noonMs);
    },
    ask: (limits, object) => limits.takeRequest(object, noonMs),
    refusal: { reason: 'requests_daily_limit', field: 'RequestsDailyLimit', wanted: 4, met: 3 },
  },
];

describe('limits', () => {
  for (const { name, kind = 'DspVastTag', limits, startMs, before, ask, refusal } of cases) {
    test(name, () => {
      const subject = fresh({ startMs });
      const object = { ...limited(limits), kind };
      before(subject, object);
      assert.deepEqual(ask(subject, object), refusal);
    });
  }

  test('a refused request takes nothing of the day', () => {
    let steadyMs = stopped();
    const subject = fresh({ steadyMs: () => steadyMs });
    const object = limited({ maxQps: 1, requestsDaily: 1440 });
    const taken = Array.from({ length: 50 }, () => subject.takeRequest(object, noonMs));
    assert.equal(taken.filter((refusal) => refusal === undefined).length, 1);
    let more = 0;
    for (let second = 2; second < 2000; second += 2) {
      steadyMs = stopped() + second * 1000;
      if (subject.takeRequest(object, noonMs + second * 1000) === undefined) more += 1;
    }
    // Noon's line is 721; 49 refusals that had been counted would show here.
    assert.ok(more >= 720, `${more}`);
  });

  test('objects whose counters lie side by side count for themselves alone, by day', () => {
    const subject = createLimits(limitsMemory(sinceNothing, { objects: 3, viewers: 64 }), stopped);
    const days = [
      {
        timeMs: noonMs - dayMs,
        of: (id: number) => 100 * id,
        promisesOf: () => 0,
        totalOf: (id: number) => 100 * id,
      },
      {
        timeMs: noonMs,
        of: (id: number) => id,
        promisesOf: (id: number) => id,
        totalOf: (id: number) => 101 * id,
      },
    ];
    for (const { timeMs, of, promisesOf, totalOf } of days) {
      for (const id of [1, 2, 3]) {
        const counts = { requests: 10 * of(id), bids: 20 * of(id), impressions: 30 * of(id) };
        subject.raise([countedOf(limited({}, id), counts)], timeMs);
        bookAt(subject, limited({}, id), nanosOf(of(id)), timeMs);
        for (let made = 0; made < promisesOf(id); made += 1)
          for (const to of ['ad', 'offer'] as const)
            assert.equal(
              refusedBy(subject, limited({ impressionsDaily: 100_000 }, id), auctionAt(timeMs, to, home)),
              undefined,
            );
      }
      for (const id of [1, 2, 3]) {
        const ofRequests = subject.mayRequest(limited({ requestsDaily: 1 }, id), timeMs);
        const ofBids = subject.mayBid(limited({ bidsDaily: 1 }, id), timeMs);
        const others = [{ impressionsDaily: 1 }, { amountDailyNanos: 1 }, { amountTotalNanos: 1 }].map(
          (limits) => subject.mayReserve(limited(limits, id), { ip: home, timeMs }, 0),
        );
        const met = [ofRequests, ofBids, ...others].map((refusal) => refusal?.met);
        const n = of(id);
        const wanted = [10 * n, 20 * n, 30 * n + 1 + 2 * promisesOf(id), n, totalOf(id)];
        assert.deepEqual(met, wanted, `object ${id} at ${timeMs}`);
      }
    }
    const hour = noonMs / 3_600_000;
    const addresses = [1, 2, 3].map((id) => {
      const shown = { timeMs: noonMs, kept: 0, impressions: 4 + id };
      return { kind: 'DspVastTag', id, viewer: home, hour, ...shown, promised: 0 };
    });
    subject.restoreViewers(addresses);
    for (const { id, impressions } of addresses)
      assert.equal(
        subject.mayReserve(limited({ impressionsPerIp: 1 }, id), { ip: home, timeMs: noonMs }, 0)?.met,
        impressions,
      );
    for (const isFree of [true, true, true, false])
      for (const id of [1, 2, 3])
        assert.equal(subject.takeRequest(limited({ maxQps: 3 }, id), noonMs) === undefined, isFree);
  });

  test('threads that stall let no burst through: no second of their clock holds more than MaxQps', async () => {
    for (const maxQps of [3, 50]) {
      const steadyMs = createSteadyClock();
      const memory = limitsMemory({ startMs: midnightMs, ratesFromMs: steadyMs() }, smallSize);
      const stalls = [
        { loopStallMs: 700, clockStallMs: 300 },
        { loopStallMs: 5, clockStallMs: 40 },
      ];
      const taken = await Promise.all(
        stalls.map(async (stall) => {
          const workerData = { memory, object: limited({ maxQps }), forMs: 2000, ...stall };
          const [times] = await once(
            new Worker(new URL('./stalled-thread.ts', import.meta.url), { workerData }),
            'message',
          );
          return times as readonly number[];
        }),
      );
      const times = taken.flat().toSorted((a, b) => a - b);
      const inSecond = times.map((from) => times.filter((at) => at >= from && at < from + 1000).length);
      assert.ok(Math.max(...inSecond) <= maxQps, `${Math.max(...inSecond)} of ${maxQps}`);
      assert.ok(times.length >= 2 * maxQps, `${times.length} of ${maxQps}`);
    }
  });

  test('threads that count at once never exceed a limit', async () => {
    const memory = limitsMemory(sinceNothing, smallSize);
    const taken = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const worker = new Worker(new URL('./taking-thread.ts', import.meta.url), {
          workerData: {
            memory,
            object: limited({ requestsDaily: 1_000_000 }),
            timeMs: noonMs,
            tries: 300_000,
          },
        });
        return await new Promise<number>((resolve, reject) => {
          worker.once('message', resolve);
          worker.once('error', reject);
        });
      }),
    );
    const line = 500_000 + Math.floor(1_000_000 / 1440);
    const sum = taken.reduce((a, b) => a + b, 0);
    assert.ok(sum <= line && sum > line - 10, `${sum} of ${line}`);
  });
});
