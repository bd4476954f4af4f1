import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { clearingPrices, lotOf, rankBids } from '../../../src/exchange/auction/clear.ts';
import { randomFrom, seeded } from '../../support/seed.ts';

const priced = (priceCpmMicros: number) => ({ priceCpmMicros });
const drawn = (bid: ReturnType<typeof priced>, random: () => number) => ({ ...bid, lot: lotOf(100, random) });
const usd = (cpm: number) => Math.round(cpm * 1_000_000);

describe('prices', () => {
  const cases: readonly [
    name: string,
    bids: readonly number[],
    terms: readonly [type: 1 | 2, floor: number, share: number],
    clearing: number,
    payout: number,
  ][] = [
    ['first price', [3, 2], [1, 1, 50], 3, 2],
    ['second price plus', [3, 2], [2, 1, 50], 2.01, 1.505],
    ['second below the floor', [3, 0.5], [2, 1, 50], 1, 1],
    ['second just below the winner', [3, 2.995], [2, 1, 0], 3, 1],
    ['equal bids', [3, 3], [2, 1, 100], 3, 3],
    ['alone, with a floor', [3], [2, 1, 100], 1, 1],
    ['alone, without a floor', [3], [2, 0, 100], 0.01, 0.01],
    ['alone, for less than that', [0.004], [2, 0, 100], 0.004, 0.004],
    ['no share', [3], [1, 1, 0], 3, 1],
    ['no floor', [3], [1, 0, 80], 3, 2.4],
    ['all of it', [3], [1, 0, 100], 3, 3],
    ['a share in fractions, rounded down', [0.000_003], [1, 0, 33.333], 0.000_003, 0],
  ];
  for (const [
    name,
    [winner = 0, second],
    [auctionType, floor, publisherProfitShare],
    clearing,
    payout,
  ] of cases) {
    test(name, () => {
      const terms = { auctionType, floorCpmMicros: usd(floor), publisherProfitShare };
      const other = second === undefined ? undefined : priced(usd(second));
      assert.deepEqual(clearingPrices(priced(usd(winner)), other, terms), {
        clearingCpmMicros: usd(clearing),
        payoutCpmMicros: usd(payout),
      });
    });
  }
});

const price = fc.oneof(fc.nat(30), fc.nat(3_000_000), fc.nat(2_000_000_000), fc.constant(1_000_000_000_000));
const share = fc.oneof(fc.nat(100), fc.double({ min: 0, max: 100, noNaN: true }));
const auction = fc
  .record({
    bids: fc.array(price, { minLength: 1, maxLength: 6 }),
    floor: price,
    auctionType: fc.constantFrom(1, 2),
    share,
  })
  .filter(({ bids, floor }) => Math.max(...bids) >= floor);

test('laws of the prices', () => {
  fc.assert(
    fc.property(auction, fc.nat(), ({ bids, floor, auctionType, share: percent }, seed) => {
      const random = randomFrom(seed);
      const [winner, second] = rankBids(bids.map((one) => drawn(priced(one), random)));
      assert.ok(winner !== undefined);
      const terms = { auctionType, floorCpmMicros: floor, publisherProfitShare: percent } as const;
      const { clearingCpmMicros: clearing, payoutCpmMicros: payout } = clearingPrices(winner, second, terms);
      assert.ok(Number.isSafeInteger(clearing) && Number.isSafeInteger(payout));
      assert.equal(winner.priceCpmMicros, Math.max(...bids));
      assert.ok(floor <= clearing && clearing <= winner.priceCpmMicros);
      assert.ok(clearing >= Math.min(second?.priceCpmMicros ?? 0, winner.priceCpmMicros));
      assert.ok(floor <= payout && payout <= clearing);
      const first = clearingPrices(winner, second, { ...terms, auctionType: 1 });
      assert.ok(clearing <= first.clearingCpmMicros && payout <= first.payoutCpmMicros);
      assert.equal(
        clearingPrices(winner, second, { ...terms, publisherProfitShare: 0 }).payoutCpmMicros,
        floor,
      );
      assert.equal(
        clearingPrices(winner, second, { ...terms, publisherProfitShare: 100 }).payoutCpmMicros,
        clearing,
      );
    }),
    seeded(1000),
  );
});

test('the rank is the same bids from the highest to the lowest', () => {
  fc.assert(
    fc.property(fc.array(price, { maxLength: 8 }), fc.nat(), (prices, seed) => {
      const random = randomFrom(seed);
      const bids = prices.map((one) => drawn(priced(one), random));
      const ranked = rankBids(bids);
      assert.deepEqual(new Set(ranked), new Set(bids));
      assert.deepEqual(
        ranked.map(({ priceCpmMicros }) => priceCpmMicros),
        prices.toSorted((one, other) => other - one),
      );
    }),
    seeded(500),
  );
});

test('equal bids come first as often as Weight says', () => {
  const random = randomFrom(1);
  const weights = { a: 100, b: 100, c: 300 };
  const firsts = { a: 0, b: 0, c: 0 };
  for (let auctions = 0; auctions < 5000; auctions += 1) {
    const bids = (['a', 'b', 'c'] as const).map((name) => ({
      name,
      priceCpmMicros: 5,
      lot: lotOf(weights[name], random),
    }));
    firsts[rankBids(bids)[0]?.name ?? 'a'] += 1;
  }
  for (const [name, times] of Object.entries(firsts)) {
    const expected = name === 'c' ? 3000 : 1000;
    assert.ok(Math.abs(times - expected) < 120, `${name}: ${times}`);
  }
});
