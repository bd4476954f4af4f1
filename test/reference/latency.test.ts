import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  latencyAt,
  latencyBoundsMs,
  latencyCounterOf,
  latencyCounters,
} from '../../src/reference/latency.ts';

/** Times, and the one within which a share of them came, by its bucket. */
const cases: readonly (readonly [
  name: string,
  times: readonly number[],
  share: number,
  ms: number | null,
])[] = [
  ['nothing', [], 0.5, null],
  ['all in the first bucket, evenly from 0 on', [0, 1, 1, 0], 0.5, 0.5],
  ['one, at the end of its bucket', [120], 1, 125],
  ['half of a bucket between its bounds', [110, 120], 0.5, 112.5],
  ['the last of many', [...Array<number>(99).fill(5), 900], 0.99, 5],
  ['beyond that the slow one', [...Array<number>(98).fill(5), 900, 900], 0.99, 850],
  ['no time beyond the last bound', [4000, 5000], 0.5, 3000],
];

describe('latency by buckets', () => {
  for (const [name, times, share, ms] of cases) {
    test(name, () => {
      const counts = Object.fromEntries(latencyCounters.map((counter) => [counter, 0]));
      for (const time of times) counts[latencyCounterOf(time)] = (counts[latencyCounterOf(time)] ?? 0) + 1;
      assert.equal(latencyAt(share, counts as Parameters<typeof latencyAt>[1]), ms);
    });
  }

  test('a bound belongs to its bucket, and what is slower to the next', () => {
    for (const [place, bound] of latencyBoundsMs.entries()) {
      assert.equal(latencyCounterOf(bound), latencyCounters[place]);
      assert.equal(latencyCounterOf(bound + 0.01), latencyCounters[place + 1]);
    }
  });
});
