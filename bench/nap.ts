import { setImmediate as nextTurn } from 'node:timers/promises';

/** Too short for Node's timers, which are late by a millisecond or more. */
const napMs = 0.25;
const nobody = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/**
 * Sleeps for a quarter of a millisecond and then lets the event loop take a turn. It is for processes that must be
 * punctual and still leave their core to others.
 */
export async function nap(): Promise<void> {
  Atomics.wait(nobody, 0, 0, napMs);
  await nextTurn();
}
