/**
 * What is left of a row of objects while rules narrow it down: the words that still hold a bit, and those bits. One
 * for all, as a selection is never interrupted. Bitmaps are places in an array where their words begin. The loops are
 * written out one by one: a function for what differs between them would be called for every word. None of them
 * branches on what it finds, which no processor could foretell: every word is written, and kept by going on to the
 * next place.
 */
let words = new Int32Array(64);
let bits = new Int32Array(64);
let count = 0;

/** Makes room for rows of so many words. */
export function reserveWords(most: number): void {
  if (most <= words.length) return;
  words = new Int32Array(most);
  bits = new Int32Array(most);
}

/** Begins with a bitmap of so many words; answers how many words hold a bit. */
export function startWith(bitmaps: Int32Array, bitmap: number, size: number): number {
  const live = words;
  const held = bits;
  let kept = 0;
  for (let word = 0; word < size; word += 1) {
    const left = bitmaps[bitmap + word] as number;
    live[kept] = word;
    held[kept] = left;
    kept += (left | -left) >>> 31;
  }
  count = kept;
  return kept;
}

/** Keeps what either bitmap holds; answers how many words are left. */
export function keepEither(bitmaps: Int32Array, first: number, second: number): number {
  const live = words;
  const held = bits;
  const most = count;
  let kept = 0;
  for (let at = 0; at < most; at += 1) {
    const word = live[at] as number;
    const either = (bitmaps[first + word] as number) | (bitmaps[second + word] as number);
    const left = (held[at] as number) & either;
    live[kept] = word;
    held[kept] = left;
    kept += (left | -left) >>> 31;
  }
  count = kept;
  return kept;
}

/** Keeps what any of the first `among` bitmaps of `joined` holds; answers how many words are left. */
export function keepAny(bitmaps: Int32Array, joined: readonly number[], among: number): number {
  const live = words;
  const held = bits;
  const most = count;
  let kept = 0;
  for (let at = 0; at < most; at += 1) {
    const word = live[at] as number;
    let any = 0;
    for (let each = 0; each < among; each += 1) any |= bitmaps[(joined[each] as number) + word] as number;
    const left = (held[at] as number) & any;
    live[kept] = word;
    held[kept] = left;
    kept += (left | -left) >>> 31;
  }
  count = kept;
  return kept;
}

/** Keeps what the bitmap does not hold; answers how many words are left. */
export function keepNot(bitmaps: Int32Array, bitmap: number): number {
  const live = words;
  const held = bits;
  const most = count;
  let kept = 0;
  for (let at = 0; at < most; at += 1) {
    const word = live[at] as number;
    const left = (held[at] as number) & ~(bitmaps[bitmap + word] as number);
    live[kept] = word;
    held[kept] = left;
    kept += (left | -left) >>> 31;
  }
  count = kept;
  return kept;
}

/** Writes the numbers of all bits that are left into `into`, in order; answers how many they are. */
export function writeLeft(into: Uint32Array): number {
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
