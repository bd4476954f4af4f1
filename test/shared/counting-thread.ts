import { workerData } from 'node:worker_threads';
import { createTable, type TableMemory } from '../../src/shared/table.ts';

/** Counts each key once a round, beginning when all threads are there. */
const { memory, counts, progress, keys, rounds, threads } = workerData as {
  memory: TableMemory;
  counts: SharedArrayBuffer;
  progress: SharedArrayBuffer;
  keys: number;
  rounds: number;
  threads: number;
};
const table = createTable(memory, { worth: () => Number.POSITIVE_INFINITY });
const words = new Int32Array(counts);
const [arrived, done] = [0, 1];
const progressed = new Int32Array(progress);
if (Atomics.add(progressed, arrived, 1) + 1 === threads) Atomics.notify(progressed, arrived);
for (;;) {
  const there = Atomics.load(progressed, arrived);
  if (there === threads) break;
  Atomics.wait(progressed, arrived, there);
}
for (let round = 0; round < rounds; round += 1) {
  for (let key = 1; key <= keys; key += 1) {
    const entry = table.enter(key, key, round);
    if (entry === -1) throw new Error(`no room for key ${key}`);
    Atomics.add(words, entry, 1);
    Atomics.add(progressed, done, 1);
  }
}
