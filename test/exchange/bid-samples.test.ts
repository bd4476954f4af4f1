import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Auction, newCandidate } from '../../src/exchange/auction/auction.ts';
import { createBidSamples } from '../../src/exchange/explain/bid-samples.ts';
import { type Reason, refuse } from '../../src/exchange/reasons.ts';
import { randomStream } from '../support/seed.ts';
import { opportunityWith, unrestrictedDemand, unrestrictedSupply } from './unrestricted.ts';

const hourMs = 3_600_000;
type Bids = readonly (readonly [priceCpmMicros: number, refusal?: Reason])[];

function auctionWith(bids: Bids, members: Parameters<typeof opportunityWith>[0] = {}) {
  const supply = unrestrictedSupply('VastTag', { id: 1 });
  const candidates = bids.map(([priceCpmMicros, reason]) => ({
    ...newCandidate(unrestrictedDemand('Campaign', { id: 1 })),
    bid: { priceCpmMicros },
    refusal: reason && refuse(reason),
  }));
  const opportunity = opportunityWith({ country: 'DE', timeMs: 5 * hourMs, ...members });
  return { supply, opportunity, candidates } as unknown as Auction;
}

test('keeps bids that a floor could sell, the highest first, with the floor of the request alone', () => {
  const cases: readonly (readonly [
    Bids,
    floorOfAuction: number,
    ofRequest: number,
    kept: readonly number[],
  ])[] = [
    [[[2], [5, 'lost'], [1, 'below_floor']], 0, 0, [0, 5, 2, 1]],
    [[[2], [9, 'domain_blocked']], 3, 0, [0, 2]],
    [[[7]], 4, 4, [4, 7]],
    [[[1], [2], [3], [4], [5], [6]], 0, 0, [0, 6, 5, 4, 3, 2]],
  ];
  for (const [bids, floorCpmMicros, ofRequest, kept] of cases) {
    const samples = createBidSamples(() => 0);
    const requestFloor = { floorCpmMicros: ofRequest };
    samples.note(auctionWith(bids, { floorCpmMicros, requestFloor }));
    const [sample] = samples.take();
    assert.deepEqual(sample, {
      hour: 5,
      kind: 'VastTag',
      id: 1,
      country: 'DE',
      auctions: 1,
      sampled: [kept],
    });
  }
});

test('nothing is kept of tests, of auctions without bids, or whose bids no floor could sell', () => {
  const samples = createBidSamples(() => 0);
  samples.note(auctionWith([]));
  samples.note(auctionWith([[3, 'not_secure']]));
  samples.note(auctionWith([[3]], { isTest: true }));
  assert.deepEqual(samples.take(), []);
});

test('counts all, keeps 16, each as likely as the others; an hour that is over is told once', () => {
  const random = randomStream();
  const times = new Array<number>(100).fill(0);
  for (let round = 0; round < 500; round += 1) {
    const samples = createBidSamples(random);
    for (let price = 1; price <= 100; price += 1) samples.note(auctionWith([[price]]));
    const [sample] = samples.take();
    assert.deepEqual([sample?.auctions, sample?.sampled.length], [100, 16]);
    for (const [, price = 0] of sample?.sampled ?? []) times[price - 1] = (times[price - 1] ?? 0) + 1;
  }
  assert.ok(
    times.every((count) => count > 40 && count < 130),
    times.join(),
  );
  const samples = createBidSamples(random);
  samples.note(auctionWith([[1]]));
  assert.equal(samples.take().length, 1);
  assert.equal(samples.take().length, 0, 'nothing new');
  samples.note(auctionWith([[2]]));
  samples.note(auctionWith([[3]], { timeMs: 6 * hourMs }));
  assert.deepEqual(
    samples.take().map(({ hour, auctions }) => [hour, auctions]),
    [
      [5, 2],
      [6, 1],
    ],
  );
  assert.deepEqual(samples.take(), []);
});

test('has bounded memory, whatever countries come', () => {
  const samples = createBidSamples(() => 0);
  for (let at = 0; at < 5000; at += 1) samples.note(auctionWith([[1]], { country: `c${at}` }));
  assert.equal(samples.take().length, 2000);
});
