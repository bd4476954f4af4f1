import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { type MockDsp, requestIn, startMockDsp } from './mock-dsp.ts';
import { openVastRoom, type VastRoom } from './vast-room.ts';
import { bidder, campaign, priced, type Row, testRows } from './vast-rows.ts';

let room: VastRoom;
let dsp: MockDsp;

before(async () => {
  [room, dsp] = await Promise.all([openVastRoom(), startMockDsp()]);
});
after(() => Promise.all([room.close(), dsp.close()]));

const rows: readonly Row[] = [
  {
    what: 'first price: the bid; the publisher gets the floor and its share of the rest',
    tag: { Bidfloor: 1, PublisherProfitShare: 50 },
    demand: { high: priced(4), low: priced(3) },
    winner: 'high',
    refused: { low: ['lost', ''] },
    bids: 2,
    spent: 0.0025,
    revenue: 0.004,
  },
  {
    what: 'second price plus: 0.01 above the second bid',
    tag: { AuctionType: 2, Bidfloor: 1, PublisherProfitShare: 50 },
    demand: { low: priced(3), high: priced(4) },
    winner: 'high',
    bids: 2,
    spent: 0.002005,
    revenue: 0.00301,
  },
  {
    what: 'second price plus: not below the floor',
    tag: { AuctionType: 2, Bidfloor: 2, PublisherProfitShare: 100 },
    demand: { only: priced(4) },
    winner: 'only',
    bids: 1,
    spent: 0.002,
    revenue: 0.002,
  },
  {
    what: 'second price plus: never above the bid',
    tag: { AuctionType: 2, Bidfloor: 1 },
    demand: { high: priced(4), close: priced(3.995) },
    winner: 'high',
    bids: 2,
    spent: 0.001,
    revenue: 0.004,
  },
  {
    what: 'a bid that is refused is no second bid',
    tag: { AuctionType: 2, Bidfloor: 1, AdDomainsBrandsBlacklist: 'brand.example' },
    demand: { high: priced(4), refused: campaign({ Cpm: 3.9 }) },
    winner: 'high',
    refused: { refused: ['domain_blocked', 'AdDomainsBrandsBlacklist'] },
    bids: 2,
    revenue: 0.001,
  },
  {
    what: 'a bidder with an auction type of its own is told that one, and pays by it',
    tag: { AuctionType: 1, Bidfloor: 1 },
    demand: { bidder: bidder({ price: 4 }, { AuctionType: 2 }), low: priced(3) },
    winner: 'bidder',
    bids: 2,
    revenue: 0.00301,
    document: (_, calls) => assert.equal(requestIn(calls('bidder')).at, 2),
  },
  {
    what: "a bidder without one is told the tag's, and pays by it",
    tag: { AuctionType: 2, Bidfloor: 1 },
    demand: { bidder: bidder({ price: 4 }, { AuctionType: 0 }), low: priced(3) },
    winner: 'bidder',
    bids: 2,
    revenue: 0.00301,
    document: (_, calls) => assert.equal(requestIn(calls('bidder')).at, 2),
  },
  {
    what: 'a bidder that is told of a first price pays its bid',
    tag: { AuctionType: 2, Bidfloor: 1 },
    demand: { bidder: bidder({ price: 4 }, { AuctionType: 1 }), low: priced(3) },
    winner: 'bidder',
    bids: 2,
    revenue: 0.004,
    document: (_, calls) => assert.equal(requestIn(calls('bidder')).at, 1),
  },
  {
    what: 'the floor that a bidder is told has the margin on it; the floor that is judged by has not',
    tag: { Bidfloor: 2, DspBidfloorMargin: 25 },
    demand: { bidder: bidder({ price: 2.1 }) },
    winner: 'bidder',
    bids: 1,
    spent: 0.002,
    revenue: 0.0021,
    document: (_, calls) => assert.equal(requestIn(calls('bidder')).imp[0]?.bidfloor, 2.5),
  },
  {
    what: 'a CPM of half a micro is rounded, and a small price is counted whole',
    tag: { PublisherProfitShare: 100 },
    demand: { it: bidder({ price: 0.000_001_4 }) },
    winner: 'it',
    bids: 1,
    spent: 0.000_000_001,
    revenue: 0.000_000_001,
  },
];

testRows('prices', () => ({ room, dsp, lists: new Map() }), rows);
