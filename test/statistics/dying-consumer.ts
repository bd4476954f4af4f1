import { parentPort, workerData } from 'node:worker_threads';
import type { ConsumerRequest } from '../../src/event-log/consumer-thread.ts';

/** A consumer that dies at its start, then at its first request, and answers when it is started again. */
const runs = new Int32Array(workerData.runs);
const run = Atomics.add(runs, 0, 1);
if (run === 0) throw new Error('no database');
parentPort?.on('message', (request: ConsumerRequest) => {
  if (request.kind === 'close') process.exit();
  if (run === 1) throw new Error('broken');
  parentPort?.postMessage({ kind: 'received', id: request.id });
});
