import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Candidate, newCandidate } from '../../../src/exchange/auction/auction.ts';
import { countAuction } from '../../../src/exchange/auction/report-auction.ts';
import { newAuction } from '../../../src/exchange/auction/run-auction.ts';
import { createConsentReader } from '../../../src/exchange/consent/viewer-consent.ts';
import type { LostBid } from '../../../src/exchange/demand/demand-kind.ts';
import { reasons, refuse } from '../../../src/exchange/reasons.ts';
import { type CounterName, noCounts } from '../../../src/reference/counters.ts';
import { measures } from '../../../src/reference/measures.ts';
import type { CountedPart } from '../../../src/statistics/events.ts';
import { seeded } from '../../support/seed.ts';
import { bidOf, demandOf, opportunity, supplyOf } from '../demand/examples.ts';
import { unsetTeam } from '../unrestricted.ts';

const reason = fc.constantFrom(...(Object.keys(reasons) as (keyof typeof reasons)[]));
const price = fc.integer({ min: 1, max: 1_000_000_000 });
const bid = price.map((priceCpmMicros) => bidOf({ priceCpmMicros }));
const refusal = reason.map((one) => refuse(one));
const refusedBid = fc.record({ bid, refusal });
const lostBid = fc
  .record({ refusal, priced: fc.option(price, { nil: undefined }) })
  .map(({ refusal: why, priced }): LostBid => {
    const known = priced === undefined ? {} : { priceCpmMicros: priced };
    return { impId: '1', bidId: '', seat: '', lossUrl: '', refusal: why, ...known };
  });
const some = <T>(of: fc.Arbitrary<T>) => fc.array(of, { maxLength: 4 });

/** What may become of demand: it was not asked, bid without a call, or was called, with any number of bids. */
const candidate = fc
  .record({
    isAsked: fc.boolean(),
    isCalled: fc.boolean(),
    bid: fc.option(bid, { nil: undefined }),
    refusal: fc.option(refusal, { nil: undefined }),
    refused: some(refusedBid),
    further: some(bid),
    lost: some(lostBid),
  })
  .map((drawn): Candidate => {
    const one = newCandidate(demandOf('DspRtbEp'));
    if (!drawn.isAsked) return { ...one, refusal: drawn.refusal ?? refuse('inactive') };
    const why = drawn.bid ? drawn.refusal : (drawn.refusal ?? refuse('no_bid'));
    if (!drawn.isCalled) return { ...one, isAsked: true, bid: drawn.bid, refusal: why };
    const answered = drawn.bid ? drawn : { ...drawn, refused: [], further: [] };
    return { ...one, ...answered, refusal: why };
  });

/** What an auction of these candidates counts of demand. */
function countedOf(candidates: readonly Candidate[]): Record<CounterName, number> {
  const counts = { ...noCounts };
  const add = (parts: readonly CountedPart[]) => {
    for (const { demand, counts: some } of parts)
      for (const [name, by] of some) if (demand) counts[name] += by;
  };
  const auction = newAuction(supplyOf('VastTag'), opportunity, {
    region: 'us-east',
    teamOf: () => unsetTeam,
    consent: createConsentReader({ of: () => undefined }),
  } as never);
  auction.candidates = [...candidates];
  const events = {
    countAll: (_of: unknown, parts: readonly CountedPart[]) => add(parts),
    refuse: (_pair: unknown, _reason: unknown, _timeMs: number, { count: by, lostNanos }: typeof refused) => {
      counts.refusals += by;
      counts.lostNanos += lostNanos;
    },
  };
  countAuction(auction, { events, quality: { count: () => undefined } } as never);
  return counts;
}
const refused = { count: 0, lostNanos: 0 };

test('rates are at most 100 %, and no refused bid was worth more than all bids', () => {
  fc.assert(
    fc.property(fc.array(candidate, { maxLength: 8 }), (candidates) => {
      const counts = countedOf(candidates);
      const { calls, answers, timeouts, errors, noBids, bids, uncalledBids, bidNanos, lostNanos } = counts;
      assert.equal(calls, answers + timeouts + errors);
      assert.ok(noBids <= answers && uncalledBids <= bids);
      for (const { of } of [measures.BidRate, measures.TimeoutRate]) {
        const rate = of(counts) ?? 0;
        assert.ok(rate >= 0 && rate <= 100, String(rate));
      }
      const all = candidates.flatMap(({ bid: best, refused: others, further, lost }) => [
        ...[best, ...others.map((one) => one.bid), ...further, ...lost].filter((one) => one !== undefined),
      ]);
      assert.equal(bids, all.length);
      assert.equal(
        bidNanos,
        all.reduce((sum, { priceCpmMicros = 0 }) => sum + priceCpmMicros, 0),
      );
      assert.ok(lostNanos <= bidNanos);
    }),
    seeded(2000),
  );
});
