/** From 0 to less than 1. */
export type Random = () => number;

/** Always the same for a seed (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** Each value is as likely as the others. */
export function randomIn({ min, max }: Range, random: Random): number {
  return min + (max - min) * random();
}

/** In proportion to `weight`. Throws if there is none. */
export function weightedChoice<Row extends { readonly weight: number }>(
  rows: readonly Row[],
  random: Random,
): Row {
  let left = random() * rows.reduce((sum, { weight }) => sum + weight, 0);
  const found = rows.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  const row = found ?? rows.at(-1);
  if (row === undefined) throw new Error('nothing to choose from');
  return row;
}
