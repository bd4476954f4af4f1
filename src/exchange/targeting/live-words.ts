/**
 * The objects that are left while rules narrow a row down: the numbers of the words that still hold a bit, and the bits
 * in them. All indexes of a thread share these arrays, as a selection is never interrupted. A bitmap is named by the
 * place in its array where its words begin. The loops take two rules at a time and do not branch on what they find,
 * because a processor could not predict it: every word is written, and the next one overwrites it unless it holds a
 * bit.
 */
let words = new Int32Array(64);
let bits = new Int32Array(64);
let count = 0;

/** Two rules, each by two bitmaps: it admits what either of them holds. */
export type Admitting = readonly [one: number, orElse: number, other: number, orElse: number];

/** Makes room for rows of so many words. */
export function reserveWords(most: number): void {
  if (most <= words.length) return;
  words = new Int32Array(most);
  bits = new Int32Array(most);
}

/** Begins a row of so many words with what two rules admit; returns how many words are left. */
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

/** Of what is left, keeps what two rules admit; returns how many words are left. */
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

/** Writes the numbers of all bits that are left into `into`, in order; answers how many they are. */
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
