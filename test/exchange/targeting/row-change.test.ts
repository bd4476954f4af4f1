import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowChange } from '../../../src/exchange/targeting/index/row-change.ts';
import { objectWith } from './samples.ts';

type Kept = readonly (readonly [from: number, to: number, length: number])[];
type Row = readonly [
  before: readonly number[],
  after: readonly number[],
  change: readonly [kept: Kept, left: readonly number[], came: readonly number[]] | undefined,
];

/** Members by what they ask; of those that left or came the places. */
const rows: readonly Row[] = [
  [[], [], undefined],
  [[1, 2, 3], [1, 2, 3], undefined],
  [[], [1, 2], [[], [], [0, 1]]],
  [[1, 2], [], [[], [0, 1], []]],
  [[1, 2, 3], [1, 2, 3, 4], [[[0, 0, 3]], [], [3]]],
  [[2, 3], [1, 2, 3], [[[0, 1, 2]], [], [0]]],
  [[1, 2, 3, 4], [1, 9, 3, 4], [[[0, 0, 1], [2, 2, 2]], [1], [1]]],
  [[1, 2, 3], [1, 2, 9], [[[0, 0, 2]], [2], [2]]],
  [[1, 2], [2, 9], [[[1, 0, 1]], [0], [1]]],
  [[1, 2, 3, 4, 5], [1, 4, 5], [[[0, 0, 1], [3, 1, 2]], [1, 2], []]],
  [[1, 2, 3], [3, 1, 2], [[[2, 0, 1], [0, 1, 2]], [], []]],
  [[1, 2, 3], [3, 2, 1], [[[2, 0, 1], [1, 1, 1], [0, 2, 1]], [], []]],
  [[1, 2, 3, 4], [9, 8, 2], [[[1, 2, 1]], [0, 2, 3], [0, 1]]],
  [[1, 2, 3], [1, 2, 9, 8, 3], [[[0, 0, 2], [2, 4, 1]], [], [2, 3]]],
]; // biome-ignore format: a table

const reading = {
  objectOf: (id: number) => objectWith('Campaign', {}, { id }),
  targetingOf: (id: number) => id,
};

for (const [before, after, expected] of rows) {
  test(`from ${JSON.stringify(before)} to ${JSON.stringify(after)}`, () => {
    const change = rowChange(before, after, reading);
    const placesIn = (
      members: readonly number[],
      placed: readonly { place: number; object: { id: number } }[],
    ) =>
      placed.map(({ place, object }) => {
        assert.equal(object.id, members[place]);
        return place;
      });
    assert.equal(change?.size, expected && after.length);
    assert.deepEqual(
      change && [
        change.kept.map(({ from, to, length }) => [from, to, length]),
        placesIn(before, change.removed),
        placesIn(after, change.added),
      ],
      expected,
    );
  });
}
