import { parentPort, workerData } from 'node:worker_threads';
import { createLimits } from '../../../src/exchange/limits/create-limits.ts';
import { limited } from './limited.ts';

const { memory, objects, from, timeMs } = workerData;
const limits = createLimits(memory, () => 0);
let refused = 0;
for (let step = 0; step < objects; step += 1) {
  const id = ((from + step) % objects) + 1;
  if (limits.takeRequest(limited({}, id), timeMs)) refused += 1;
}
parentPort?.postMessage(refused);
