/**
 * Parameters of fast-check: the same cases on every run. A failure prints the seed and the path to its case;
 * `FC_SEED` tries another seed.
 */
export function seeded(numRuns: number) {
  return { numRuns, seed: Number(process.env.FC_SEED ?? 20_261_120) };
}

/** A stream of numbers from 0 up to 1, always the same for a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
