import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marksOf } from './marks.ts';

const hours = Array.from({ length: 48 }, (_, hour) =>
  new Date(Date.UTC(2027, 0, 1, hour)).toISOString().replace('.000Z', '+00:00'),
);

for (const [name, times, marks] of [
  ['none', [], []],
  ['before the first step', ['2026-12-31T23:59:59Z'], []],
  [
    'several in a step, the newest first',
    ['2027-01-01T03:50:00Z', '2027-01-01T03:10:00Z', '2027-01-01T01:00:00Z'],
    [
      ['A', 1, 1],
      ['B', 3, 2],
    ],
  ],
  [
    'more steps than fit',
    hours.toReversed(),
    Array.from({ length: 12 }, (_, index) => ['ABCDEFGHIJKL'[index], index * 4, 4]),
  ],
] as const) {
  test(`changes are marked: ${name}`, () => {
    const found = marksOf(
      times.map((Time) => ({ Time })),
      hours,
    );
    assert.deepEqual(
      found.map(({ letter, index, changes }) => [letter, index, changes.length]),
      marks,
    );
    for (const { changes } of found)
      assert.deepEqual(
        changes.map(({ Time }) => Date.parse(Time)),
        changes.map(({ Time }) => Date.parse(Time)).toSorted((one, other) => other - one),
      );
  });
}
