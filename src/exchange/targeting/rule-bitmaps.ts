import type { ConfigurationObject } from '../configuration.ts';
import type { KeyRule } from './rule.ts';

/**
 * The bitmaps of one rule over a row of objects. A bitmap is named by the place where it begins. What the rule is
 * asked for is here too: rules have many forms, of which V8 would have to look each up anew.
 */
export interface RuleBitmaps {
  readonly keysOf: KeyRule['keysOf'];
  readonly coveredBy: KeyRule['coveredBy'];
  /** Those that pass without any key: those it does not restrict, and those it restricts by `except`. */
  readonly base: number;
  /** By key: those that pass with it alone. */
  readonly passing: ReadonlyMap<string, number>;
  /** Room for a bitmap of those that pass with several keys. */
  readonly several: number;
  /** Whether any object excepts keys. */
  readonly isRefusing: boolean;
}

/** The objects of a row, by what they ask of a rule. */
export interface Asking {
  readonly rule: KeyRule;
  /** Those that it does not restrict, or by `except`. */
  readonly free: readonly number[];
  readonly wanting: ReadonlyMap<string, readonly number[]>;
  readonly excepting: ReadonlyMap<string, readonly number[]>;
  /** How many pass with one key, at a guess: the free ones, and an equal part of all wishes. */
  readonly guess: number;
}

function addAt(lists: Map<string, number[]>, keys: ReadonlySet<string>, index: number): void {
  for (const key of keys) {
    const list = lists.get(key);
    if (list) list.push(index);
    else lists.set(key, [index]);
  }
}

/** What objects ask of a rule. */
export function askingOf(rule: KeyRule, objects: readonly ConfigurationObject[]): Asking {
  const free: number[] = [];
  const wanting = new Map<string, number[]>();
  const excepting = new Map<string, number[]>();
  let wishes = 0;
  for (const [index, object] of objects.entries()) {
    const { mode, keys } = rule.restriction(object) ?? {};
    if (mode !== 'only') free.push(index);
    if (keys === undefined) continue;
    if (mode === 'only') wishes += keys.size;
    addAt(mode === 'only' ? wanting : excepting, keys, index);
  }
  return { rule, free, wanting, excepting, guess: free.length + wishes / Math.max(1, wanting.size) };
}

/** The keys that objects name. */
function namesOf({ wanting, excepting }: Asking): ReadonlySet<string> {
  return new Set(wanting.keys()).union(new Set(excepting.keys()));
}

/** Whether a rule restricts anybody. */
export function isRestricting({ free, excepting }: Asking, objects: number): boolean {
  return free.length < objects || excepting.size > 0;
}

/** How many bitmaps a rule takes. */
export function bitmapsOf(asking: Asking): number {
  return 2 + namesOf(asking).size;
}

/** A key and all that cover it. */
function* covering({ rule }: Asking, key: string): Iterable<string> {
  for (let by: string | undefined = key; by !== undefined; by = rule.coveredBy?.(by)) yield by;
}

/** Writes a rule's bitmaps, of so many words each, from a place on. */
export function writeBitmaps(bits: Int32Array, words: number, asking: Asking, from: number): RuleBitmaps {
  const { rule, free, wanting, excepting } = asking;
  const set = (bitmap: number, index: number) => {
    bits[bitmap + (index >>> 5)] = (bits[bitmap + (index >>> 5)] as number) | (1 << (index & 31));
  };
  const clear = (bitmap: number, index: number) => {
    bits[bitmap + (index >>> 5)] = (bits[bitmap + (index >>> 5)] as number) & ~(1 << (index & 31));
  };
  const base = from;
  const several = base + words;
  for (const index of free) set(base, index);
  const passing = new Map<string, number>();
  for (const key of namesOf(asking)) {
    const bitmap = several + words * (1 + passing.size);
    passing.set(key, bitmap);
    bits.copyWithin(bitmap, base, base + words);
    for (const by of covering(asking, key)) {
      for (const index of wanting.get(by) ?? []) set(bitmap, index);
      for (const index of excepting.get(by) ?? []) clear(bitmap, index);
    }
  }
  const { keysOf, coveredBy } = rule;
  return { keysOf, coveredBy, base, passing, several, isRefusing: excepting.size > 0 };
}
