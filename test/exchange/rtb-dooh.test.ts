import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fillMacros, macroOf } from '../../src/protocols/openrtb/macros.ts';
import { faultsOfRequest } from '../protocols/openrtb/bid-request-schema.ts';
import { type Bidder, startBidder } from './bidder.ts';
import { type Values, zoneUrl } from './exchange-room.ts';
import { type AnsweredBid, bannerImp, openRtbRoom, post, type RtbRoom, requestOf } from './rtb-room.ts';

let room: RtbRoom;
let dsp: Bidder;
let demandId = 0;
before(async () => {
  room = await openRtbRoom();
  const billing = `DSP_URL/bill?price=${macroOf('PRICE')}&times=${macroOf('MULTIPLIER')}`;
  dsp = await startBidder(({ id }) => ({ adm: '<p>x</p>', burl: `${billing}&of=${id}` }));
  demandId = (await room.dsp({ ZoneUrlUsEast: dsp.url })).Id;
});
after(async () => {
  await dsp.close();
  await room.close();
});

const dooh = { id: 'd1', name: 'Station', venuetype: ['12'], venuetypetax: 1, domain: 'screens.example' };
const screenOf = (multiplier: unknown, members: object = {}) =>
  requestOf([{ ...bannerImp, bidfloor: 1, dt: 1.5e12, qty: { multiplier, sourcetype: 1, vendor: 'v' } }], {
    site: undefined,
    dooh,
    ...members,
  });

