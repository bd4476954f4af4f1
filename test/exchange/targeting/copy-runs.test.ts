import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { copyRuns } from '../../../src/exchange/targeting/index/copy-runs.ts';
import { seeded } from '../../support/seed.ts';

const words = 5;
const bitAt = (bits: Int32Array, place: number) => ((bits[place >>> 5] ?? 0) >>> (place & 31)) & 1;

/** Lengths and gaps around those of a word, so that runs begin and end at its edges as well as within it. */
const length = fc.oneof(fc.constantFrom(0, 1, 31, 32, 33, 64), fc.nat({ max: 40 }));
const runs = fc.array(fc.record({ skipped: length, gap: length, length }), { maxLength: 5 }).map((rows) => {
  let [from, to] = [0, 0];
  const made = rows.map((row) => {
    from += row.skipped;
    to += row.gap;
    const run = { from, to, length: row.length };
    from += row.length;
    to += row.length;
    return run;
  });
  return made.filter((run) => Math.max(run.from, run.to) + run.length <= words * 32);
});
const bitmap = fc.array(fc.integer(), { minLength: words, maxLength: words });

test('runs of bits come to their new places, and nothing beside them', () => {
  fc.assert(
    fc.property(bitmap, runs, fc.nat({ max: 2 }), fc.nat({ max: 2 }), (held, kept, from, to) => {
      const around = (bits: readonly number[], at: number) =>
        Int32Array.from([...Array(at).fill(-1), ...bits, ...Array(2 - at).fill(-1)]);
      const source = around(held, from);
      const target = around(Array(words).fill(0), to);
      const expected = target.slice();
      for (const run of kept) {
        for (let at = 0; at < run.length; at += 1) {
          const place = to * 32 + run.to + at;
          const bit = bitAt(source, from * 32 + run.from + at) << (place & 31);
          expected[place >>> 5] = (expected[place >>> 5] ?? 0) | bit;
        }
      }
      copyRuns(source, from, target, to, kept);
      assert.deepEqual(target, expected);
    }),
    seeded(500),
  );
});
