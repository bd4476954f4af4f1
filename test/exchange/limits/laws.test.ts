import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLimits, limitsMemory } from '../../../src/exchange/limits/shared-limits.ts';
import { dayMs, limited, midnightMs, smallSize } from './limited.ts';

const seed = 20_261_120;

/** The line of delivery, "Limits", read anew: t in seconds of the UTC day. */
const lineAt = (limit: number, timeMs: number) =>
  Math.min(limit, (limit * ((timeMs - midnightMs) / 1000)) / 86_400 + Math.max(1, limit / 1440));

/** So many moments of a day, in order. */
const moments = (count: number) =>
  fc
    .array(fc.integer({ min: 0, max: dayMs - 1 }), { minLength: count, maxLength: count })
    .map((times) => times.map((time) => midnightMs + time).sort((a, b) => a - b));

/** Two threads of one process, and which of them is asked. */
function twoThreads() {
  const memory = limitsMemory(midnightMs, smallSize);
  const threads = [createLimits(memory), createLimits(memory)] as const;
  return (index: number) => threads[index % 2 === 0 ? 0 : 1];
}

test('requests and bids of a day stay below the line, whichever thread counts them', () => {
  const cases = [
    { limits: (limit: number) => ({ requestsDaily: limit }), take: 'takeRequest' },
    { limits: (limit: number) => ({ bidsDaily: limit }), take: 'takeBid' },
  ] as const;
  for (const { limits, take } of cases) {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), moments(600), (limit, times) => {
        const thread = twoThreads();
        const object = limited(limits(limit));
        let taken = 0;
        for (const [index, timeMs] of times.entries()) {
          const may = thread(index + 1).mayRequest(object, timeMs);
          const refusal = thread(index)[take](object, timeMs);
          if (take === 'takeRequest') assert.deepEqual(may, refusal, 'what may be requested is taken');
          if (refusal === undefined) taken += 1;
          assert.ok(taken <= lineAt(limit, timeMs), `${taken} at ${timeMs}`);
        }
        assert.ok(taken <= limit);
      }),
      { seed, numRuns: 60 },
    );
  }
});

test('with enough traffic at least 99 % of a daily limit is used', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 0, max: 9999 }), (limit, offset) => {
      const thread = twoThreads();
      const object = limited({ requestsDaily: limit });
      let taken = 0;
      const stepMs = Math.floor(dayMs / (limit * 4));
      for (let index = 0, time = offset; time < dayMs; index += 1, time += stepMs) {
        if (thread(index).takeRequest(object, midnightMs + time) === undefined) taken += 1;
      }
      assert.ok(taken >= Math.min(limit, Math.ceil(limit * 0.99)), `${taken} of ${limit}`);
    }),
    { seed, numRuns: 40 },
  );
});

test('no window of one second holds more than MaxQps, and a burst of MaxQps is let through', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 120 }), { minLength: 50, maxLength: 400 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), gaps, (maxQps, gapsMs) => {
      const thread = twoThreads();
      const object = limited({ maxQps });
      const taken: number[] = [];
      let timeMs = midnightMs + 12_345;
      for (let burst = 0; burst < maxQps; burst += 1) {
        assert.equal(thread(burst).takeRequest(object, timeMs), undefined);
        taken.push(timeMs);
      }
      for (const [index, gapMs] of gapsMs.entries()) {
        timeMs += gapMs;
        const may = thread(index + 1).mayRequest(object, timeMs);
        const refusal = thread(index).takeRequest(object, timeMs);
        assert.deepEqual(may, refusal, 'what may be requested is taken');
        if (refusal === undefined) taken.push(timeMs);
      }
      for (const [index, start] of taken.entries()) {
        const inWindow = taken.slice(index).filter((time) => time < start + 1000).length;
        assert.ok(inWindow <= maxQps, `${inWindow} in a second from ${start}`);
      }
    }),
    { seed, numRuns: 80 },
  );
});

test('a steady stream gets at least 95 % of MaxQps', () => {
  const object = limited({ maxQps: 1000 });
  const thread = twoThreads();
  let taken = 0;
  for (let index = 0; index < 60_000; index += 1) {
    if (thread(index).takeRequest(object, midnightMs + index / 2) === undefined) taken += 1;
  }
  assert.ok(taken >= 0.95 * 30 * 1000 && taken <= 31 * 1000, `${taken} in 30 s`);
});

interface Step {
  readonly gapMs: number;
  readonly isShown: boolean;
  readonly delayMs: number;
}

const steps = fc.array(
  fc.record({
    gapMs: fc.integer({ min: 0, max: 20 * 60_000 }),
    isShown: fc.boolean(),
    delayMs: fc.integer({ min: 0, max: 59 * 60_000 }),
  }),
  { minLength: 20, maxLength: 120 },
);

/** Auctions that win, and are shown later or never: events in order of time. */
function play(limit: number, plan: readonly Step[]) {
  const thread = twoThreads();
  const object = limited({ impressionsDaily: limit });
  const shownOf = new Map<number, number>();
  const pending: { promisedMs: number; atMs: number }[] = [];
  let timeMs = midnightMs;
  for (const [index, { gapMs, isShown, delayMs }] of plan.entries()) {
    timeMs += gapMs;
    for (const due of pending.filter(({ atMs }) => atMs <= timeMs)) {
      thread(index).keepPromise(object, undefined, due.promisedMs);
      const day = Math.floor(due.promisedMs / dayMs);
      shownOf.set(day, (shownOf.get(day) ?? 0) + 1);
      pending.splice(pending.indexOf(due), 1);
    }
    const may = thread(index).mayPromise(object, undefined, timeMs);
    const refusal = thread(index + 1).promise(object, undefined, timeMs);
    assert.deepEqual(may, refusal, 'what may be promised is promised');
    if (refusal === undefined && isShown) pending.push({ promisedMs: timeMs, atMs: timeMs + delayMs });
  }
  return shownOf;
}

test('impressions of the auctions of a day never exceed the daily limit, however late they are shown', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), steps, (limit, plan) => {
      for (const [day, shown] of play(limit, plan)) assert.ok(shown <= limit, `${shown} on day ${day}`);
    }),
    { seed, numRuns: 200 },
  );
});
