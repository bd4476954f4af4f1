import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type SimulatedDay, simulateDay } from '../../bench/optimize/simulated-day.ts';
import { createOutcomes, outcomesMemory } from '../../src/exchange/value-model/outcomes.ts';
import { createValueModel } from '../../src/exchange/value-model/value-model.ts';
import { drawn, seeded } from '../support/seed.ts';

const options = { callNanos: 100, exploredShare: 0.07 };
const supply = { kind: 'RtbEp', id: 1 } as const;
const [pays, doesNot] = [1, 2].map((id) => ({ kind: 'DspRtbEp', id }) as const) as [Asked, Asked];
type Asked = { readonly kind: 'DspRtbEp'; readonly id: number };
const place = { auctionId: 'a', country: 'DE', deviceType: 2, medium: 'banner', site: 'news.example' };
const shown = { ...place, width: 300, height: 250 };
const timeMs = Date.UTC(2027, 5, 15, 12);

/** What calls are worth in a small memory, with short ways to learn and to ask. */
function smallWorth(memory = outcomesMemory(1 << 12, 7)) {
  const valueModel = createValueModel(createOutcomes(memory), options);
  const learn = (demand: Asked, nanos: number, times = 1, at: Partial<typeof shown> = {}) => {
    for (let time = 0; time < times; time += 1) {
      const callValue = valueModel.of(supply, { ...shown, ...at });
      callValue.learn(demand, { nanos, timeMs, explored: callValue.judge(demand) });
    }
  };
  /** So many auctions in which both are asked, and one of them pays. */
  const auctions = (times: number, at: Partial<typeof shown> = {}) => {
    for (let time = 0; time < times; time += 1) {
      learn(pays, 1_000_000, 1, at);
      learn(doesNot, 0, 1, at);
    }
  };
  const judge = (demand: Asked, at: Partial<typeof shown> = {}) =>
    valueModel.of(supply, { ...shown, ...at }).judge(demand);
  return { worth: valueModel, learn, auctions, judge };
}

describe('a simulated day', () => {
  const shared = { seed: 1, auctions: 100_000, bidPercent: 60 } as const;
  const cases: readonly (readonly [name: string, savedShare: number, day: SimulatedDay])[] = [
    ['at first price', 0.5, { ...shared, auctionType: 1 }],
    ['at second price, of another seed', 0.5, { ...shared, seed: 2, auctionType: 2 }],
    ['half on sites that nobody has seen', 0.5, { ...shared, auctionType: 1, unseenEvery: 2 }],
    ['of DSPs that know few users', 0.15, { market: 'users', seed: 3, auctions: 100_000, auctionType: 1 }],
  ];
  for (const [name, savedShare, day] of cases.slice(0, drawn(cases.length))) {
    test(`${name}: ${100 * savedShare} % of the calls are saved, for at most 1 % of the revenue`, () => {
      const [without, shaped] = [simulateDay(day), simulateDay(day, options)];
      const { calls, saved } = shaped;
      assert.equal(without.saved, 0);
      assert.equal(calls + saved, without.calls);
      assert.ok(saved >= savedShare * without.calls, `${saved} of ${without.calls} calls saved`);
      assert.ok(shaped.revenue >= 0.99 * without.revenue, `${shaped.revenue} of ${without.revenue} earned`);
      without.revenueByDsp.forEach((revenue, dsp) => {
        const share = (shaped.revenueByDsp[dsp] ?? 0) / revenue;
        assert.ok(share >= 0.95, `DSP ${dsp} keeps ${share}`);
      });
      assert.deepEqual(simulateDay(day, options), shaped, 'the same again');
    });
  }

  test('a partner that changes its mind is noticed within minutes', () => {
    const day = { ...shared, auctions: 200_000, auctionType: 1, changesAtHour: 6 } as const;
    const { noticedMinutes = Number.POSITIVE_INFINITY } = simulateDay(day, options);
    assert.ok(noticedMinutes <= 10, `${noticedMinutes} minutes`);
  });
});

