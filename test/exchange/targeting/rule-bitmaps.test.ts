import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServedObject } from '../../../src/exchange/configuration.ts';
import { type CooperativeTask, runAtOnce } from '../../../src/exchange/cooperative-task.ts';
import { country } from '../../../src/exchange/targeting/country.ts';
import { type RowChange, rowChange } from '../../../src/exchange/targeting/index/row-change.ts';
import {
  bitmapsOf,
  emptyBitmaps,
  ruleChange,
  writeBitmaps,
} from '../../../src/exchange/targeting/index/rule-bitmaps.ts';
import type { KeyRule } from '../../../src/exchange/targeting/rule.ts';
import { size } from '../../../src/exchange/targeting/size.ts';
import { objectWith } from './samples.ts';

/** A rule's bitmaps after each of many changes. */
function createRow(rule: KeyRule) {
  let members: readonly ServedObject[] = [];
  let bitmaps = { bits: new Int32Array(0), words: 0 };
  let ofRule = emptyBitmaps(rule);
  const numbers = new Map<ServedObject, number>();
  const targetingOf = (object: ServedObject) => numbers.get(object) ?? assert.fail();
  return (next: readonly ServedObject[]) => {
    for (const object of next) if (!numbers.has(object)) numbers.set(object, numbers.size);
    const change: RowChange | undefined = rowChange(members, next, {
      objectOf: (object) => object,
      targetingOf,
    });
    assert.ok(change);
    const words = (next.length + 31) >>> 5;
    const renewal = runAtOnce(ruleChange(ofRule, change));
    const after = { bits: new Int32Array(words * bitmapsOf(renewal)), words };
    ofRule = runAtOnce(writeBitmaps(bitmaps, after, renewal, change.kept, 0));
    bitmaps = after;
    members = next;
    return { keys: [...ofRule.passing.keys()].sort(), bitmaps: bitmaps.bits.length / words, ofRule };
  };
}

interface Case {
  readonly rule: KeyRule;
  /** What every other member asks, and what the one that changes does: it always names a key that no other does. */
  readonly others: Readonly<Record<string, unknown>>;
  readonly changing: (letter: string) => Readonly<Record<string, unknown>>;
  readonly named: readonly [often: string, less: string];
  readonly counts: { readonly free: number; readonly excepting: number; readonly wantedKeys: number };
}

const cases: readonly Case[] = [
  {
    rule: country,
    others: { Countries: ['US', 'DE'] },
    changing: (letter) => ({ Countries: [letter, 'US'] }),
    named: ['US', 'DE'],
    counts: { free: 20, excepting: 0, wantedKeys: 42 },
  },
  {
    rule: size,
    others: { SizesListMode: 0, SizesList: ['2x2', '1x1'] },
    changing: (letter) => ({ SizesListMode: 0, SizesList: [letter, '2x2'] }),
    named: ['2x2', '1x1'],
    counts: { free: 41, excepting: 21, wantedKeys: 0 },
  },
];

for (const { rule, others: asked, changing, named, counts } of cases) {
  test(`${rule.field}: what nobody names any more takes no room, however often members change`, () => {
    const row = createRow(rule);
    const others = Array.from({ length: 40 }, (_, id) =>
      objectWith('DspVastTag', id % 2 === 0 ? asked : {}, { id: id + 2 }),
    );
    const [often, less] = named;
    for (const [at, letter] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].entries()) {
      const one = objectWith('DspVastTag', changing(letter), { id: 1 });
      const { keys, bitmaps, ofRule } = row(others.toSpliced(at, 0, one));
      assert.deepEqual([keys, bitmaps], [[less, often, letter].sort(), 5]);
      const timesNamed = new Map([
        [often, 21],
        [less, 20],
        [letter, 1],
      ]);
      assert.deepEqual(ofRule.counts, { ...counts, named: timesNamed });
    }
  });
}

test('of thousands of members only so many are read, and bitmaps written, without a pause', () => {
  let work = 0;
  let workMax = 0;
  const counted = <Result>(task: CooperativeTask<Result>): Result => {
    for (;;) {
      work = 0;
      const { done, value } = task.next();
      workMax = Math.max(workMax, work);
      if (done) return value;
    }
  };
  const reading: KeyRule = {
    ...country,
    restriction(object) {
      work += 1;
      return country.restriction(object);
    },
    coveredBy() {
      work += 1;
      return undefined;
    },
  };
  const members = Array.from({ length: 1000 }, (_, id) => objectWith('DspVastTag', { Countries: [`${id}`] }));
  const added = members.map((object, place) => ({ place, object }));
  const before = emptyBitmaps(reading);
  const renewal = counted(ruleChange(before, { size: added.length, kept: [], removed: [], added }));
  const words = 32;
  const bits = new Int32Array(words * bitmapsOf(renewal));
  counted(writeBitmaps({ bits: new Int32Array(0), words: 0 }, { bits, words }, renewal, [], 0));
  assert.ok(workMax > 0 && workMax <= 64, `${workMax}`);
});
