import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { planComparison } from '../../src/statistics/comparison.ts';
import { seeded } from '../support/seed.ts';
import { counts, day, startMs } from './counting.ts';

const hourMs = 3_600_000;
const at = (hour: number, requests: number) => ({ hour: day * 24 + hour, counts: counts({ requests }) });

const cases: readonly (readonly [what: string, afterMs: number, expected: readonly number[]])[] = [
  ['at midnight nothing of another day counts', 0, [1000, 0, 0, 240]],
  ['a quarter into the first hour', hourMs / 4, [1000, 3, 5, 240]],
  ['at the start of the third hour', 2 * hourMs, [3000, 20, 40, 240]],
  ['in the middle of the last hour', 23.5 * hourMs, [24_000, 235, 470, 240]],
];

for (const [what, afterMs, expected] of cases) {
  test(`${what}`, () => {
    const { compare } = planComparison(startMs + afterMs);
    const hour = Math.floor((startMs + afterMs) / hourMs);
    const hours = Array.from({ length: 24 }, (_, index) => [
      ...(day * 24 + index <= hour ? [at(index, 1000)] : []),
      at(index - 24, 10),
      at(index - 7 * 24, 20),
      at(index - 2 * 24, 5000),
    ]).flat();
    const { Today, SameHoursYesterday, SameHoursWeekAgo, Yesterday, Trend } = compare(hours);
    const found = [Today, SameHoursYesterday, SameHoursWeekAgo, Yesterday].map(({ Requests }) => Requests);
    assert.deepEqual(found, expected);
    const begun = hour - day * 24 + 1;
    assert.deepEqual(Trend, [...Array(24 - begun).fill(10), ...Array(begun).fill(1000)]);
  });
}

test('figures are made of the sums, not summed', () => {
  const { compare } = planComparison(startMs + hourMs);
  const one = counts({
    requests: 3,
    impressions: 1,
    bids: 4,
    wins: 1,
    revenueNanos: 3e6,
    spentNanos: 1e6,
    clicks: 1,
  });
  const { Today, Yesterday } = compare([
    { hour: day * 24, counts: one },
    { hour: day * 24 + 1, counts: { ...one, requests: 1 } },
  ]);
  const { Requests, FillRate, WinRate, Profit, Margin, Ecpm, Ctr } = Today;
  assert.deepEqual(
    { Requests, FillRate, WinRate, Profit, Margin, Ecpm, Ctr },
    { Requests: 4, FillRate: 50, WinRate: 25, Profit: 0.004, Margin: 66.666667, Ecpm: 3, Ctr: 100 },
  );
  const { FillRate: fill, WinRate: won, Margin: margin, Ecpm: ecpm, Ctr: ctr, ...sums } = Yesterday;
  assert.deepEqual([fill, won, margin, ecpm, ctr], Array(5).fill(null), 'rates of nothing say nothing');
  assert.ok(Object.values(sums).every((value) => value === 0));
});

test('yesterday at the same moment, asked now, is what today was then', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 23 }),
      fc.array(fc.nat(100), { minLength: 48, maxLength: 48 }),
      (hour, requests) => {
        const hours = requests.map((count, index) => at(index - 24, count));
        const now = planComparison(startMs + hour * hourMs);
        const then = planComparison(startMs + hour * hourMs - 24 * hourMs);
        const before = hours.filter((one) => one.hour < day * 24 + hour - 24);
        assert.equal(now.compare(hours).SameHoursYesterday.Requests, then.compare(before).Today.Requests);
      },
    ),
    seeded(100),
  );
});
