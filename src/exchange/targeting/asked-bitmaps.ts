import { bitmapOf, type RuleBitmaps } from './rule-bitmaps.ts';

/** Two bitmaps for each of two rules: a rule admits an object that is in either. Reused for every opportunity. */
export const admitting: [one: number, orElse: number, other: number, orElse: number] = [0, 0, 0, 0];

/**
 * Joins the bitmap of one more key to what a rule has so far, in the rule's own room. An object that the rule restricts
 * by `only` has to pass with one of the keys; all others have to pass with every key.
 */
function join(bits: Int32Array, words: number, { base, several }: RuleBitmaps, at: 0 | 2, bitmap: number) {
  const first = admitting[at];
  for (let word = 0; word < words; word += 1) {
    const free = bits[base + word] as number;
    const one = bits[first + word] as number;
    const other = bits[bitmap + word] as number;
    bits[several + word] = (one & other) | ((one | other) & ~free);
  }
  admitting[at] = several;
}

/** Asks one rule: afterwards the two bitmaps in `admitting` from `at` on hold the objects that pass with these keys. */
export function lookUpBitmaps(
  bits: Int32Array,
  words: number,
  bitmaps: RuleBitmaps,
  met: readonly string[],
  at: 0 | 2,
): void {
  let count = 0;
  for (let each = 0; each < met.length; each += 1) {
    const bitmap = bitmapOf(bitmaps, met[each]);
    if (bitmap === undefined) continue;
    if (count === 0) admitting[at] = bitmap;
    else if (count === 1 && !bitmaps.isRefusing) admitting[at + 1] = bitmap;
    else join(bits, words, bitmaps, at, bitmap);
    count += 1;
  }
  if (count === 0) admitting[at] = bitmaps.base;
  if (count < 2 || bitmaps.isRefusing) admitting[at + 1] = admitting[at];
}
