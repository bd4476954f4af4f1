import type { CooperativeTask } from '../../cooperative-task.ts';
import type { Opportunity } from '../../opportunity.ts';
import type { KeyRule } from '../rule.ts';
import { admitting, lookUpBitmaps } from './asked-bitmaps.ts';
import { createKeyRefusals, type KeyRefusals } from './key-refusals.ts';
import { keepAdmitted, reserveWords, startRow, writeRemaining } from './live-words.ts';
import type { RowChange } from './row-change.ts';
import {
  type Bitmaps,
  bitmapsOf,
  emptyBitmaps,
  estimatedPasses,
  isRestricting,
  type RuleBitmaps,
  type RuleChange,
  ruleChange,
  writeBitmaps,
} from './rule-bitmaps.ts';

/** Bit *n* of each bitmap stands for the *n*-th object of the row. */
export interface KeyBitmaps {
  /** Writes the indexes admitted by all rules into `admitted`, and returns how many. Allocates only in `keysOf`. */
  narrow(opportunity: Opportunity): number;
  /** Valid until the next `narrow`. */
  readonly admitted: Int32Array;
  /** Counts of refusals, from zero. */
  refusals(): KeyRefusals;
  after(change: RowChange): CooperativeTask<KeyBitmaps>;
}

/** Rules read the changed objects in pieces. */
function* changedBitmaps(
  old: Bitmaps,
  before: readonly RuleBitmaps[],
  change: RowChange,
): CooperativeTask<{ bitmaps: Bitmaps; ofRules: readonly RuleBitmaps[] }> {
  const changes: RuleChange[] = [];
  for (const each of before) changes.push(yield* ruleChange(each, change));
  const words = (change.size + 31) >>> 5;
  const bits = new Int32Array(words * changes.reduce((sum, each) => sum + bitmapsOf(each), 0));
  const bitmaps = { bits, words };
  const ofRules: RuleBitmaps[] = [];
  let used = 0;
  for (const each of changes) {
    ofRules.push(yield* writeBitmaps(old, bitmaps, each, change.kept, used));
    used += bitmapsOf(each) * words;
  }
  return { bitmaps, ofRules };
}

/** Skips rules that restrict nobody, and asks those likely to admit the fewest first, so that words soon run empty. */
function keyBitmapsOf(bitmaps: Bitmaps, ofRules: readonly RuleBitmaps[], size: number): KeyBitmaps {
  const { bits, words } = bitmaps;
  const asking = ofRules
    .toSorted((a, b) => estimatedPasses(a) - estimatedPasses(b))
    .filter((each, at) => at === 0 || isRestricting(each, size));
  reserveWords(words);

  const askAt = (number: number, opportunity: Opportunity, at: 0 | 2) => {
    const each = asking[number] as RuleBitmaps;
    lookUpBitmaps(bits, words, each, each.keysOf(opportunity), at);
  };
  const admitted = new Int32Array(size);
  return {
    admitted,
    narrow(opportunity) {
      let left = words;
      for (let number = 0; number < asking.length && left > 0; number += 2) {
        askAt(number, opportunity, 0);
        askAt(number + 1 < asking.length ? number + 1 : number, opportunity, 2);
        left = number === 0 ? startRow(bits, admitting, words) : keepAdmitted(bits, admitting);
      }
      return left === 0 ? 0 : writeRemaining(admitted);
    },
    refusals: () => createKeyRefusals(bitmaps, ofRules, size),
    *after(change) {
      const next = yield* changedBitmaps(bitmaps, ofRules, change);
      return keyBitmapsOf(next.bitmaps, next.ofRules, change.size);
    },
  };
}

export function emptyKeyBitmaps(rules: readonly KeyRule[]): KeyBitmaps {
  return keyBitmapsOf({ bits: new Int32Array(0), words: 0 }, rules.map(emptyBitmaps), 0);
}
