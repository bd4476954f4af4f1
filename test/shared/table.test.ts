import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { createTable, headWords, idleFor, type TablePolicy, tableMemory } from '../../src/shared/table.ts';
import { seeded } from '../support/seed.ts';

const worker = new URL('./counting-thread.ts', import.meta.url);
const forever = { worth: () => Number.POSITIVE_INFINITY };
const sharedWords = (words: number) => new SharedArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT);

/** Threads that count the same keys at once; each key has room. */
function countingThreads(threads: number, keys: number, rounds: number) {
  const memory = tableMemory(2 * keys, 8, 0, 1);
  const [counts, progress] = [sharedWords(4 * keys), sharedWords(2)];
  const workers = Array.from(
    { length: threads },
    () => new Worker(worker, { workerData: { memory, counts, progress, keys, rounds, threads } }),
  );
  const marks = () =>
    [...new Int32Array(memory.words, 0, 4 * keys)].filter((mark, at) => at % 2 === 0 && mark !== 0);
  return { memory, workers, marks, counts: new Int32Array(counts), done: new Int32Array(progress, 4) };
}

describe('the table that threads share', () => {
  test('law: under threads that make the same keys at once, no key has two entries and no count is lost', async () => {
    const [threads, keys, rounds] = [4, 100_000, 3];
    const { workers, marks, counts } = countingThreads(threads, keys, rounds);
    await Promise.all(workers.map((one) => once(one, 'exit')));
    assert.equal(marks().length, keys);
    assert.equal(new Set(marks()).size, keys);
    const counted = [...counts].filter((count) => count !== 0);
    assert.deepEqual(new Set(counted), new Set([threads * rounds]));
  });

  test('law: threads killed in the middle stop nobody, and spoil no entry', async () => {
    const [threads, keys, rounds] = [6, 100_000, 200];
    const { memory, workers, marks, counts, done } = countingThreads(threads, keys, rounds);
    // Keys are still being made, at another moment of each.
    for (const [index, one] of workers.entries()) {
      while (Atomics.load(done, 0) < 1000 + index * 5000) await new Promise(setImmediate);
      await one.terminate();
    }
    assert.equal(new Set(marks()).size, marks().length);
    const table = createTable(memory, forever);
    for (let key = 1; key <= keys; key += 1) assert.notEqual(table.enter(key, key, 0), -1);
    const sum = counts.reduce((total, count) => total + count, 0);
    assert.ok(sum - Atomics.load(done, 0) <= threads, 'a thread dies between the two at most');
  });

  test('a lock whose holder was killed goes on to the next', () => {
    const memory = tableMemory(8, 8, 0, 1);
    const words = new Int32Array(memory.words);
    words[16] = 1;
    const table = createTable(memory, forever);
    assert.equal(table.enter(1, 1, 0), 0);
    assert.equal(table.enter(2, 2, 0), 2);
    assert.equal(words[16], 0);
  });

  const entries = 8;
  const [ways, ownWords, idle] = [4, 3, 3];
  const values = new Map<number, number>();
  const policies: Readonly<Record<string, TablePolicy>> = {
    'keeps all': forever,
    'gives up the idle': { worth: idleFor(idle) },
    'gives up those worth least': { worth: (_used, _now, entry) => values.get(entry) ?? 0 },
  };
  const step = fc.record({ key: fc.integer({ min: 1, max: 24 }), later: fc.integer({ min: 0, max: 2 }) });
  for (const [name, policy] of Object.entries(policies)) {
    test(`law: a table that ${name} does so, bucket by bucket`, () => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
          values.clear();
          const cleared: number[] = [];
          const clear = (entry: number) => void cleared.push(entry);
          const table = createTable(tableMemory(entries, ways, ownWords, 1), { ...policy, clear });
          const held = new Map<number, { key: number; used: number }>();
          let now = 0;
          for (const { key, later } of steps) {
            now += later;
            const first = (key % (entries / ways)) * ways;
            const bucket = Array.from({ length: ways }, (_, way) => (first + way) * (headWords + ownWords));
            const known = bucket.find((entry) => held.get(entry)?.key === key) ?? -1;
            assert.equal(table.find(key, key), known);
            const worth = (entry: number) => {
              const before = held.get(entry);
              return before ? policy.worth(before.used, now, entry) : Number.NEGATIVE_INFINITY;
            };
            const least = bucket.reduce((one, other) => (worth(other) < worth(one) ? other : one));
            const makes = known === -1 && worth(least) < Number.POSITIVE_INFINITY;
            const expected = makes ? least : known;
            assert.equal(table.enter(key, key, now), expected);
            if (makes) assert.equal(cleared.pop(), expected);
            assert.deepEqual(cleared, []);
            if (expected !== -1) held.set(expected, { key, used: now });
            values.set(expected, (values.get(expected) ?? 0) + 1);
          }
        }),
        seeded(300),
      );
    });
  }
});
