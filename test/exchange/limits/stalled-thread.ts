import { parentPort, workerData } from 'node:worker_threads';
import { createLimits } from '../../../src/exchange/limits/create-limits.ts';
import { createSteadyClock } from '../../../src/exchange/limits/steady-clock.ts';
import { midnightMs } from './limited.ts';

/** Asks for requests without a pause, but for stalls: of its loop, and between a look at the clock and what follows. */
const { memory, object, forMs, loopStallMs, clockStallMs } = workerData;
const asleep = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
const stall = (ms: number) => void Atomics.wait(asleep, 0, 0, ms);
const clock = createSteadyClock();
let timeMs = clock();
let asked = 0;
const limits = createLimits(memory, () => {
  timeMs = clock();
  asked += 1;
  if (asked % 997 === 0) stall(clockStallMs);
  return timeMs;
});
const endMs = clock() + forMs;
const taken: number[] = [];
for (let round = 1; clock() < endMs; round += 1) {
  if (limits.takeRequest(object, midnightMs) === undefined) taken.push(timeMs);
  if (round % 1499 === 0) stall(loopStallMs);
}
parentPort?.postMessage(taken);
