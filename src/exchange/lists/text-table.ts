import { randomInt } from 'node:crypto';

/**
 * A set of texts without an object for each: their characters lie in one array of bytes, found by a hash table in typed
 * arrays. It takes texts of characters up to U+00FF; see `byteText` for others. About 40 bytes an entry.
 */
export interface TextTable {
  readonly size: number;
  /** The number of a text, counted from 0 in the order of adding; a new one is added. */
  add(text: string): number;
  /** The number of `text` from `start` to its end, whose hash is given; -1 where it is not in the set. */
  find(text: string, start: number, hash: number): number;
  /** The text of a number. */
  text(entry: number): string;
  /** Frees the memory that growing has reserved in advance. */
  trim(): void;
}

/** Where hashing begins: a random number, so that nobody can choose texts that collide. Nothing else depends on it. */
export const hashStart = randomInt(2 ** 32) | 0;

/**
 * A hash, with one more character. A text is hashed from its end to its beginning, so that hashing a domain also gives
 * the hashes of its parents.
 */
export function hashOn(hash: number, code: number): number {
  const mixed = Math.imul(hash ^ code, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

/** Hash of a whole text. */
export function hashOf(text: string): number {
  let hash = hashStart;
  for (let at = text.length - 1; at >= 0; at -= 1) hash = hashOn(hash, text.charCodeAt(at));
  return hash;
}

const beyondBytes = /[^\0-\x7f]/;

/** A text as its UTF-8 bytes, one character each; ASCII stays as it is. */
export function byteText(text: string): string {
  return beyondBytes.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

function grown<Numbers extends Uint8Array | Uint32Array>(numbers: Numbers, to: Numbers): Numbers {
  to.set(numbers);
  return to;
}

/** The same entries in twice as many slots. */
function doubled(slots: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const more = new Int32Array(slots.length * 2);
  const mask = more.length - 2;
  for (let at = 0; at < slots.length; at += 2) {
    if (slots[at + 1] === 0) continue;
    let slot = ((slots[at] ?? 0) << 1) & mask;
    while (more[slot + 1] !== 0) slot = (slot + 2) & mask;
    more[slot] = slots[at] ?? 0;
    more[slot + 1] = slots[at + 1] ?? 0;
  }
  return more;
}

/** An empty table. */
export function createTextTable(): TextTable {
  let bytes = new Uint8Array(256);
  /** Where each entry begins in `bytes`, and the last one ends. */
  let starts = new Uint32Array(17);
  /** Two numbers a slot: hash, entry + 1; 0 = free. */
  let slots = new Int32Array(64);
  let size = 0;

  const isEntry = (entry: number, text: string, start: number): boolean => {
    const first = starts[entry] ?? 0;
    const length = (starts[entry + 1] ?? 0) - first;
    if (text.length - start !== length) return false;
    for (let at = 0; at < length; at += 1) {
      if (bytes[first + at] !== text.charCodeAt(start + at)) return false;
    }
    return true;
  };

  /** The slot that holds the text, or the free one where it belongs. */
  const slotOf = (text: string, start: number, hash: number): number => {
    const mask = slots.length - 2;
    for (let slot = (hash << 1) & mask; ; slot = (slot + 2) & mask) {
      const entry = (slots[slot + 1] ?? 0) - 1;
      if (entry === -1 || (slots[slot] === hash && isEntry(entry, text, start))) return slot;
    }
  };

  const append = (text: string) => {
    const end = starts[size] ?? 0;
    while (end + text.length > bytes.length) bytes = grown(bytes, new Uint8Array(bytes.length * 2));
    if (size + 2 > starts.length) starts = grown(starts, new Uint32Array(starts.length * 2));
    for (let at = 0; at < text.length; at += 1) bytes[end + at] = text.charCodeAt(at);
    size += 1;
    starts[size] = end + text.length;
  };

  return {
    get size() {
      return size;
    },
    add(text) {
      const hash = hashOf(text);
      const slot = slotOf(text, 0, hash);
      const known = (slots[slot + 1] ?? 0) - 1;
      if (known !== -1) return known;
      append(text);
      slots[slot] = hash;
      slots[slot + 1] = size;
      if (size * 4 > slots.length) slots = doubled(slots);
      return size - 1;
    },
    find: (text, start, hash) => (slots[slotOf(text, start, hash) + 1] ?? 0) - 1,
    text: (entry) => Buffer.from(bytes.buffer).toString('utf8', starts[entry], starts[entry + 1]),
    trim() {
      bytes = bytes.slice(0, starts[size]);
      starts = starts.slice(0, size + 1);
    },
  };
}
