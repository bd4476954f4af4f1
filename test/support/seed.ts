import { seededRandom } from '../../src/simulation/random.ts';

/**
 * Parameters of fast-check: the same cases on every run. A failure prints the seed and the path to its case;
 * `FC_SEED` tries another seed.
 */
export function seeded(numRuns: number) {
  return { numRuns, seed: Number(process.env.FC_SEED ?? 20_261_120) };
}

/** A stream of numbers from 0 up to 1, always the same for a seed. */
export const randomFrom = seededRandom;
