import type { ConfigurationObject } from '../configuration.ts';
import type { Opportunity } from '../opportunity.ts';
import type { KeyRestriction, KeyRule } from './rule.ts';

/**
 * Rules on keys over a row of objects, as bitmaps: bit *n* stands for the *n*-th object. All bitmaps lie in one
 * array; a bitmap is named by the place where it begins.
 */
export interface KeyBitmaps {
  /**
   * Calls `take` with the number of every object that was in the row's `isIn` and that all rules admit, in order.
   * Allocates nothing but what the rules' `keysOf` do.
   */
  forEachAdmitted(opportunity: Opportunity, take: (index: number) => void): void;
}

/** The bitmaps of one rule. */
interface RuleBitmaps {
  readonly rule: KeyRule;
  /** Those it does not restrict and those it restricts by `except`: all that pass without any key. */
  readonly base: number;
  /** By key: the `base` and those that want the key. */
  readonly admitting: Map<string, number>;
  /** By key: those that except it. */
  readonly refusing: Map<string, number>;
  /** How many it restricts. */
  readonly count: number;
}

/** Words that still hold a bit, and those bits; shared, as selection is never interrupted. */
let liveWords = new Uint32Array(64);
let liveBits = new Uint32Array(64);
const rows: number[] = [];

function reserve(words: number): void {
  if (words <= liveWords.length) return;
  liveWords = new Uint32Array(words);
  liveBits = new Uint32Array(words);
}

/** Bitmaps while they are being built: bits set first, the array made when their number is known. */
function createBitmapBuilder(words: number) {
  const set: number[] = [];
  let used = 0;
  return {
    open(): number {
      used += words;
      return used - words;
    },
    set(bitmap: number, index: number): void {
      set.push(bitmap + (index >>> 5), index & 31);
    },
    build(): Uint32Array {
      const bits = new Uint32Array(used);
      for (let at = 0; at < set.length; at += 2) {
        const word = set[at] ?? 0;
        bits[word] = (bits[word] ?? 0) | (1 << (set[at + 1] ?? 0));
      }
      return bits;
    },
  };
}

type BitmapBuilder = ReturnType<typeof createBitmapBuilder>;

function bitmapOf(bitmaps: Map<string, number>, key: string, builder: BitmapBuilder): number {
  const known = bitmaps.get(key);
  if (known !== undefined) return known;
  const bitmap = builder.open();
  bitmaps.set(key, bitmap);
  return bitmap;
}

function addKeys(
  { mode, keys }: KeyRestriction,
  index: number,
  { admitting, refusing }: RuleBitmaps,
  builder: BitmapBuilder,
): void {
  const bitmaps = mode === 'only' ? admitting : refusing;
  for (const key of keys) builder.set(bitmapOf(bitmaps, key, builder), index);
}

/** The bitmaps of one rule, not yet holding `base` in `admitting`; undefined where it restricts nobody. */
function ruleBitmaps(
  rule: KeyRule,
  objects: readonly ConfigurationObject[],
  builder: BitmapBuilder,
): RuleBitmaps | undefined {
  const restrictions = objects.map((object) => rule.restriction(object));
  const count = restrictions.reduce((sum, restriction) => sum + (restriction ? 1 : 0), 0);
  if (count === 0) return undefined;
  const bitmaps = { rule, base: builder.open(), admitting: new Map(), refusing: new Map(), count };
  for (const [index, restriction] of restrictions.entries()) {
    if (restriction?.mode !== 'only') builder.set(bitmaps.base, index);
    if (restriction) addKeys(restriction, index, bitmaps, builder);
  }
  return bitmaps;
}

function addBase(bits: Uint32Array, { base, admitting }: RuleBitmaps, words: number): void {
  for (const bitmap of admitting.values()) {
    for (let word = 0; word < words; word += 1) {
      bits[bitmap + word] = (bits[bitmap + word] ?? 0) | (bits[base + word] ?? 0);
    }
  }
}

/** Keeps of the live words what any of the first `count` bitmaps in `rows` holds; answers how many are left. */
function keepAny(bits: Uint32Array, count: number, live: number): number {
  let kept = 0;
  for (let at = 0; at < live; at += 1) {
    const word = liveWords[at] ?? 0;
    let any = 0;
    for (let row = 0; row < count; row += 1) any |= bits[(rows[row] ?? 0) + word] ?? 0;
    const left = any & (liveBits[at] ?? 0);
    if (left === 0) continue;
    liveWords[kept] = word;
    liveBits[kept] = left;
    kept += 1;
  }
  return kept;
}

function keepNot(bits: Uint32Array, bitmap: number, live: number): number {
  let kept = 0;
  for (let at = 0; at < live; at += 1) {
    const word = liveWords[at] ?? 0;
    const left = (liveBits[at] ?? 0) & ~(bits[bitmap + word] ?? 0);
    if (left === 0) continue;
    liveWords[kept] = word;
    liveBits[kept] = left;
    kept += 1;
  }
  return kept;
}

function keepAdmitted(
  bits: Uint32Array,
  bitmaps: RuleBitmaps,
  keys: readonly string[],
  live: number,
): number {
  let count = 0;
  for (const key of keys) {
    const bitmap = bitmaps.admitting.get(key);
    if (bitmap === undefined) continue;
    rows[count] = bitmap;
    count += 1;
  }
  if (count === 0) rows[0] = bitmaps.base;
  let left = keepAny(bits, Math.max(count, 1), live);
  if (bitmaps.refusing.size === 0) return left;
  for (const key of keys) {
    const bitmap = bitmaps.refusing.get(key);
    if (bitmap !== undefined) left = keepNot(bits, bitmap, left);
  }
  return left;
}

function keepAll(bits: Uint32Array, bitmap: number, words: number): number {
  let live = 0;
  for (let word = 0; word < words; word += 1) {
    const left = bits[bitmap + word] ?? 0;
    if (left === 0) continue;
    liveWords[live] = word;
    liveBits[live] = left;
    live += 1;
  }
  return live;
}

/**
 * Builds the bitmaps of objects; one for which `isIn` says no is never admitted. Rules that restrict nobody are left
 * out, and those that restrict many are asked first, so that words run empty soon.
 */
export function createKeyBitmaps(
  objects: readonly ConfigurationObject[],
  isIn: (index: number) => boolean,
  rules: readonly KeyRule[],
): KeyBitmaps {
  const words = (objects.length + 31) >>> 5;
  const builder = createBitmapBuilder(words);
  const start = builder.open();
  for (const index of objects.keys()) if (isIn(index)) builder.set(start, index);
  const restricting = rules
    .flatMap((rule) => ruleBitmaps(rule, objects, builder) ?? [])
    .sort((a, b) => b.count - a.count);
  const bits = builder.build();
  for (const bitmaps of restricting) addBase(bits, bitmaps, words);
  reserve(words);

  return {
    forEachAdmitted(opportunity, take) {
      let live = keepAll(bits, start, words);
      for (const bitmaps of restricting) {
        live = keepAdmitted(bits, bitmaps, bitmaps.rule.keysOf(opportunity), live);
        if (live === 0) return;
      }
      for (let at = 0; at < live; at += 1) {
        const first = (liveWords[at] ?? 0) << 5;
        for (let left = liveBits[at] ?? 0; left !== 0; left &= left - 1) {
          take(first + 31 - Math.clz32(left & -left));
        }
      }
    },
  };
}
