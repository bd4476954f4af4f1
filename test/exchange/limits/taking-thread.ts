import { parentPort, workerData } from 'node:worker_threads';
import { createLimits } from '../../../src/exchange/limits/create-limits.ts';

const { memory, object, timeMs, tries } = workerData;
const limits = createLimits(memory, () => 0);
let taken = 0;
for (let index = 0; index < tries; index += 1) {
  if (limits.takeRequest(object, timeMs) === undefined) taken += 1;
}
parentPort?.postMessage(taken);
