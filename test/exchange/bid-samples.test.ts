import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Auction, newCandidate } from '../../src/exchange/auction/auction.ts';
import { createBidSamples } from '../../src/exchange/explain/bid-samples.ts';
import { type Reason, refuse } from '../../src/exchange/reasons.ts';
import { compiledFloorRule, type FloorRule } from '../../src/exchange/snapshot/floor-rule.ts';
import { randomStream } from '../support/seed.ts';
import { objectWith } from './targeting/samples.ts';
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

/** An auction that meets rules, with bids of DSP RTB EPs; one of them under a deal. */
function ruledAuction(rules: readonly FloorRule[], supplyValues: object, bids: readonly object[]): Auction {
  const supply = { ...unrestrictedSupply('VastTag', { id: 1 }), auctionType: 2, ...supplyValues };
  const met = rules.map((rule) => ({ rule, isControl: rule.id === 3 }));
  const otherwise = { floorCpmMicros: 200 };
  const opportunity = opportunityWith({
    timeMs: 5 * hourMs,
    requestFloor: { floorCpmMicros: 50 },
    ruleFloors: { met, rules: [], otherwise },
  });
  const candidates = bids.map((bid, at) => {
    const demand = unrestrictedDemand('DspRtbEp', { id: at + 1 });
    return { ...newCandidate(demand), bid: { demand, media: 'video', adDomains: [], ...bid } };
  });
  return { supply, opportunity, candidates, isRuled: true } as unknown as Auction;
}

test('keeps for rules with Auto the bids that they decide about, and what else would have won', () => {
  const ruleWith = (id: number, values: Record<string, unknown>) =>
    compiledFloorRule(objectWith('FloorRule', { Auto: 1, AutoMax: 5, ...values }, { id }));
  const bids = [{ priceCpmMicros: 400 }, { priceCpmMicros: 900 }, { priceCpmMicros: 600 }];
  const deal = [...bids, { priceCpmMicros: 2000, deal: {} }];
  const cases: readonly (readonly [
    what: string,
    rules: readonly FloorRule[],
    supply: object,
    bids: readonly object[],
    kept: Readonly<Record<number, readonly number[]>>,
  ])[] = [
    ['the best two', [ruleWith(1, {})], {}, bids, { 1: [50, 900, 600, 0] }],
    ['no deals', [ruleWith(1, {})], {}, deal, { 1: [50, 900, 600, 2000] }],
    ['first price', [ruleWith(1, {})], { auctionType: 1 }, bids, { 1: [50, 900, 900, 0] }],
    ['only with Auto', [ruleWith(1, { Auto: 0 })], {}, bids, {}],
    [
      "some bidders' and all others'",
      [ruleWith(1, { DspRtbEps: [1] }), ruleWith(2, {})],
      {},
      bids,
      { 1: [50, 400, 0, 900], 2: [50, 900, 600, 400] },
    ],
    [
      'of the control group what the rule would decide about',
      [ruleWith(3, { DspRtbEps: [2] }), ruleWith(2, {})],
      {},
      bids,
      { 3: [50, 900, 0, 600], 2: [50, 900, 600, 0] },
    ],
    [
      'of the price what the publisher gets',
      [ruleWith(1, { Net: 1 })],
      { publisherProfitShare: 50 },
      bids,
      { 1: [50, 550, 400, 0] },
    ],
  ];
  for (const [what, rules, supply, all, kept] of cases) {
    const samples = createBidSamples(() => 0);
    samples.note(ruledAuction(rules, supply, all));
    const ofRules = samples.take().filter(({ kind }) => kind === 'FloorRule');
    assert.deepEqual(Object.fromEntries(ofRules.map(({ id, sampled }) => [id, sampled[0]])), kept, what);
  }
});

test('has bounded memory, whatever countries come', () => {
  const samples = createBidSamples(() => 0);
  for (let at = 0; at < 5000; at += 1) samples.note(auctionWith([[1]], { country: `c${at}` }));
  assert.equal(samples.take().length, 2000);
});
