import { type Random, seededRandom } from '../../src/simulation/random.ts';

const seedsMax = 2 ** 31;

/** The seed of all that is random in tests: another one in each run; `BOURSE_TEST_SEED` repeats a run. */
export const seed = Number(process.env.BOURSE_TEST_SEED ?? Math.floor(Math.random() * seedsMax));

/** Whether all cases are drawn, as in `npm run test:long`, or a part of them, as in `npm test`. */
export const areAllDrawn = process.env.BOURSE_TEST_DRAWN === 'all';
/** `npm test` draws one case of so many. */
const partOfDrawn = 5;

/** How many cases of so many this run draws. */
export const drawn = (cases: number): number => (areAllDrawn ? cases : Math.ceil(cases / partOfDrawn));

/**
 * Parameters of fast-check for that many cases, as far as this run draws them. A failure prints the seed and the path to
 * its case. A case that was found is kept among the `examples` of its property, or as a test of its own.
 */
export function seeded(cases: number) {
  return { numRuns: drawn(cases), seed };
}

/** A stream of numbers from 0 up to 1, of this run's seed; another one for each `salt`. */
export const randomStream = (salt = 0): Random => seededRandom((seed + salt) % seedsMax);

/** A stream of numbers from 0 up to 1, always the same for a seed. */
export const randomFrom = seededRandom;
