import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clearingPrices } from '../../src/exchange/auction/clear.ts';
import { type AuctionType, favouredFloor, floorCurve, isEnough } from '../../src/statistics/floors.ts';
import { randomStream, seeded } from '../support/seed.ts';

const usd = 1_000_000;
const stratum = (auctions: number, sampled: readonly (readonly number[])[]) => ({ auctions, sampled });

test('what a floor would have earned, by hand', () => {
  const strata = [
    stratum(20, [
      [0, 2 * usd, 1 * usd],
      [0, 1 * usd],
    ]),
    stratum(3, [[1.5 * usd, 3 * usd]]),
  ];
  const earned = (floor: number, type: AuctionType) => floorCurve(strata, floor, type).now;
  // CPM for 1,000: ten auctions stand for each of the first hour's, three for that of the second.
  const cases: readonly (readonly [floor: number, type: AuctionType, usd: number, sold: number])[] = [
    [0, 1, (10 * 2 + 10 * 1 + 3 * 3) / 1000, 100],
    [1.5, 1, (10 * 2 + 3 * 3) / 1000, (100 * 13) / 23],
    [2.5, 1, (3 * 3) / 1000, (100 * 3) / 23],
    [4, 1, 0, 0],
    [0, 2, (10 * 1.01 + 10 * 0.01 + 3 * 1.5) / 1000, 100],
    [1, 2, (10 * 1.01 + 10 * 1 + 3 * 1.5) / 1000, 100],
    [1.5, 2, (10 * 1.5 + 3 * 1.5) / 1000, (100 * 13) / 23],
  ];
  for (const [floor, type, wanted, sold] of cases) {
    const { revenue, soldPercent } = earned(floor, type);
    assert.ok(Math.abs(revenue.usd - wanted) < 1e-5, `${floor} at ${type}: ${revenue.usd}, not ${wanted}`);
    assert.ok(Math.abs(soldPercent - sold) < 1e-5);
    assert.ok(revenue.low <= revenue.usd && revenue.usd <= revenue.high);
  }
});

test('too little says nothing', () => {
  const auction = [0, usd];
  const many = (count: number) => [
    stratum(
      count,
      Array.from({ length: count }, () => auction),
    ),
  ];
  assert.deepEqual([isEnough(many(199)), isEnough(many(200)), isEnough([])], [false, true, false]);
});

test('the bounds hold what all auctions earn in most days, and a floor that is better by far is sure', () => {
  const random = randomStream();
  const sampleOf = (size: number) =>
    Array.from({ length: size }, () => {
      const first = Math.round(usd * (1 + random()));
      return [0, first, Math.round(first * random() * 0.3)];
    });
  let within = 0;
  const days = 60;
  for (let day = 0; day < days; day += 1) {
    const hours = Array.from({ length: 24 }, () => sampleOf(16).map((auction) => [...auction]));
    const curve = floorCurve(
      hours.map((sampled) => stratum(1000, sampled)),
      0.5,
      1,
    );
    // The price is 1.5 USD CPM on average.
    const wanted = (24 * 1000 * 1.5) / 1000;
    if (curve.now.revenue.low <= wanted && wanted <= curve.now.revenue.high) within += 1;
    assert.equal(curve.isSure, false, 'at first price a floor below all bids is as good as any');
    const second = floorCurve(
      hours.map((sampled) => stratum(1000, sampled)),
      0,
      2,
    );
    assert.ok(second.isSure && second.best.floor > 0.9 && second.gain.low > 0);
  }
  assert.ok(within >= days * 0.8, `${within} of ${days}`);
});