test('who has brought nothing here is not worth a call, who has is; before enough is known all are', () => {
  const { auctions, judge } = smallWorth();
  auctions(19);
  assert.equal(judge(doesNot), undefined);
  auctions(100);
  assert.equal(judge(doesNot), undefined, 'it may know a user who is worth much');
  auctions(2000);
  const estimate = judge(doesNot);
  assert.ok(estimate && estimate.expectedNanos <= estimate.leastNanos && estimate.expectedNanos >= 0);
  assert.equal(judge(pays), undefined);
  assert.equal(judge(pays, { site: 'new.example' }), undefined);
});

test('a partner that begins to bid in its places is asked in all of them, one that stops is found out', () => {
  const { learn, auctions, judge } = smallWorth();
  const sites = Array.from({ length: 10 }, (_, at) => ({ site: `${at}.example` }));
  for (const at of sites) auctions(400, at);
  assert.ok(sites.every((at) => judge(doesNot, at)));
  for (const at of sites.slice(0, 6)) learn(doesNot, 1_000_000, 1, at);
  assert.deepEqual(
    sites.map((at) => judge(doesNot, at)),
    sites.map(() => undefined),
  );
  learn(doesNot, 1_000_000, 100);
  learn(pays, 0, 1000);
  assert.ok(judge(pays));
});

test('a user who is worth much is looked for everywhere, once the partner has shown that it knows one', () => {
  const { learn, auctions, judge } = smallWorth();
  const sites = Array.from({ length: 10 }, (_, at) => ({ site: `${at}.example` }));
  for (const at of sites) auctions(100, at);
  learn(doesNot, 50_000_000, 1, sites[0]);
  for (const at of sites) auctions(200, at);
  assert.deepEqual(
    [...sites, { site: 'new.example' }].filter((at) => judge(doesNot, at)),
    [],
  );
});

test('threads learn from each other, and each supply object by itself', () => {
  const memory = outcomesMemory(1 << 12, 7);
  const [one, other] = [smallWorth(memory), smallWorth(memory)];
  one.auctions(2000);
  assert.ok(other.judge(doesNot));
  const elsewhere = { kind: 'RtbEp', id: 2 } as const;
  assert.equal(other.worth.of(elsewhere, shown).judge(doesNot), undefined);
});

test('names that strangers make up push out nothing that is known well', () => {
  const { worth, auctions, judge } = smallWorth(outcomesMemory(1 << 9, 7));
  auctions(2000);
  const known = judge(doesNot);
  const own = { kind: 'RtbEp', id: 2 } as const;
  for (let at = 0; at < 20_000; at += 1) {
    const callValue = worth.of(own, { ...shown, site: `made-up-${at}.example` });
    callValue.learn(pays, { nanos: 0, timeMs, explored: undefined });
  }
  assert.ok(known);
  assert.deepEqual(judge(doesNot), known);
  assert.equal(judge(pays), undefined);
});

test('the share that is asked all the same follows from the ID of the auction alone', () => {
  const lots = Array.from({ length: 5000 }, () => randomUUID());
  const [one, other] = [smallWorth().worth, smallWorth(outcomesMemory(1 << 12, 8)).worth];
  const explored = lots.filter((auctionId) => one.of(supply, { ...shown, auctionId }).explores(pays));
  const again = lots.filter((auctionId) => other.of(supply, { ...shown, auctionId }).explores(pays));
  assert.deepEqual(again, explored);
  assert.ok(explored.length > 250 && explored.length < 450, `${explored.length} of 5000`);
});

test('law: estimates are amounts, and a place whose last calls all paid is asked', () => {
  const call = fc.record({
    demand: fc.constantFrom(pays, doesNot),
    site: fc.constantFrom('a.example', 'b.example', ''),
    nanos: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 10_000_000 })),
    times: fc.integer({ min: 1, max: 200 }),
  });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 30 }), (calls) => {
      const { learn, judge } = smallWorth();
      for (const { demand, site, nanos, times } of calls) {
        learn(demand, nanos, times, { site });
        const estimate = judge(demand, { site });
        if (!estimate) continue;
        assert.ok(estimate.expectedNanos >= 0 && estimate.expectedNanos <= estimate.leastNanos);
        assert.ok(estimate.chance >= 0 && estimate.chance <= 1);
      }
      learn(pays, 10_000_000, 200, { site: 'a.example' });
      assert.equal(judge(pays, { site: 'a.example' }), undefined);
    }),
    seeded(100),
  );
});
