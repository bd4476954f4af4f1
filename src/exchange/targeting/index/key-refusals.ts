import type { Opportunity } from '../../opportunity.ts';
import type { KeyRule } from '../rule.ts';
import { admitting, lookUpBitmaps } from './asked-bitmaps.ts';
import { type Bitmaps, bitmapOf, isRestricting, type RuleBitmaps } from './rule-bitmaps.ts';

export interface KeyRefusals {
  /** Those that refuse any, in order. */
  readonly rules: readonly KeyRule[];
  /** Its cost does not grow with the row, unless its keys are new. */
  add(opportunity: Opportunity): void;
  /** Words of memory. */
  size(): number;
  /** Calls back with how much more or less often a rule was the first to refuse objects; starts from zero again. */
  take(addTo: (rule: number, objects: Int32Array, by: number) => void): void;
}

/** Opportunities with the same keys so far: the objects left, and what the next rule met. */
interface Branch {
  readonly left: Int32Array;
  readonly size: number;
  count: number;
  next: Map<number | string, Branch> | undefined;
}

/** Opportunities with the same key pass the same objects. */
function refusalKey(rule: RuleBitmaps, met: readonly string[]): number | string {
  let name: number | string = rule.base;
  let count = 0;
  for (let each = 0; each < met.length; each += 1) {
    const bitmap = bitmapOf(rule, met[each]);
    if (bitmap === undefined) continue;
    name = count === 0 ? bitmap : `${name} ${bitmap}`;
    count += 1;
  }
  return name;
}

function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function everybody(words: number, size: number): Branch {
  const left = new Int32Array(words).fill(-1);
  if (size % 32 !== 0) left[words - 1] = (1 << (size % 32)) - 1;
  return { left, size, count: 0, next: undefined };
}

/** Who passes the next rule. */
function branchOf(
  { bits, words }: Bitmaps,
  rule: RuleBitmaps,
  met: readonly string[],
  before: Branch,
): Branch {
  lookUpBitmaps(bits, words, rule, met, 0);
  const [one, orElse] = admitting;
  const left = new Int32Array(words);
  let size = 0;
  for (let word = 0; word < words; word += 1) {
    const passing = (bits[one + word] as number) | (bits[orElse + word] as number);
    const held = (before.left[word] as number) & passing;
    left[word] = held;
    size += bitsIn(held);
  }
  return { left, size, count: 0, next: undefined };
}

/** Whom the next rule refuses. */
function refusedOf(before: Branch, { left }: Branch): Int32Array {
  return before.left.map((held, word) => held & ~(left[word] as number));
}

/** Reports whom the next rule refused. That is mostly nearly all: then the whole branch less those left. */
function tellBranch(before: Branch, depth: number, addTo: Parameters<KeyRefusals['take']>[0]): void {
  let counted = 0;
  for (const branch of before.next?.values() ?? []) {
    if (branch.size * 2 > before.size) addTo(depth, refusedOf(before, branch), branch.count);
    else {
      addTo(depth, branch.left, -branch.count);
      counted += branch.count;
    }
    tellBranch(branch, depth + 1, addTo);
  }
  if (counted > 0) addTo(depth, before.left, counted);
}

/** About what a branch takes besides its bitmap. */
const wordsOfBranch = 48;

/** A tree of counts by shared keys, one level per rule. Whom rules refused is found out when counts are taken. */
export function createKeyRefusals(
  bitmaps: Bitmaps,
  ofRules: readonly RuleBitmaps[],
  size: number,
): KeyRefusals {
  const rules = ofRules.filter((rule) => isRestricting(rule, size));
  const all = everybody(bitmaps.words, size);
  let branches = 0;
  return {
    rules: rules.map(({ rule }) => rule),
    add(opportunity) {
      let before = all;
      for (let depth = 0; depth < rules.length && before.size > 0; depth += 1) {
        const rule = rules[depth] as RuleBitmaps;
        const met = rule.keysOf(opportunity);
        const name = refusalKey(rule, met);
        before.next ??= new Map();
        let branch = before.next.get(name);
        if (branch === undefined) {
          branch = branchOf(bitmaps, rule, met, before);
          branches += 1;
          before.next.set(name, branch);
        }
        branch.count += 1;
        before = branch;
      }
    },
    size: () => branches * (bitmaps.words + wordsOfBranch),
    take(addTo) {
      tellBranch(all, 0, addTo);
      all.next = undefined;
      branches = 0;
    },
  };
}
