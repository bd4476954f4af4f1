import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLimits, limitsMemory } from '../../../src/exchange/limits/create-limits.ts';
import { minutesFor, type PromisedTo } from '../../../src/exchange/limits/promised.ts';
import { seeded } from '../../support/seed.ts';
import { auctionAt, dayMs, limited, midnightMs, promisedBy, refusedBy, smallSize } from './limited.ts';

/** The line of delivery, "Limits", read anew: t in seconds of the UTC day. */
const lineAt = (limit: number, timeMs: number) =>
  Math.min(limit, (limit * ((timeMs - midnightMs) / 1000)) / 86_400 + Math.max(1, limit / 1440));

/** So many moments of a day, in order. */
const moments = (count: number) =>
  fc
    .array(fc.integer({ min: 0, max: dayMs - 1 }), { minLength: count, maxLength: count })
    .map((times) => times.map((time) => midnightMs + time).sort((a, b) => a - b));

/** Two threads of one process, and which of them is asked. */
function twoThreads(steadyMs = () => 0) {
  const memory = limitsMemory({ startMs: 0, ratesFromMs: 0 }, smallSize);
  const threads = [createLimits(memory, steadyMs), createLimits(memory, steadyMs)] as const;
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
      seeded(60),
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
    seeded(40),
  );
});

test('no window of one second holds more than MaxQps, and a burst of MaxQps is let through', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 120 }), { minLength: 50, maxLength: 400, size: 'max' });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), gaps, (maxQps, gapsMs) => {
      let timeMs = 12_345;
      const thread = twoThreads(() => timeMs);
      const object = limited({ maxQps });
      const taken: number[] = [];
      // The day's clock may stand anywhere.
      const take = (index: number) => thread(index).takeRequest(object, midnightMs);
      for (let burst = 0; burst < maxQps; burst += 1) {
        assert.equal(take(burst), undefined);
        taken.push(timeMs);
      }
      for (const [index, gapMs] of gapsMs.entries()) {
        timeMs += gapMs;
        const may = thread(index + 1).mayRequest(object, midnightMs);
        const refusal = take(index);
        assert.deepEqual(may, refusal, 'what may be requested is taken');
        if (refusal === undefined) taken.push(timeMs);
      }
      for (const [index, start] of taken.entries()) {
        const inWindow = taken.slice(index).filter((time) => time < start + 1000).length;
        assert.ok(inWindow <= maxQps, `${inWindow} in a second from ${start}`);
      }
    }),
    seeded(80),
  );
});

test('a steady stream gets at least 95 % of MaxQps', () => {
  const object = limited({ maxQps: 1000 });
  let steadyMs = 0;
  const thread = twoThreads(() => steadyMs);
  let taken = 0;
  for (let index = 0; index < 60_000; index += 1) {
    steadyMs = index / 2;
    if (thread(index).takeRequest(object, midnightMs) === undefined) taken += 1;
  }
  assert.ok(taken >= 0.95 * 30 * 1000 && taken <= 31 * 1000, `${taken} in 30 s`);
});

interface Step {
  readonly gapMs: number;
  readonly isShown: boolean;
  /** Of the time in which it may be shown. */
  readonly delay: number;
  /** How long the auction took until it promised. */
  readonly tookMs: number;
  readonly to: PromisedTo;
}

const steps = (gapMsMax: number) =>
  fc.array(
    fc.record({
      gapMs: fc.integer({ min: 0, max: gapMsMax }),
      isShown: fc.boolean(),
      delay: fc.double({ min: 0, max: 0.98, noNaN: true }),
      tookMs: fc.integer({ min: 0, max: 5000 }),
      to: fc.constantFrom('ad', 'offer'),
    }),
    { minLength: 20, maxLength: 120, size: 'max' },
  );

/** The line at a time of the day that began at `dayStartMs`; all of the limit once that is over. */
const lineOf = (limit: number, dayStartMs: number, timeMs: number) =>
  lineAt(limit, midnightMs + Math.min(timeMs - dayStartMs, dayMs));

