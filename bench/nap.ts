import { setImmediate as nextTurn } from 'node:timers/promises';

/** Timers of Node are late by up to a millisecond or more. */
const napMs = 0.25;
const nobody = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/**
 * Sleeps for a quarter of a millisecond and then takes what has come: for processes that must be punctual and yet
 * leave their core to others.
 */
export async function nap(): Promise<void> {
  Atomics.wait(nobody, 0, 0, napMs);
  await nextTurn();
}
