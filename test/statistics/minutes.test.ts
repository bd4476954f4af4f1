import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCounters } from '../../src/statistics/counters.ts';
import { createTopValues } from '../../src/statistics/top-values.ts';
import { day, dayMs, pairOf } from './counting.ts';

const minuteMs = 60_000;
const pair = pairOf({ kind: 'VastTag', id: 1 }, { kind: 'Campaign', id: 2 });

test('memory has a row for each minute, of 15 minutes at most while nobody takes them', () => {
  const counters = createCounters(createTopValues());
  const countAt = (minute: number) =>
    counters.count(pair, [{ demand: pair.demand, counts: [['bids', 1]] }], day * dayMs + minute * minuteMs);
  for (let minute = 40; minute < 120; minute += 1) countAt(minute);
  const { pairs = [] } = counters.take(0) ?? {};
  assert.equal(
    pairs.reduce((sum, { counts }) => sum + counts.bids, 0),
    80,
  );
  const byMinute = pairs.map(({ hour, quarter = 0, minute = 0, counts }) => [
    (hour - day * 24) * 60 + quarter * 15 + minute,
    counts.bids,
  ]);
  assert.deepEqual(
    byMinute.slice(0, 15).map(([minute]) => minute),
    [...Array(15).keys()].map((one) => one + 40),
  );
  // Those that had no room count as the first of their quarter hour.
  assert.deepEqual(byMinute.slice(15), [
    [60, 15],
    [75, 15],
    [90, 15],
    [105, 15],
  ]);
  countAt(121);
  assert.equal(counters.take(0)?.pairs[0]?.minute, 1);
});