const impressionIn = ({ adm }: AnsweredBid) =>
  /http[^"]*\/track\/impression\?t=[\w.:~-]+/.exec(adm)?.[0] ?? '';

test('a screen outside the home goes on as one', async () => {
  const url = zoneUrl(await room.endpoint({ DspRtbEps: [demandId] }));
  await room.served();
  const from = dsp.requests.length;
  await post(url, screenOf(12.5));
  const sent = dsp.requests[from];
  assert.deepEqual(faultsOfRequest(sent), []);
  assert.partialDeepStrictEqual(sent, {
    dooh: { name: 'Station', venuetype: ['12'], venuetypetax: 1, domain: 'screens.example' },
    imp: [{ qty: { multiplier: 12.5, sourcetype: 1, vendor: 'v' }, dt: 1.5e12 }],
  });
  assert.deepEqual([sent?.site, sent?.app], [undefined, undefined]);
});

describe('one showing counts once, and costs as many impressions as it is seen', () => {
  interface Case {
    readonly name: string;
    readonly method: 0 | 1 | 2;
    readonly multiplier: number;
    readonly call: (bid: AnsweredBid) => string;
    /** Impressions, and USD: the bid is 3 USD CPM, the floor 1, the share 50 %. */
    readonly counted: readonly [impressions: number, spent: number, revenue: number];
  }
  const cases: readonly Case[] = [
    { name: 'shown', method: 2, multiplier: 12.5, call: impressionIn, counted: [1, 0.025, 0.0375] },
    { name: 'won', method: 0, multiplier: 12.5, call: ({ nurl }) => nurl, counted: [0, 0.025, 0.0375] },
    { name: 'billed', method: 1, multiplier: 0.5, call: ({ burl = '' }) => burl, counted: [0, 0.001, 0.0015] },
    { name: 'won for less', method: 0, multiplier: 10, call: ({ nurl }) => fillMacros(nurl, { PRICE: '1.5', CURRENCY: 'USD' }), counted: [0, 0.015, 0.03] },
    { name: 'at the bound', method: 2, multiplier: 10_000, call: impressionIn, counted: [1, 20, 30] },
    { name: 'next to nothing', method: 2, multiplier: 1e-12, call: impressionIn, counted: [1, 0.000000002, 0.000000003] },
  ]; // biome-ignore format: a table
  for (const { name, method, multiplier, call, counted } of cases) {
    test(`${name}, ${multiplier} times`, async () => {
      const demand = await room.dsp({ ZoneUrlUsEast: dsp.url });
      const rtbEp = await room.endpoint({
        PublisherProfitShare: 50,
        RevenueCountingMethod: method,
        DspRtbEps: [demand.Id],
      });
      await room.served();
      const [bid] = (await post(zoneUrl(rtbEp), screenOf(multiplier))).bids;
      assert.ok(bid);
      assert.equal(bid.price, 2, 'a price is for one impression');
      await fetch(call(bid));
      const heard = await dsp.noticed('/bill');
      const row = await room.statistics(rtbEp, ({ Bills }) => Number(Bills) > 0);
      assert.deepEqual([row.NetImpressions, row.Spent, row.Bills], [counted[0], counted[1], 1]);
      const paid = await room.statistics(demand, ({ Bills }) => Number(Bills) > 0);
      assert.equal(paid.Revenue, counted[2]);
      assert.match(heard, /price=3&times=/);
    });
  }

  for (const [side, ofSupply, ofDemand] of [
    ['demand', {}, { RevenueDailyLimit: 0.05 }],
    ['supply', { SpentDailyLimit: 0.03 }, {}],
  ] as const) {
    test(`and promises as much of a limit of ${side}: what fits once does not fit many times`, async () => {
      const demand = await room.dsp({ ZoneUrlUsEast: dsp.url, ...ofDemand });
      const rtbEp = await room.endpoint({ PublisherProfitShare: 50, ...ofSupply, DspRtbEps: [demand.Id] });
      await room.served();
      const bids = async (multiplier: number) =>
        (await post(zoneUrl(rtbEp), screenOf(multiplier))).bids.length;
      assert.deepEqual([await bids(20), await bids(12.5), await bids(12.5), await bids(0.5)], [0, 1, 0, 1]);
    });
  }

  test('the bidder hears how often', async () => {
    const rtbEp = await room.endpoint({ RevenueCountingMethod: 2, DspRtbEps: [demandId] });
    await room.served();
    const from = dsp.notices.length;
    const [bid] = (await post(zoneUrl(rtbEp), screenOf(7.25))).bids;
    assert.ok(bid);
    await fetch(impressionIn(bid));
    await dsp.noticed(`/bill?price=3&times=7.25&of=${bid.id}`);
    assert.ok(dsp.notices.length > from);
  });
});

test('a multiplier that is none leaves its impression out by name', async () => {
  const url = zoneUrl(await room.endpoint({ DspRtbEps: [demandId] }));
  await room.served();
  for (const multiplier of [0, -1, 10_000.01, '2', null]) {
    const request = screenOf(multiplier) as { imp: Values[] };
    const { status, bids, body } = await post(url, {
      ...request,
      imp: [...request.imp, { id: 'x', ...bannerImp }],
    });
    assert.equal(status, 200);
    assert.deepEqual(
      bids.map(({ impid }) => impid),
      ['x'],
    );
    assert.partialDeepStrictEqual(body?.ext, {
      dropped: [{ imp: 0, id: '1', path: 'imp[0].qty.multiplier' }],
    });
    assert.equal((await post(url, request)).status, 400);
  }
});

describe('screens are found by what fields there are', () => {
  const cases: readonly (readonly [name: string, campaign: Values, status: number])[] = [
    ['device type 8, an OOH device', { DeviceTypes: [8] }, 200],
    ['a phone', { DeviceTypes: [4] }, 204],
    ['neither sites nor apps', { WebEnabled: 0, AppEnabled: 0 }, 200],
    ['categories', { IabCategories: ['IAB1'] }, 204],
  ];
  for (const [name, values, status] of cases) {
    test(`${name}: ${status}`, async () => {
      const { Id } = await room.campaign({ Type: 2, ...values });
      const url = zoneUrl(await room.endpoint({ Campaigns: [Id] }));
      await room.served();
      assert.equal((await post(url, screenOf(2, { device: { ua: 'screen' } }))).status, status);
    });
  }
});
