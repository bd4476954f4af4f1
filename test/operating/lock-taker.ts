import { workerData } from 'node:worker_threads';
import { createWriterLock } from '../../src/threads/writer-lock.ts';

const { memory, shared, self, times } = workerData as {
  memory: SharedArrayBuffer;
  shared: SharedArrayBuffer;
  self: number;
  times: number;
};
const words = new Int32Array(shared);
const lock = createWriterLock(memory, self);

for (let time = 0; time < times; time += 1) {
  await lock.acquire();
  if (Atomics.add(words, 0, 1) !== 0) throw new Error('two threads at once');
  // A plain read and write, which two threads at once would lose.
  const total = words[1] ?? 0;
  await new Promise((resolve) => setImmediate(resolve));
  words[1] = total + 1;
  Atomics.sub(words, 0, 1);
  lock.release();
}
