import { type Random, seededRandom } from '../../src/simulation/random.ts';

const seedsMax = 2 ** 31;

/** The seed of all that is random in tests: another one in each run; `BOURSE_TEST_SEED` repeats a run. */
export const seed = Number(process.env.BOURSE_TEST_SEED ?? Math.floor(Math.random() * seedsMax));

/**
 * Parameters of fast-check for that many cases. A failure prints the seed and the path to its case. A case that was
 * found is kept among the `examples` of its property, or as a test of its own.
 */
export function seeded(numRuns: number) {
  return { numRuns, seed };
}

/** A stream of numbers from 0 up to 1, of this run's seed; another one for each `salt`. */
export const randomStream = (salt = 0): Random => seededRandom((seed + salt) % seedsMax);

/** A stream of numbers from 0 up to 1, always the same for a seed. */
export const randomFrom = seededRandom;
