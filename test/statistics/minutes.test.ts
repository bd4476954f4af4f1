import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCounters } from '../../src/statistics/counters.ts';
import { eventBatch } from '../../src/statistics/event-counts.ts';
import { createTopValues } from '../../src/statistics/top-values.ts';
import type { PairCounts } from '../../src/store/statistics/interface.ts';
import { day, dayMs, impression, pairOf } from './counting.ts';

const minuteMs = 60_000;
const pair = pairOf({ kind: 'VastTag', id: 1 }, { kind: 'Campaign', id: 2 });
const minuteIn = ({ hour, quarter = 0, minute = 0 }: PairCounts) =>
  (hour - day * 24) * 60 + quarter * 15 + minute;

test('events count in the minutes of their auctions, however late and many they are', () => {
  const minutes = [...Array(40).keys()];
  const events = minutes.map((minute) =>
    impression(`a${minute}`, pair, { timeMs: day * dayMs + minute * minuteMs }),
  );
  const { claims, countsOf } = eventBatch(events, createTopValues());
  assert.deepEqual(countsOf(new Set(claims)).pairs.map(minuteIn), minutes);
});

test('memory has a row for each minute, of 15 minutes at most while nobody takes them', () => {
  const counters = createCounters(createTopValues());
  const countAt = (minute: number) =>
    counters.count(pair, [{ demand: pair.demand, counts: [['bids', 1]] }], day * dayMs + minute * minuteMs);
  for (let minute = 40; minute < 120; minute += 1) countAt(minute);
  const { pairs } = counters.take(0);
  assert.equal(
    pairs.reduce((sum, { counts }) => sum + counts.bids, 0),
    80,
  );
  const byMinute = pairs.map((row) => [minuteIn(row), row.counts.bids]);
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
  assert.equal(counters.take(0).pairs[0]?.minute, 1);
});
