import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { unknownTraffic } from '../../src/reference/cubes.ts';
import { noDeltas, writeDeltas } from '../../src/statistics/counter-rows.ts';
import type { Pair } from '../../src/statistics/events.ts';
import { createTopValues } from '../../src/statistics/top-values.ts';
import { createTrafficCounter } from '../../src/statistics/traffic-counts.ts';
import type { TrafficCounts } from '../../src/store/statistics/interface.ts';
import { seeded } from '../support/seed.ts';

const timeMs = 20_000 * 86_400_000;

/** Values that strangers send: few that come often, many that come once, and those that would pass for another. */
const sent = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.constantFrom('', 'other', '\\other', 'often', 'often\u0001', 'often\n', 'a\nb', 'a', 'b'),
  },
  { weight: 12, arbitrary: fc.nat(900).map((number) => `site${number}`) },
);

const event: fc.Arbitrary<Pair> = fc.record({
  supply: fc.constantFrom({ kind: 'VastTag', id: 1 }, { kind: 'RtbEp', id: 1 }),
  demand: fc.constantFrom(undefined, { kind: 'DspRtbEp', id: 1 }, { kind: 'Campaign', id: 1 }),
  subId: sent,
  traffic: fc.record({ site: sent, size: sent }).map((chosen) => ({ ...unknownTraffic, ...chosen })),
});

function sums(rows: readonly TrafficCounts[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { counts, ...row } of rows) {
    for (const [name, by] of Object.entries(counts)) {
      const key = JSON.stringify([row.cube, row.day, row.supply, row.demand, row.values, name]);
      if (by !== 0) found.set(key, (found.get(key) ?? 0) + by);
    }
  }
  return new Map([...found].sort());
}

test('what memory adds up is what the rows of each event say', () => {
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 1500, size: 'max' }), (events) => {
      const counter = createTrafficCounter(createTopValues());
      const topValues = createTopValues();
      const sheet = noDeltas();
      const expected = events.flatMap((pair) => {
        writeDeltas(sheet, [['bids', 2]], pair.demand !== undefined, false);
        counter.count(pair, pair, sheet, timeMs);
        const alone = createTrafficCounter(topValues);
        alone.count(pair, pair, sheet, timeMs);
        return alone.take();
      });
      assert.deepEqual(sums(counter.take()), sums(expected));
    }),
    // Failing sequences are long, and made shorter only slowly.
    { ...seeded(60), endOnFailure: true },
  );
});
