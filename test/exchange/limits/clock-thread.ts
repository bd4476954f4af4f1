import { parentPort } from 'node:worker_threads';
import { createSteadyClock } from '../../../src/exchange/limits/steady-clock.ts';

/** Tells what the steady clock of this thread shows. */
parentPort?.postMessage(createSteadyClock()());
