import type { CooperativeTask } from '../../cooperative-task.ts';
import type { KeyRule } from '../rule.ts';
import { copyRuns } from './copy-runs.ts';
import type { ObjectRun, RowChange } from './row-change.ts';

/** Equally long, one after the other; named by its first word. */
export interface Bitmaps {
  readonly bits: Int32Array;
  readonly words: number;
}

interface RestrictionCounts {
  /** How many pass without any key: unrestricted, or restricted by `except`. */
  readonly free: number;
  readonly excepting: number;
  /** The keys of all others, added up. */
  readonly wantedKeys: number;
  /** How many objects name each key, wanted or excepted. */
  readonly named: ReadonlyMap<string, number>;
}

/** Of one rule. Functions that auctions call are copied here, because V8 is slow at properties of many shapes. */
export interface RuleBitmaps {
  readonly keysOf: KeyRule['keysOf'];
  readonly coveredBy: KeyRule['coveredBy'];
  /** Objects that pass without any key. */
  readonly base: number;
  /** Objects that pass with this key alone. */
  readonly passing: ReadonlyMap<string, number>;
  /** Room for those that pass with several keys. */
  readonly several: number;
  readonly isRefusing: boolean;
  readonly rule: KeyRule;
  readonly counts: RestrictionCounts;
}

/** Indexes of objects, by how they restrict a rule's keys. */
interface Restrictions extends Omit<RestrictionCounts, 'free' | 'named'> {
  readonly free: readonly number[];
  readonly wanted: ReadonlyMap<string, readonly number[]>;
  readonly excepted: ReadonlyMap<string, readonly number[]>;
}

export interface RuleChange {
  readonly before: RuleBitmaps;
  readonly added: Restrictions;
  readonly counts: RestrictionCounts;
}

/** If no object names the key itself, that of the key that covers it. */
export function bitmapOf({ passing, coveredBy }: RuleBitmaps, key: string | undefined): number | undefined {
  for (let named = key; named !== undefined; named = coveredBy?.(named)) {
    const bitmap = passing.get(named);
    if (bitmap !== undefined) return bitmap;
  }
  return undefined;
}

export function emptyBitmaps(rule: KeyRule): RuleBitmaps {
  const { keysOf, coveredBy } = rule;
  const counts = { free: 0, excepting: 0, wantedKeys: 0, named: new Map() };
  return { keysOf, coveredBy, base: 0, passing: new Map(), several: 0, isRefusing: false, rule, counts };
}

const none: ReadonlySet<string> = new Set();

function addAt(lists: Map<string, number[]>, keys: ReadonlySet<string>, place: number): void {
  for (const key of keys) {
    const list = lists.get(key);
    if (list) list.push(place);
    else lists.set(key, [place]);
  }
}

function* restrictionsOf(rule: KeyRule, members: RowChange['added']): CooperativeTask<Restrictions> {
  const free: number[] = [];
  const wanted = new Map<string, number[]>();
  const excepted = new Map<string, number[]>();
  let excepting = 0;
  let wantedKeys = 0;
  for (const { place, object } of members) {
    const { mode, keys } = rule.restriction(object) ?? { mode: 'except', keys: none };
    if (mode === 'only') {
      wantedKeys += keys.size;
      addAt(wanted, keys, place);
    } else {
      free.push(place);
      excepting += keys.size > 0 ? 1 : 0;
      addAt(excepted, keys, place);
    }
    if (place % 64 === 63) yield;
  }
  return { free, excepting, wantedKeys, wanted, excepted };
}

function addNames(named: Map<string, number>, { wanted, excepted }: Restrictions, sign: 1 | -1): void {
  for (const naming of [wanted, excepted]) {
    for (const [key, places] of naming) {
      const count = (named.get(key) ?? 0) + sign * places.length;
      if (count === 0) named.delete(key);
      else named.set(key, count);
    }
  }
}

export function* ruleChange(before: RuleBitmaps, change: RowChange): CooperativeTask<RuleChange> {
  const { rule, counts: was } = before;
  const left = yield* restrictionsOf(rule, change.removed);
  const added = yield* restrictionsOf(rule, change.added);
  const named = new Map(was.named);
  addNames(named, added, 1);
  addNames(named, left, -1);
  const counts = {
    free: was.free + added.free.length - left.free.length,
    excepting: was.excepting + added.excepting - left.excepting,
    wantedKeys: was.wantedKeys + added.wantedKeys - left.wantedKeys,
    named,
  };
  return { before, added, counts };
}

export function isRestricting({ counts }: RuleBitmaps, objects: number): boolean {
  return counts.free < objects || counts.excepting > 0;
}

/** An estimate: the free ones, and an equal part of all wanted keys. */
export function estimatedPasses({ counts: { free, wantedKeys, named } }: RuleBitmaps): number {
  return free + wantedKeys / Math.max(1, named.size);
}

export function bitmapsOf({ counts }: RuleChange): number {
  return 2 + counts.named.size;
}

function* covering({ coveredBy }: KeyRule, key: string): Iterable<string> {
  for (let by: string | undefined = key; by !== undefined; by = coveredBy?.(by)) yield by;
}

function set(bits: Int32Array, bitmap: number, place: number): void {
  bits[bitmap + (place >>> 5)] = (bits[bitmap + (place >>> 5)] as number) | (1 << (place & 31));
}

function clear(bits: Int32Array, bitmap: number, place: number): void {
  bits[bitmap + (place >>> 5)] = (bits[bitmap + (place >>> 5)] as number) & ~(1 << (place & 31));
}

/** Copies the bits of objects that stayed, and sets those of new ones that pass without any key. */
function beginWith(
  old: Bitmaps,
  { bits, words }: Bitmaps,
  kept: readonly ObjectRun[],
  free: readonly number[],
) {
  const came = new Int32Array(words);
  for (const place of free) set(came, 0, place);
  return (bitmap: number, source: number): void => {
    copyRuns(old.bits, source, bits, bitmap, kept);
    for (let word = 0; word < words; word += 1) {
      bits[bitmap + word] = (bits[bitmap + word] as number) | (came[word] as number);
    }
  };
}

/** A newly named key begins with the objects of its covering key, or those that need no key. */
export function* writeBitmaps(
  old: Bitmaps,
  next: Bitmaps,
  { before, added, counts }: RuleChange,
  kept: readonly ObjectRun[],
  from: number,
): CooperativeTask<RuleBitmaps> {
  const { bits, words } = next;
  const { rule, keysOf, coveredBy } = before;
  const begin = beginWith(old, next, kept, added.free);
  const base = from;
  const several = base + words;
  begin(base, before.base);
  const passing = new Map<string, number>();
  for (const key of counts.named.keys()) {
    const bitmap = several + words * (1 + passing.size);
    passing.set(key, bitmap);
    begin(bitmap, bitmapOf(before, key) ?? before.base);
    for (const by of covering(rule, key)) {
      for (const place of added.wanted.get(by) ?? []) set(bits, bitmap, place);
      for (const place of added.excepted.get(by) ?? []) clear(bits, bitmap, place);
    }
    yield;
  }
  const isRefusing = counts.excepting > 0;
  return { keysOf, coveredBy, base, passing, several, isRefusing, rule, counts };
}