/** Auctions that win, and are shown later or never: events in order of time. */
function play(limit: number, startMs: number, plan: readonly Step[]): void {
  const thread = twoThreads();
  const object = limited({ impressionsDaily: limit });
  const shownOf = new Map<number, number>();
  const pending: { promisedMs: number; atMs: number; to: PromisedTo }[] = [];
  let timeMs = startMs;
  for (const [index, { gapMs, isShown, delay, tookMs, to }] of plan.entries()) {
    timeMs += gapMs;
    for (const due of pending.filter(({ atMs }) => atMs <= timeMs)) {
      thread(index).commit(object, promisedBy(object), {
        auction: auctionAt(due.promisedMs, due.to),
        nanos: 0,
        nowMs: due.promisedMs,
      });
      const dayStartMs = due.promisedMs - (due.promisedMs % dayMs);
      const shown = (shownOf.get(dayStartMs) ?? 0) + 1;
      shownOf.set(dayStartMs, shown);
      assert.ok(shown <= lineOf(limit, dayStartMs, due.atMs), `${shown} of ${limit} at ${due.atMs}`);
      pending.splice(pending.indexOf(due), 1);
    }
    const beganMs = Math.max(startMs, timeMs - tookMs);
    const may = thread(index).mayReserve(object, { ip: undefined, timeMs: beganMs }, 0);
    const refusal = refusedBy(thread(index + 1), object, auctionAt(beganMs, to));
    assert.deepEqual(may, refusal, 'what may be promised is promised');
    const atMs = Math.max(timeMs, beganMs + delay * minutesFor[to] * 60_000);
    if (refusal === undefined && isShown) pending.push({ promisedMs: beganMs, atMs, to });
  }
}

test('impressions of the auctions of a day never exceed the daily line, however late they are shown', () => {
  const limits = fc.integer({ min: 1, max: 50 });
  fc.assert(
    fc.property(limits, steps(20 * 60_000), (limit, plan) => play(limit, midnightMs, plan)),
    seeded(200),
  );
});

test('nor across midnight, where the new day begins with its whole line', () => {
  const beforeMs = fc.integer({ min: 0, max: 70 * 60_000 });
  const limits = fc.integer({ min: 1, max: 50_000 });
  fc.assert(
    fc.property(limits, beforeMs, steps(3 * 60_000), (limit, before, plan) => {
      play(limit, midnightMs + dayMs - before, plan);
    }),
    seeded(300),
  );
});

test('impressions that are never shown keep no later day from its line', () => {
  const limit = 24_000;
  const object = limited({ impressionsDaily: limit });
  const limits = twoThreads()(0);
  const endMs = midnightMs + dayMs;
  for (let timeMs = endMs - 3_600_000; timeMs < endMs; timeMs += 100)
    refusedBy(limits, object, auctionAt(timeMs, 'ad'));
  let promised = 0;
  while (refusedBy(limits, object, auctionAt(endMs + 1000, 'ad')) === undefined) promised += 1;
  assert.equal(promised, Math.floor(lineAt(limit, midnightMs + 1000)));
});

test('of offers that win rarely, and whose losses nobody tells, nine tenths of a daily limit are still shown', () => {
  const limit = 24_000;
  const object = limited({ impressionsDaily: limit });
  const limits = twoThreads()(0);
  let [made, shown] = [0, 0];
  for (let timeMs = midnightMs; timeMs < midnightMs + dayMs; timeMs += 100) {
    if (refusedBy(limits, object, auctionAt(timeMs, 'offer')) !== undefined) continue;
    made += 1;
    if (made % 20 !== 0) continue;
    limits.commit(object, promisedBy(object), {
      auction: auctionAt(timeMs, 'offer'),
      nanos: 0,
      nowMs: timeMs,
    });
    shown += 1;
  }
  assert.ok(shown >= 0.9 * limit && shown <= limit, `${shown} of ${limit}`);
});
