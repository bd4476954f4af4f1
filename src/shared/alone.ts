const waitMs = 1;
/** A step takes microseconds; whoever is still at it after so many waits was killed in it. */
const waitsMax = 1000;

/** Runs a step while no other thread runs one of the same word; 0 = free. */
export function alone<T>(words: Int32Array<SharedArrayBuffer>, at: number, step: () => T): T {
  for (let waits = 0; waits < waitsMax && Atomics.compareExchange(words, at, 0, 1) !== 0; waits += 1)
    Atomics.wait(words, at, 1, waitMs);
  try {
    return step();
  } finally {
    Atomics.store(words, at, 0);
    Atomics.notify(words, at, 1);
  }
}
