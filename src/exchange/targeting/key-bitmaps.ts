import type { ConfigurationObject } from '../configuration.ts';
import type { Opportunity } from '../opportunity.ts';
import { keepAny, keepEither, keepNot, reserveWords, startWith, writeLeft } from './live-words.ts';
import type { KeyRestriction, KeyRule } from './rule.ts';

/**
 * Rules on keys over a row of objects, as bitmaps: bit *n* stands for the *n*-th object. All bitmaps lie in one
 * array; a bitmap is named by the place where it begins.
 */
export interface KeyBitmaps {
  /**
   * Writes the numbers of the objects that all rules admit into `admitted`, in order, and answers how many they are.
   * Allocates nothing but what the rules' `keysOf` do.
   */
  narrow(opportunity: Opportunity): number;
  /** Holds the numbers until it narrows again. */
  readonly admitted: Int32Array;
}

/** The bitmaps of one rule. */
interface RuleBitmaps {
  readonly rule: KeyRule;
  /** Those it does not restrict and those it restricts by `except`: all that pass without any key. */
  readonly base: number;
  /** By key: the `base` and those that want the key, or one that covers it. */
  readonly admitting: Map<string, number>;
  /** By key: those that except it, or one that covers it. */
  readonly refusing: Map<string, number>;
  /** How many it admits of a key at a guess: those that want nothing, and an equal part of all wishes. */
  readonly guess: number;
}

/** Bitmaps that one rule joins for an opportunity; used again for each. */
const joined: number[] = [];

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
    build(): Int32Array {
      const bits = new Int32Array(used);
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
  { admitting, refusing }: Pick<RuleBitmaps, 'admitting' | 'refusing'>,
  builder: BitmapBuilder,
): void {
  const bitmaps = mode === 'only' ? admitting : refusing;
  for (const key of keys) builder.set(bitmapOf(bitmaps, key, builder), index);
}

/** The bitmaps of one rule, each with what its own objects ask for alone; undefined where it restricts nobody. */
function ruleBitmaps(
  rule: KeyRule,
  objects: readonly ConfigurationObject[],
  builder: BitmapBuilder,
): RuleBitmaps | undefined {
  const restrictions = objects.map((object) => rule.restriction(object));
  if (restrictions.every((restriction) => restriction === undefined)) return undefined;
  const bitmaps = { rule, base: builder.open(), admitting: new Map(), refusing: new Map() };
  let free = 0;
  let wishes = 0;
  for (const [index, restriction] of restrictions.entries()) {
    if (restriction) addKeys(restriction, index, bitmaps, builder);
    if (restriction?.mode === 'only') {
      wishes += restriction.keys.size;
      continue;
    }
    builder.set(bitmaps.base, index);
    free += 1;
  }
  return { ...bitmaps, guess: free + wishes / Math.max(1, bitmaps.admitting.size) };
}

/** Adds the objects of one bitmap to another. */
function addAll(bits: Int32Array, from: number, to: number, words: number): void {
  for (let word = 0; word < words; word += 1) {
    bits[to + word] = (bits[to + word] ?? 0) | (bits[from + word] ?? 0);
  }
}

/** Adds to the bitmap of each key those of the key that covers it. */
function addCovering(bits: Int32Array, bitmaps: Map<string, number>, rule: KeyRule, words: number): void {
  for (const [key, bitmap] of bitmaps) {
    const covering = bitmapFor(bitmaps, rule.coveredBy?.(key), rule);
    if (covering !== undefined) addAll(bits, covering, bitmap, words);
  }
}

/** The bitmap of a key, or of the one that covers it where nobody names the key itself. */
function bitmapFor(bitmaps: Map<string, number>, key: string | undefined, rule: KeyRule): number | undefined {
  if (key === undefined) return undefined;
  return bitmaps.get(key) ?? bitmapFor(bitmaps, rule.coveredBy?.(key), rule);
}

/** The bitmaps of those who want one of the keys, put into `joined`; of those who want nothing where nobody does. */
function join({ admitting, base, rule }: RuleBitmaps, keys: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < keys.length; at += 1) {
    const bitmap = bitmapFor(admitting, keys[at], rule);
    if (bitmap === undefined) continue;
    joined[count] = bitmap;
    count += 1;
  }
  if (count > 0) return count;
  joined[0] = base;
  return 1;
}

/** Narrows to the objects that a rule admits; answers how many words are left. */
function keepAdmitted(bits: Int32Array, bitmaps: RuleBitmaps, keys: readonly string[]): number {
  const count = join(bitmaps, keys);
  let left =
    count > 2
      ? keepAny(bits, joined, count)
      : keepEither(bits, joined[0] as number, joined[count - 1] as number);
  if (bitmaps.refusing.size === 0) return left;
  for (const key of keys) {
    const bitmap = bitmapFor(bitmaps.refusing, key, bitmaps.rule);
    if (bitmap !== undefined) left = keepNot(bits, bitmap);
  }
  return left;
}

/**
 * Builds the bitmaps of objects; one that is not serving is never left. Rules that restrict nobody are left out, and
 * those that admit fewest are asked first, so that words run empty soon.
 */
export function createKeyBitmaps(
  objects: readonly ConfigurationObject[],
  isServing: readonly boolean[],
  rules: readonly KeyRule[],
): KeyBitmaps {
  const words = (objects.length + 31) >>> 5;
  const builder = createBitmapBuilder(words);
  const serving = builder.open();
  for (const [index, isIn] of isServing.entries()) if (isIn) builder.set(serving, index);
  const restricting = rules
    .flatMap((rule) => ruleBitmaps(rule, objects, builder) ?? [])
    .sort((a, b) => a.guess - b.guess);
  const bits = builder.build();
  for (const { rule, base, admitting, refusing } of restricting) {
    for (const bitmap of admitting.values()) addAll(bits, base, bitmap, words);
    addCovering(bits, admitting, rule, words);
    addCovering(bits, refusing, rule, words);
  }
  reserveWords(words);

  const admitted = new Int32Array(objects.length);
  return {
    admitted,
    narrow(opportunity) {
      let left = startWith(bits, serving, words);
      for (let at = 0; at < restricting.length && left > 0; at += 1) {
        const bitmaps = restricting[at] as RuleBitmaps;
        left = keepAdmitted(bits, bitmaps, bitmaps.rule.keysOf(opportunity));
      }
      return left === 0 ? 0 : writeLeft(admitted);
    },
  };
}
