import { parentPort, workerData } from 'node:worker_threads';

const { lives, deaths } = workerData as { lives: SharedArrayBuffer; deaths: number };

// Serves, and dies at once in its first lives; in the last it waits to be told to finish.
parentPort?.postMessage('serves');
if (Atomics.add(new Int32Array(lives), 0, 1) < deaths) throw new Error('died in the middle of its work');
parentPort?.once('message', () => process.exit());
