import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { createLimits, limitsMemory, quotasIn } from '../../../src/exchange/limits/create-limits.ts';
import { createSlots, slotsMemory } from '../../../src/exchange/limits/slots.ts';
import type { Limited } from '../../../src/exchange/snapshot/limited.ts';
import { createLocalQuotas } from '../../../src/quotas/local-quotas.ts';
import { home, noonMs, show } from './case.ts';
import { auctionAt, bookAt, dayMs, limited, refusedBy, smallSize } from './limited.ts';

const hourMs = 3_600_000;
const minutes = 60;
const sinceNothing = { startMs: 0, ratesFromMs: 0 };
const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

/** A process with two threads, whose first one frees slots each minute; `exists` are still configured. */
function openProcess({ size = smallSize, exists = [] as readonly Limited[] } = {}) {
  let steadyMs = 0;
  const memory = limitsMemory(sinceNothing, size);
  const threads = [createLimits(memory, () => steadyMs), createLimits(memory, () => steadyMs)] as const;
  const quotas = quotasIn(memory, () => steadyMs);
  const random = () => 0;
  const isOf = (kind: string, id: number) => (one: Limited) => one.kind === kind && one.id === id;
  const limitedNow = (kind: string, id: number) => exists.find(isOf(kind, id));
  const { freeIdle } = createLocalQuotas({ quotas, limited: limitedNow, random, steadyMs: () => steadyMs });
  return {
    threads,
    waitHours(hours: number, each: () => void = () => undefined) {
      for (let hour = 0; hour < hours; hour += 1) {
        each();
        for (let minute = 0; minute < minutes; minute += 1) {
          steadyMs += hourMs / minutes;
          freeIdle();
        }
      }
    },
    bytes: () => memory.quotas.counts.shared.byteLength,
  };
}

describe('slots', () => {
  test('two threads meet 300,000 objects, and none is refused or shares its counters', async () => {
    const memory = limitsMemory(sinceNothing);
    const objects = 300_000;
    const refused = await Promise.all(
      [0, objects / 2].map(async (from) => {
        const workerData = { memory, objects, from, timeMs: noonMs };
        const worker = new Worker(new URL('./meeting-thread.ts', import.meta.url), { workerData });
        return await new Promise<number>((resolve, reject) => {
          worker.once('message', resolve);
          worker.once('error', reject);
        });
      }),
    );
    assert.equal(sumOf(refused), 0);
    const limits = createLimits(memory, () => 0);
    for (let id = 1; id <= objects; id += 1) {
      const met = limits.mayRequest(limited({ requestsDaily: 1 }, id), noonMs)?.met;
      if (met !== 2) assert.equal(met, 2, `object ${id}`);
    }
  });

  test('those of objects that are gone serve others, whose counters are empty', () => {
    const count = 20_000;
    const { threads, waitHours, bytes } = openProcess({ size: { objects: 1 << 20, viewers: 1024 } });
    const meet = (from: number, timeMs: number) => {
      for (let id = from; id < from + count; id += 1) {
        const campaign: Limited = { ...limited({ amountTotalNanos: 1000 }, id), kind: 'Campaign' };
        for (const limits of threads) {
          assert.equal(limits.takeRequest(campaign, timeMs), undefined);
          assert.equal(refusedBy(limits, campaign, auctionAt(timeMs), 500), undefined);
        }
        assert.equal(threads[0].mayReserve(campaign, auctionAt(timeMs), 1)?.reason, 'spend_total_limit');
      }
    };
    meet(1, noonMs);
    const before = bytes();
    for (const turn of [1, 2, 3]) {
      waitHours(52);
      meet(turn * count + 1, noonMs + 3 * turn * dayMs);
      assert.equal(bytes(), before);
    }
  });

  test('no room: an object more is refused, until others were idle for two days', () => {
    const { threads, waitHours } = openProcess({ size: { objects: 2, viewers: 64 } });
    const ask = (id: number) => threads[0].takeRequest(limited({}, id), noonMs)?.reason;
    assert.deepEqual([1, 2, 3].map(ask), [undefined, undefined, 'technical_error']);
    waitHours(48);
    assert.equal(ask(3), 'technical_error');
    waitHours(3, () => ask(1));
    assert.deepEqual([3, 1, 2].map(ask), [undefined, undefined, 'technical_error']);
  });

  test('an object in use keeps its counters, whichever thread uses it', () => {
    const { threads, waitHours } = openProcess();
    const [first, second] = threads;
    const [busy, idle] = [limited({ impressionsPerIp: 1 }, 1), limited({}, 2)];
    for (const limits of threads) for (const one of [busy, idle]) limits.takeRequest(one, noonMs);
    show(first, busy, home);
    waitHours(100, () => second.takeRequest(busy, noonMs));
    const met = (limits: typeof first, { id }: Limited) =>
      limits.mayRequest(limited({ requestsDaily: 1 }, id), noonMs)?.met;
    assert.deepEqual([met(first, busy), met(second, busy)], [102, 102]);
    assert.deepEqual([met(first, idle), met(second, idle)], [undefined, undefined]);
    assert.equal(first.mayReserve(busy, auctionAt(noonMs, 'ad', home), 0)?.reason, 'impressions_per_ip');
  });

  test('a total is remembered as long as its object exists', () => {
    const [kept, gone] = [1, 2].map((id): Limited => {
      return { ...limited({ amountTotalNanos: 1000 }, id), kind: 'Campaign' };
    }) as [Limited, Limited];
    const { threads, waitHours } = openProcess({ exists: [kept] });
    for (const campaign of [kept, gone]) bookAt(threads[0], campaign, 1000, noonMs);
    waitHours(24 * 30);
    const later = auctionAt(noonMs + 30 * dayMs);
    assert.equal(refusedBy(threads[1], kept, later, 1)?.reason, 'spend_total_limit');
    assert.equal(refusedBy(threads[1], gone, later, 1), undefined);
  });

  test('no two keys have one slot, and a key used lately keeps its own', () => {
    const slotsMax = 40;
    const key = fc.record({ kind: fc.integer({ min: 1, max: 3 }), id: fc.integer({ min: 1, max: 30 }) });
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ thread: fc.integer({ min: 0, max: 2 }), key }) },
      fc.record({ hours: fc.integer({ min: 1, max: 60 }), odd: fc.boolean() }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const memory = slotsMemory(slotsMax);
        const threads = [0, 1, 2].map(() => createSlots(memory));
        const model = new Map<string, { readonly slot: number; readonly hour: number }>();
        let hour = 0;
        for (const one of steps) {
          if ('hours' in one) {
            for (const end = hour + one.hours; hour < end; ) {
              hour += 1;
              threads[0]?.freeIdle(
                hour,
                (slot) => one.odd || slot % 2 === 0,
                () => undefined,
              );
            }
            for (const [name, { slot }] of model) {
              const [kind, id] = threads[1]?.keyOf(slot) ?? [];
              if (`${kind}:${id}` !== name) model.delete(name);
            }
            continue;
          }
          const name = `${one.key.kind}:${one.key.id}`;
          const slot = threads[one.thread]?.of(one.key.kind, one.key.id);
          const known = model.get(name);
          if (known && hour - known.hour <= 49) assert.equal(slot, known.slot);
          if (slot === undefined) assert.equal(model.size, slotsMax);
          else {
            assert.ok(slot >= 1 && slot <= slotsMax);
            assert.ok(![...model].some(([other, held]) => other !== name && held.slot === slot));
            model.set(name, { slot, hour });
          }
        }
      }),
    );
  });
});
