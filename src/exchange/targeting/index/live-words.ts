/**
 * The objects left while rules narrow a row: indexes of non-empty words, and their bits. All indexes of a thread share
 * them, because selection is never interrupted. Loops take two rules at a time without branches, which a processor
 * could not predict: each word is written, and overwritten by the next if empty.
 */
let words = new Int32Array(64);
let bits = new Int32Array(64);
let count = 0;

/** Two rules, each as two bitmaps: it admits what is in either. */
export type Admitting = readonly [one: number, orElse: number, other: number, orElse: number];

export function reserveWords(most: number): void {
  if (most <= words.length) return;
  words = new Int32Array(most);
  bits = new Int32Array(most);
}

/** Returns how many words are left. */
export function startRow(bitmaps: Int32Array, [a, orA, b, orB]: Admitting, size: number): number {
  const live = words;
  const held = bits;
  let kept = 0;
  for (let word = 0; word < size; word += 1) {
    const one = (bitmaps[a + word] as number) | (bitmaps[orA + word] as number);
    const other = (bitmaps[b + word] as number) | (bitmaps[orB + word] as number);
    const left = one & other;
    live[kept] = word;
    held[kept] = left;
    kept += (left | -left) >>> 31;
  }
  count = kept;
  return kept;
}

/** Returns how many words are left. */
export function keepAdmitted(bitmaps: Int32Array, [a, orA, b, orB]: Admitting): number {
  const live = words;
  const held = bits;
  const most = count;
  let kept = 0;
  for (let at = 0; at < most; at += 1) {
    const word = live[at] as number;
    const one = (bitmaps[a + word] as number) | (bitmaps[orA + word] as number);
    const other = (bitmaps[b + word] as number) | (bitmaps[orB + word] as number);
    const left = (held[at] as number) & one & other;
    live[kept] = word;
    held[kept] = left;
    kept += (left | -left) >>> 31;
  }
  count = kept;
  return kept;
}

export function writeRemaining(into: Int32Array): number {
  const live = words;
  const held = bits;
  const most = count;
  let written = 0;
  for (let at = 0; at < most; at += 1) {
    const first = (live[at] as number) << 5;
    for (let left = held[at] as number; left !== 0; left &= left - 1) {
      into[written] = first + 31 - Math.clz32(left & -left);
      written += 1;
    }
  }
  return written;
}
