import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createLimits, limitsMemory } from '../../../src/exchange/limits/create-limits.ts';
import type { Limits } from '../../../src/exchange/limits/limits.ts';
import type { IpAddress } from '../../../src/exchange/opportunity.ts';
import { auctionAt, dayMs, limited, midnightMs, promisedBy, refusedBy } from './limited.ts';

const noonMs = midnightMs + dayMs / 2;
const minuteMs = 60_000;

/** One of 2^24 addresses. */
const ipOf = (number: number): IpAddress => ({
  text: `10.${number}`,
  version: 4,
  bytes: Uint8Array.from([10, number >> 16, (number >> 8) & 255, number & 255]),
});
const entries = 4096;
const fresh = (startMs = 0) =>
  createLimits(limitsMemory({ startMs, ratesFromMs: 0 }, { objects: 64, viewers: entries }), () => 0);
const perIp = (id: number) => limited({ impressionsPerIp: 1 }, id);
/** Asks for an object from so many addresses; how many got an ad. */
const ask = (limits: Limits, id: number, addresses: number, timeMs = noonMs, from = 0) => {
  const numbers = Array.from({ length: addresses }, (_, index) => from + index);
  const asked = numbers.map((number) => refusedBy(limits, perIp(id), auctionAt(timeMs, 'ad', ipOf(number))));
  return asked.filter((refusal) => refusal === undefined).length;
};
const show = (limits: Limits, id: number, number: number, timeMs = noonMs) => {
  const auction = auctionAt(timeMs, 'ad', ipOf(number));
  limits.commit(perIp(id), promisedBy(perIp(id), 0, true), { auction, nanos: 0, nowMs: timeMs });
};

describe('the table of addresses', () => {
  test('bare requests of ever new addresses to one object crowd out no other', () => {
    const limits = fresh();
    assert.equal(ask(limits, 1, 300), 300);
    const attacked = ask(limits, 2, 20 * entries);
    assert.ok(attacked > entries / 5 && attacked < entries / 2, `${attacked} of ${entries}`);
    // Those whom it knew are still known, and so is everybody who comes to others.
    assert.equal(ask(limits, 1, 300), 0);
    assert.equal(ask(limits, 1, 500, noonMs, 1000), 500);
    for (const id of [3, 4, 5, 6]) assert.ok(ask(limits, id, 50) === 50, `object ${id}`);
  });

  test('nor do those to many objects', () => {
    const limits = fresh();
    for (let id = 10; id < 50; id += 1) ask(limits, id, entries);
    for (const id of [1, 2, 3]) assert.ok(ask(limits, id, 4) === 4, `object ${id}`);
  });

  test('what is full refuses by the name of the limit, and never lets an address have more', () => {
    const limits = fresh();
    ask(limits, 1, 20 * entries);
    const wanted = { reason: 'impressions_per_ip', field: 'ImpressionsLimitPerIp', wanted: 1 };
    const unknown = auctionAt(noonMs, 'ad', ipOf(1_000_000));
    assert.deepEqual(limits.mayReserve(perIp(1), unknown, 0), wanted);
    assert.deepEqual(limits.reserve(perIp(1), unknown, 0), wanted);
    assert.equal(ask(limits, 1, 20 * entries), 0);
  });

  test('addresses that were shown nothing make room once their promises have ended', () => {
    const limits = fresh();
    const before = ask(limits, 1, 20 * entries);
    for (let number = 0; number < 100; number += 1) show(limits, 1, number);
    const laterMs = noonMs + 20 * minuteMs;
    const after = ask(limits, 1, 20 * entries, laterMs, 1_000_000);
    assert.ok(after >= before - 100 && after < entries / 2, `${after} after ${before}`);
    // Those that were shown something are known for the rest of the day, and are new on the next.
    assert.equal(ask(limits, 1, 100, midnightMs + dayMs - 1), 0);
    assert.equal(ask(limits, 1, 100, midnightMs + dayMs), 100);
  });

  for (const minutes of [1, 8, 15]) {
    test(`a promise lasts while others come and go, for ${minutes} minutes`, () => {
      const limits = fresh();
      ask(limits, 1, 100);
      for (const id of [2, 3, 4]) ask(limits, id, 2 * entries, noonMs + minutes * minuteMs);
      assert.equal(ask(limits, 1, 100, noonMs + minutes * minuteMs), 0);
    });
  }

  test('what was counted and does not fit after a restart is refused for the day, as what is not known', () => {
    const limits = fresh(noonMs);
    for (const id of [2, 4, 5]) ask(limits, id, 2 * entries);
    const hour = Math.floor(noonMs / 3_600_000);
    const restored = Array.from({ length: 2 * entries }, (_, number) => {
      const shown = { timeMs: noonMs, kept: 0, impressions: 1 };
      return { kind: 'DspVastTag', id: 1, viewer: ipOf(number), hour, ...shown, promised: 0 };
    });
    limits.restoreViewers(restored);
    assert.equal(ask(limits, 3, 4), 4);
    // There is room again, once the promises of others have ended.
    const laterMs = noonMs + 20 * minuteMs;
    assert.equal(ask(limits, 3, 500, laterMs, 1_000_000), 500);
    assert.equal(ask(limits, 1, 4 * entries, laterMs), 0);
    assert.ok(ask(limits, 1, 100, noonMs + dayMs) > 0);
  });

  test('threads that promise at once never give an address more than its limit', async () => {
    const memory = limitsMemory({ startMs: 0, ratesFromMs: 0 }, { objects: 8, viewers: 1 << 16 });
    const addresses = 200;
    const promised = await Promise.all(
      [0, 1, 2].map(async () => {
        const worker = new Worker(new URL('./promising-thread.ts', import.meta.url), {
          workerData: { memory, addresses, timeMs: noonMs, tries: 30_000 },
        });
        return await new Promise<{ nanos: number; ofAddress: number[] }>((resolve, reject) => {
          worker.once('message', resolve);
          worker.once('error', reject);
        });
      }),
    );
    const ofAddress = Array.from({ length: addresses }, (_, number) =>
      promised.reduce((sum, one) => sum + (one.ofAddress[number] ?? 0), 0),
    );
    assert.ok(Math.max(...ofAddress) <= 3 && Math.min(...ofAddress) >= 1, `${ofAddress}`);
    const nanos = promised.reduce((sum, one) => sum + one.nanos, 0);
    assert.ok(nanos <= 500_000 && nanos > 499_900, `${nanos}`);
  });
});
