import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createLimits, limitsMemory } from '../../../src/exchange/limits/create-limits.ts';
import type { Limits } from '../../../src/exchange/limits/limits.ts';
import { createSteadyClock } from '../../../src/exchange/limits/steady-clock.ts';
import { nanosOf } from '../../../src/exchange/money.ts';
import type { Limited } from '../../../src/exchange/snapshot/limited.ts';
import { auctionAt, bookAt, countedOf, dayMs, limited, midnightMs, refusedBy, smallSize } from './limited.ts';

const noonMs = midnightMs + dayMs / 2;
const hourMs = dayMs / 24;
const fresh = (steadyMs = () => 0) =>
  createLimits(limitsMemory({ startMs: 0, ratesFromMs: 0 }, smallSize), steadyMs);

interface Case {
  readonly name: string;
  readonly limits: Partial<Limited['limits']>;
  readonly before: (limits: Limits, object: Limited) => void;
  readonly ask: (limits: Limits, object: Limited) => unknown;
  readonly refusal: unknown;
}

/** What was counted while the clock was ahead, before it was set back to noon. */
const cases: readonly Case[] = [
  {
    name: 'requests of a day to come',
    limits: { requestsDaily: 1440 },
    before: (limits, object) => limits.takeRequest(object, noonMs + 2 * dayMs),
    ask: (limits, object) => limits.takeRequest(object, noonMs),
    refusal: undefined,
  },
  {
    name: 'and those that nothing limited',
    limits: { requestsDaily: 2 },
    before: (limits, object) => {
      for (const days of [2, 0, 0]) limits.takeRequest(limited({}), noonMs + days * dayMs);
      assert.equal(limits.takeRequest(object, noonMs + dayMs), undefined);
    },
    ask: (limits, object) => limits.takeRequest(object, noonMs),
    refusal: { reason: 'requests_daily_limit', field: 'RequestsDailyLimit', wanted: 2, met: 2 },
  },
  {
    name: 'what the database has counted of the day',
    limits: { requestsDaily: 4 },
    before: (limits, object) => {
      limits.takeRequest(object, noonMs + 2 * dayMs);
      limits.raise([countedOf(object, { requests: 3 })], noonMs);
    },
    ask: (limits, object) => limits.takeRequest(object, noonMs),
    refusal: { reason: 'requests_daily_limit', field: 'RequestsDailyLimit', wanted: 4, met: 3 },
  },
  ...(['ad', 'offer'] as const).map((to) => ({
    name: `impressions promised to an ${to}`,
    limits: { impressionsDaily: 1440 },
    before: (limits: Limits, object: Limited) => {
      for (let minute = 0; minute < 90; minute += 1)
        refusedBy(limits, object, auctionAt(noonMs + minute * 60_000, to));
    },
    ask: (limits: Limits, object: Limited) => refusedBy(limits, object, auctionAt(noonMs - hourMs, to)),
    refusal: undefined,
  })),
  ...(['ad', 'offer'] as const).map((to) => ({
    name: `amounts promised to an ${to}`,
    limits: { amountDailyNanos: nanosOf(1), amountTotalNanos: nanosOf(1) },
    before: (limits: Limits, object: Limited) => {
      for (let minute = 0; minute < 90; minute += 1)
        refusedBy(limits, object, auctionAt(noonMs + minute * 60_000, to), nanosOf(0.9));
    },
    ask: (limits: Limits, object: Limited) =>
      refusedBy(limits, object, auctionAt(noonMs - hourMs, to), nanosOf(1)),
    refusal: undefined,
  })),
  {
    name: 'amounts of a day to come',
    limits: { amountDailyNanos: nanosOf(2) },
    before: (limits, object) => {
      bookAt(limits, object, nanosOf(5), noonMs + 2 * dayMs);
      bookAt(limits, object, nanosOf(2), noonMs);
    },
    ask: (limits, object) => limits.mayReserve(object, { ip: undefined, timeMs: noonMs }, 0),
    refusal: { reason: 'revenue_daily_limit', field: 'RevenueDailyLimit', wanted: 2, met: 2 },
  },
];

describe('after the clock was set back', () => {
  for (const { name, limits, before, ask, refusal } of cases) {
    test(name, () => {
      const subject = fresh();
      const object = limited(limits);
      before(subject, object);
      assert.deepEqual(ask(subject, object), refusal);
    });
  }
});

test('the rate goes by no clock that can be set', () => {
  let steadyMs = 0;
  const subject = fresh(() => steadyMs);
  const object = limited({ maxQps: 1 });
  const clocksMs = [noonMs, noonMs - hourMs, noonMs + dayMs];
  for (const timeMs of clocksMs) {
    assert.equal(subject.takeRequest(object, timeMs), undefined);
    for (const laterMs of clocksMs)
      assert.equal(subject.takeRequest(object, laterMs)?.reason, 'max_qps', `${timeMs} to ${laterMs}`);
    steadyMs += 2000;
  }
});

test('the steady clock tells all threads the same time', async () => {
  const clock = createSteadyClock();
  // A thread that is interrupted between two readings is a little off; not all of them are.
  const offMs: number[] = [];
  for (let threads = 0; threads < 5; threads += 1) {
    const beforeMs = clock();
    const [theirsMs] = await once(new Worker(new URL('clock-thread.ts', import.meta.url)), 'message');
    offMs.push(Math.max(0, beforeMs - theirsMs, theirsMs - clock()));
  }
  assert.ok(Math.min(...offMs) < 1, `${offMs}`);
});
