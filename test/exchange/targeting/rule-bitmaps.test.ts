import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConfigurationObject } from '../../../src/exchange/configuration.ts';
import { atOnce } from '../../../src/exchange/pieces.ts';
import { country } from '../../../src/exchange/targeting/country.ts';
import { type RowChange, rowChange } from '../../../src/exchange/targeting/row-change.ts';
import {
  bitmapsOf,
  emptyBitmaps,
  ruleChange,
  writeBitmaps,
} from '../../../src/exchange/targeting/rule-bitmaps.ts';
import { objectWith } from './samples.ts';

/** A rule's bitmaps after each of many changes. */
function createRow() {
  let members: readonly ConfigurationObject[] = [];
  let bitmaps = { bits: new Int32Array(0), words: 0 };
  let ofRule = emptyBitmaps(country);
  const numbers = new Map<ConfigurationObject, number>();
  const targetingOf = (object: ConfigurationObject) => numbers.get(object) ?? assert.fail();
  return (next: readonly ConfigurationObject[]) => {
    for (const object of next) if (!numbers.has(object)) numbers.set(object, numbers.size);
    const change: RowChange | undefined = rowChange(members, next, {
      objectOf: (object) => object,
      targetingOf,
    });
    assert.ok(change);
    const words = (next.length + 31) >>> 5;
    const renewal = atOnce(ruleChange(ofRule, change));
    const after = { bits: new Int32Array(words * bitmapsOf(renewal)), words };
    ofRule = atOnce(writeBitmaps(bitmaps, after, renewal, change.kept, 0));
    bitmaps = after;
    members = next;
    return { keys: [...ofRule.passing.keys()].sort(), bitmaps: bitmaps.bits.length / words, ofRule };
  };
}

test('what nobody names any more takes no room, however often members change', () => {
  const row = createRow();
  const others = Array.from({ length: 40 }, (_, id) =>
    objectWith('DspVastTag', id % 2 === 0 ? { Countries: ['US', 'DE'] } : {}, { id: id + 2 }),
  );
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  for (const [at, letter] of [...letters].entries()) {
    const changing = objectWith('DspVastTag', { Countries: [`X${letter}`, 'US'] }, { id: 1 });
    const { keys, bitmaps, ofRule } = row(others.toSpliced(at, 0, changing));
    assert.deepEqual([keys, bitmaps], [['DE', 'US', `X${letter}`], 5]);
    assert.deepEqual(ofRule.counts, {
      ...{ free: 20, excepting: 0, wantedKeys: 42 },
      named: new Map([
        ['US', 21],
        ['DE', 20],
        [`X${letter}`, 1],
      ]),
    });
  }
});