test('law: with every auction sampled, amounts are what the auctions themselves would have cleared at', () => {
  const micros = fc.integer({ min: 1, max: 5 * usd });
  const auction = fc.tuple(fc.constantFrom(0, usd), fc.array(micros, { minLength: 1, maxLength: 5 }));
  fc.assert(
    fc.property(
      fc.array(auction, { maxLength: 20 }),
      micros,
      fc.constantFrom(1, 2),
      (auctions, floor, type) => {
        const sorted = auctions.map(([own, bids]) => [own, ...bids.toSorted((one, other) => other - one)]);
        const strata = [stratum(sorted.length, sorted)];
        const wanted = sorted.reduce((sum, [own = 0, ...bids]) => {
          const least = Math.max(own, floor);
          const [winner, second] = bids
            .filter((price) => price >= least)
            .map((priceCpmMicros) => ({ priceCpmMicros }));
          const terms = { auctionType: type, floorCpmMicros: least, publisherProfitShare: 0 } as const;
          return sum + (winner ? clearingPrices(winner, second, terms).clearingCpmMicros : 0);
        }, 0);
        const { now } = floorCurve(strata, floor / usd, type as AuctionType);
        assert.ok(Math.abs(now.revenue.usd - wanted / 1e9) < 1e-6, `${now.revenue.usd}, not ${wanted / 1e9}`);
      },
    ),
    seeded(200),
  );
});

/** What a rule's floor earns with an auction, as one reads it. */
function soldByRule([own = 0, first = 0, second = 0, other = 0]: readonly number[], floor: number): number {
  const least = Math.max(own, floor);
  const isSold = first >= least && first >= other;
  if (!isSold) return other;
  return Math.min(first, Math.max(10_000 + Math.max(other, second >= least ? second : 0), least));
}

test('law: the floor that a rule finds is within its bounds, and no other floor there would surely earn more', () => {
  const price = fc.integer({ min: 0, max: 5 * usd });
  const auction = fc.tuple(fc.constantFrom(0, usd), price, price, fc.constantFrom(0, 0, 2 * usd));
  const bound = fc.integer({ min: 0, max: 500 }).map((cents) => cents / 100);
  fc.assert(
    fc.property(
      fc.array(auction, { minLength: 1, maxLength: 40 }),
      fc.tuple(bound, bound, bound),
      fc.constantFrom(1, 0.5, 1.0857),
      (some, three, usdPerUnit) => {
        const [least = 0, now = 0, most = 0] = three.toSorted((one, other) => one - other);
        const sampled = Array.from({ length: 200 }, (_, at) => some[at % some.length] ?? []);
        const found = favouredFloor([stratum(200, sampled)], { now, least, most, usdPerUnit }) ?? -1;
        assert.ok(found >= least && found <= most, `${found} is not from ${least} to ${most}`);
        const sum = (floor: number) =>
          sampled.reduce((all, one) => all + soldByRule(one, Math.round(floor * usdPerUnit * usd)), 0);
        if (found === now) return;
        for (const other of [least, now, most, Math.ceil(least), Math.floor(most)])
          if (other >= least && other <= most) assert.ok(sum(found) >= sum(other), `${other} earns more`);
      },
    ),
    seeded(200),
  );
});

test('a rule finds no floor by few auctions, and leaves one that is better by chance alone', () => {
  const bounds = { now: 1, least: 0.5, most: 3, usdPerUnit: 1 };
  const of = (count: number, sampled: readonly number[]) =>
    favouredFloor([stratum(count, Array<readonly number[]>(count).fill(sampled))], bounds);
  assert.equal(of(199, [0, 2 * usd, 0, 0]), undefined);
  assert.equal(of(200, [0, 2 * usd, 0, 0]), 2, 'at second price the floor is what the only bid pays');
  assert.equal(of(200, [0, 2 * usd, 2 * usd, 0]), 1, 'at first price no floor brings more');
  assert.equal(of(200, [0, 9 * usd, 0, 0]), 3, 'never above its bound');
  const lucky = [...Array<readonly number[]>(199).fill([0, usd, usd, 0]), [0, 2.9 * usd, 0, 0]];
  assert.equal(favouredFloor([stratum(200, lucky)], bounds), 1);
});
