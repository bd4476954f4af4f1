import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { seeded } from '../../test/support/seed.ts';
import { labelEvery, roundTicks, runsOf } from './scale.ts';

describe('the horizontal lines of a chart', () => {
  const cases: readonly (readonly [values: readonly number[], ticks: readonly number[]])[] = [
    [[], [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [[0], [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [
      [3, 97],
      [0, 20, 40, 60, 80, 100],
    ],
    [[0.3], [0, 0.1, 0.2, 0.3]],
    [[12], [0, 2.5, 5, 7.5, 10, 12.5]],
    [
      [-5, 5],
      [-6, -4, -2, 0, 2, 4, 6],
    ],
    [[-40], [-40, -30, -20, -10, 0]],
    [[1_234_567], [0, 250_000, 500_000, 750_000, 1_000_000, 1_250_000]],
  ];
  for (const [values, ticks] of cases)
    test(`of ${values.join(', ') || 'nothing'}`, () => assert.deepEqual(roundTicks(values), ticks));

  test('hold every value, rise, and are few', () => {
    const value = fc
      .double({ noNaN: true, min: -1e12, max: 1e12 })
      .filter((one) => one === 0 || Math.abs(one) > 1e-6);
    fc.assert(
      fc.property(fc.array(value, { maxLength: 9 }), (values) => {
        const ticks = roundTicks(values);
        assert.ok(
          (ticks[0] ?? 1) <= Math.min(0, ...values) && (ticks.at(-1) ?? -1) >= Math.max(0, ...values),
        );
        assert.ok(ticks.length <= 8 && ticks.every((tick, at) => at === 0 || tick > (ticks[at - 1] ?? 0)));
      }),
      seeded(500),
    );
  });
});

describe('names of categories', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => `${hour}:00`);
  const cases: readonly (readonly [categories: readonly string[], widthPx: number, every: number])[] = [
    [hours, 2000, 1],
    [hours, 600, 3],
    [hours, 10, 24],
    [['2026-11-26'], 300, 1],
    [[], 300, 1],
  ];
  for (const [categories, widthPx, every] of cases)
    test(`${categories.length} in ${widthPx} pixels`, () =>
      assert.equal(labelEvery(categories, widthPx), every));
});

test('a value that is missing ends a run, and one alone is a run', () => {
  assert.deepEqual(runsOf([null, 1, 2, null, null, 3]), [
    [
      [1, 1],
      [2, 2],
    ],
    [[5, 3]],
  ]);
  assert.deepEqual(runsOf([null]), []);
});
