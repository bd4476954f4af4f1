import { parentPort, workerData } from 'node:worker_threads';
import { createProcessClaims } from '../../src/statistics/process-claims.ts';

/** Claims events of the same auctions as other threads, and tells which of them it was the first of. */
const { memory, thread, auctions } = workerData;
const claims = createProcessClaims(memory, thread);
const namesOf = { wins: ['wins'], bills: ['bills'], losses: ['wins', 'bills'] };
const events = Object.entries(namesOf);
const firsts: string[] = [];
for (let auction = 0; auction < auctions; auction += 1) {
  for (let turn = 0; turn < events.length; turn += 1) {
    const [event, names] = events[(turn + thread) % events.length] ?? ['', []];
    for (;;) {
      const taken = claims.take(`a${auction}`, names);
      if (taken === 'pending') continue;
      if (taken === 'first') {
        claims.keep(`a${auction}`, names);
        firsts.push(`a${auction} ${event}`);
      }
      break;
    }
  }
}
parentPort?.postMessage(firsts);
