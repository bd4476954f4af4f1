import { bitmapOf, type RuleBitmaps } from './rule-bitmaps.ts';

/** Two bitmaps for each of two rules; an object in either is admitted. Reused for every opportunity. */
export const admitting: [one: number, orElse: number, other: number, orElse: number] = [0, 0, 0, 0];

/** Joins another key's bitmap: an object restricted by `only` must pass with one key, all others with every key. */
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

/** Afterwards `admitting` from `at` on has the bitmaps of objects that pass with these keys. */
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
