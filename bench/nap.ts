import { setImmediate as nextTurn } from 'node:timers/promises';

/** Too short for Node's timers, which are late by a millisecond or more. */
const napMs = 0.25;
const nobody = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Sleeps for 0.25 ms, then gives a turn: for processes that must be punctual and share their core. */
export async function nap(): Promise<void> {
  Atomics.wait(nobody, 0, 0, napMs);
  await nextTurn();
}
