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
    what: 'first price: never above the bid, of which a millionth counts',
    tag: { Bidfloor: 1, PublisherProfitShare: 100 },
    demand: { fine: bidder({ price: 4.0000007 }) },
    winner: 'fine',
    bids: 1,
    spent: 0.004,
    revenue: 0.004,
  },
  {
    what: 'a bid just below the floor does not reach it',
    tag: { Bidfloor: 4 },
    demand: { below: bidder({ price: 3.9999998 }) },
    outcome: 'below_floor',
    refused: { below: ['below_floor', 'Bidfloor'] },
    bids: 1,
  },
  {
    what: 'the floor that the URL tells, written with an exponent',
    macros: { bidfloor: '450e-2' },
    demand: { below: bidder({ price: 4.4 }) },
    outcome: 'below_floor',
    refused: { below: ['below_floor', 'Bidfloor'] },
    bids: 1,
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
    what: 'a bid of which the markup is broken is no second bid',
    tag: { AuctionType: 2, Bidfloor: 1 },
    demand: { high: priced(4), broken: bidder({ price: 3.9, adm: '<VAST' }), low: priced(3) },
    winner: 'high',
    refused: { broken: ['invalid_creative', ''], low: ['lost', ''] },
    bids: 3,
    revenue: 0.00301,
  },
  {
    what: 'the next one wins where the markup of the highest bid is broken',
    tag: { Bidfloor: 1 },
    demand: { broken: bidder({ price: 3.9, adm: '<VAST' }), low: priced(3) },
    winner: 'low',
    refused: { broken: ['invalid_creative', ''] },
    bids: 2,
    revenue: 0.003,
  },
  {
    what: 'the markup of a bidder that is outbid is not read',
    tag: { Bidfloor: 1 },
    demand: { high: priced(4), broken: bidder({ price: 3.9, adm: '<VAST' }) },
    winner: 'high',
    refused: { broken: ['lost', ''] },
    bids: 2,
    revenue: 0.004,
  },
  {
    what: 'an ad that is there already is judged also where it is outbid',
    tag: { Secure: 1 },
    demand: {
      high: campaign({ Cpm: 4 }),
      insecure: campaign({ Cpm: 3, MediaUrl: 'http://cdn.example/film.mp4' }),
    },
    winner: 'high',
    refused: { insecure: ['not_secure', 'Secure'] },
    bids: 2,
    revenue: 0.004,
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
    what: 'what is finer than a micro is cut off, and a small price is counted whole',
    tag: { PublisherProfitShare: 100 },
    demand: { it: bidder({ price: 0.000_001_4 }) },
    winner: 'it',
    bids: 1,
    spent: 0.000_000_001,
    revenue: 0.000_000_001,
  },
];

testRows('prices', () => ({ room, dsp, lists: new Map() }), rows);
