import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  createPodChooser,
  isSeparated,
  type PodBid,
  type PodBounds,
  podBidsMax,
} from '../../../src/exchange/auction/choose-pod.ts';
import { compareBids } from '../../../src/exchange/auction/clear.ts';

const openBid = fc.record({
  priceCpmMicros: fc.integer({ min: 1, max: 40 }),
  durationMs: fc.constantFrom(6000, 10_000, 15_000, 20_000, 30_000, 45_500, 60_000),
  slot: fc.constantFrom<PodBid['slot']>(0, 0, 0, 1, -1, 2),
  separatedBy: fc.uniqueArray(fc.constantFrom('a.example', 'b.example', 'c.example', 'IAB1', 'IAB2'), {
    maxLength: 2,
  }),
});
const bid: fc.Arbitrary<PodBid> = fc
  .tuple(openBid, fc.constantFrom(1, 5, 10))
  .map(([open, priority]) => ({ ...open, priority }));
const bounds: fc.Arbitrary<PodBounds> = fc.record({
  durationMsMax: fc.constantFrom(15_000, 30_000, 60_000, 90_000, Number.POSITIVE_INFINITY),
  adsMax: fc.integer({ min: 1, max: 8 }),
});

const sumOf = (bids: readonly PodBid[]) => bids.reduce((sum, { priceCpmMicros }) => sum + priceCpmMicros, 0);
const lengthOf = (bids: readonly PodBid[]) => bids.reduce((sum, { durationMs }) => sum + durationMs, 0);

/** By the words of the rules. */
function isAllowed(bids: readonly PodBid[], { durationMsMax, adsMax }: PodBounds): boolean {
  const wanting = (...slots: readonly number[]) => bids.filter(({ slot }) => slots.includes(slot)).length;
  const pairs = bids.flatMap((one, place) => bids.slice(place + 1).map((other) => [one, other] as const));
  return (
    bids.length <= adsMax &&
    lengthOf(bids) <= durationMsMax &&
    wanting(1) <= 1 &&
    wanting(-1) <= 1 &&
    wanting(1, -1, 2) <= 2 &&
    !pairs.some(([one, other]) => isSeparated(one, other))
  );
}

/** Beside those that are taken. */
function bestByForce(bids: readonly PodBid[], within: PodBounds, taken: readonly PodBid[] = []): number {
  let best = 0;
  for (let set = 1; set < 2 ** bids.length; set += 1) {
    const some = bids.filter((_, place) => (set >> place) % 2 === 1);
    if (sumOf(some) > best && isAllowed([...taken, ...some], within)) best = sumOf(some);
  }
  return best;
}

const ranked = (bids: readonly PodBid[]) => bids.toSorted(compareBids);

test('10,000 drawn pods of up to eight bids bring as much as the best of all sets', () => {
  fc.assert(
    fc.property(fc.array(openBid, { maxLength: 8 }), bounds, (bids, within) => {
      const chosen = createPodChooser(within)(ranked(bids));
      assert.ok(isAllowed(chosen, within));
      assert.equal(sumOf(chosen), bestByForce(bids, within));
      for (const [place, { slot }] of chosen.entries()) {
        const [isFirst, isLast] = [place === 0, place === chosen.length - 1];
        assert.ok(
          slot === 0 || (slot !== -1 && isFirst) || (slot !== 1 && isLast),
          'a place that was not bought',
        );
      }
    }),
    { numRuns: 10_000 },
  );
});

test('each priority brings as much as the best of all sets beside what higher ones have taken', () => {
  fc.assert(
    fc.property(fc.array(bid, { maxLength: 8 }), bounds, (bids, within) => {
      const chosen = createPodChooser(within)(ranked(bids));
      assert.ok(isAllowed(chosen, within));
      for (const priority of [1, 5, undefined]) {
        const taken = chosen.filter((one) => (one.priority ?? 0) < (priority ?? 0));
        const own = (some: readonly PodBid[]) => some.filter((one) => one.priority === priority);
        assert.equal(sumOf(own(chosen)), bestByForce(own(bids), within, taken), `of priority ${priority}`);
      }
    }),
    { numRuns: 10_000 },
  );
});

test('searches of an auction end, however the bids are made', () => {
  const within = { durationMsMax: 100_000, adsMax: 20 };
  const hostile = Array.from({ length: podBidsMax }, (_, place) => ({
    priceCpmMicros: 1_000_000 - place,
    durationMs: 10_007 + ((place * 7919) % 997),
    slot: 0 as const,
    separatedBy: [`${place % 15}`],
  }));
  const choose = createPodChooser(within);
  const began = performance.now();
  for (let round = 0; round < podBidsMax; round += 1) {
    const chosen = choose(hostile.slice(round));
    assert.ok(chosen.length > 0 && isAllowed(chosen, within));
  }
  const tookMs = performance.now() - began;
  assert.ok(tookMs < 2000, `${tookMs} ms`);
});
