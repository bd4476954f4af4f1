import assert from 'node:assert/strict';
import { after, before, describe, mock, test } from 'node:test';
import { fillMacros } from '../../src/protocols/openrtb/macros.ts';
import { faultsOfRequest, faultsOfResponse } from '../protocols/openrtb/bid-request-schema.ts';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { bidResponse, type DspAnswer, type DspCall, type MockDsp, startMockDsp, vastAd } from './mock-dsp.ts';
import { type AnsweredBid, openRtbRoom, post, type RtbRoom, requestOf } from './rtb-room.ts';

let room: RtbRoom;
let dsp: MockDsp;

/** Late on a day, when daily limits allow nearly all. */
const lateMs = Date.parse('2027-03-01T23:00:00Z');

before(async () => {
  mock.timers.enable({ apis: ['Date'], now: lateMs });
  room = await openRtbRoom();
  dsp = await startMockDsp();
});
after(async () => {
  await dsp.close();
  await room.close();
  mock.timers.reset();
});

/** A bid as a row: its price, seconds and what else it says. */
type Row = readonly [price: number, seconds: number, members?: Values];

const clock = (seconds: number) =>
  `00:${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
const domainOf = (price: number) => `brand${price}.example`;

/** Each of a brand and creative of its own unless it says more. */
function answerOf(path: string, rows: readonly Row[], call: DspCall): DspAnswer {
  const bids = rows.map(([price, seconds, members], place) => ({
    id: `b${place}`,
    price,
    adm: vastAd({ duration: clock(seconds) }),
    adomain: [domainOf(price)],
    crid: `c${price}`,
    nurl: `${dsp.url}${path}-win?crid=c${price}&price=\${AUCTION_PRICE}&id=\${AUCTION_ID}`,
    lurl: `${dsp.url}${path}-loss?crid=c${price}&code=\${AUCTION_LOSS}`,
    ...members,
  }));
  return bidResponse(call, bids);
}

let partners = 0;

/** A DSP that answers with these bids. */
async function bidder(
  rows: readonly Row[],
  values: Values = {},
): Promise<Stored & { readonly path: string }> {
  partners += 1;
  const path = `/pod-${partners}`;
  dsp.answer(path, (call) => answerOf(path, rows, call));
  return { ...(await room.dsp({ ZoneUrlUsEast: `${dsp.url}${path}`, ...values })), path };
}

const podImp = (members: Values = {}) => ({
  video: {
    mimes: ['video/mp4'],
    w: 640,
    h: 360,
    protocols: [2, 3, 5, 6],
    podid: 'p1',
    slotinpod: 2,
    poddur: 60,
    ...members,
  },
});

const pricesOf = (bids: readonly { readonly price: number }[]) => bids.map(({ price }) => price);

interface Told {
  readonly Outcome: string;
  readonly Rule: string;
  readonly Price: number | null;
  readonly Deal: object | null;
  readonly Pod: readonly {
    readonly Place: number;
    readonly Creative: string;
    readonly Price: number;
    readonly Deal: object | null;
  }[];
  readonly Refusals: readonly { readonly Rule: string; readonly Field: string }[];
}

async function told(entity: string, { Id }: Values): Promise<readonly Told[]> {
  const auctions = await room.call(`exchange/auctions?${entity}=${Id}`);
  const [{ Candidates } = { Candidates: [] }] = auctions as unknown as readonly {
    readonly Candidates: readonly Told[];
  }[];
  return Candidates;
}

describe('at /rtb a dynamic pod is filled by the set of bids that brings the most', () => {
  interface Case {
    readonly name: string;
    readonly bids: readonly (readonly Row[])[];
    readonly imp?: Values;
    readonly endpoint?: Values;
    readonly demand?: Values;
    readonly at?: 1 | 2;
    /** Prices in the order of the pod. */
    readonly answered: readonly number[];
    /** Reasons of the first bidder's other bids. */
    readonly rules?: readonly string[];
  }
  const cases: readonly Case[] = [
    { name: 'several bids of one answer', bids: [[[9, 30], [8, 15], [2, 15]]], answered: [9, 8, 2] },
    { name: 'bids of several answers', bids: [[[9, 30]], [[8, 30]], [[7, 30]]], answered: [9, 8] },
    { name: 'two short ones bring more than a long one', bids: [[[9, 60], [6, 30]], [[5, 30]]], answered: [6, 5], rules: ['pod_full '] },
    { name: 'by number', imp: { maxseq: 2, poddur: undefined }, bids: [[[9, 60], [6, 300], [5, 5]]], answered: [9, 6], rules: ['pod_full '] },
    { name: 'places that were bought', bids: [[[9, 15], [8, 15, { slotinpod: -1 }], [7, 15, { slotinpod: 1 }], [6, 15, { slotinpod: 1 }]]], answered: [7, 9, 8], rules: ['pod_full '] },
    { name: 'a place that is not guaranteed', imp: { slotinpod: 0 }, bids: [[[9, 15, { slotinpod: 1 }], [8, 15]]], answered: [8], rules: ['incorrect_format slotinpod'] },
    { name: 'advertisers apart', endpoint: { PodSeparation: 1 }, bids: [[[9, 15], [8, 15, { adomain: ['WWW.brand9.example'] }]], [[7, 15]]], answered: [9, 7], rules: ['pod_separation PodSeparation'] },
    { name: 'categories apart', endpoint: { PodSeparation: 2 }, bids: [[[9, 15, { cat: ['IAB1'] }], [8, 15, { cat: ['IAB1', 'IAB2'] }], [7, 15, { adomain: ['brand9.example'] }]]], answered: [9, 7], rules: ['pod_separation PodSeparation'] },
    { name: 'no separation', bids: [[[9, 15], [8, 15, { adomain: ['brand9.example'] }]]], answered: [9, 8] },
    { name: 'a price for each second', imp: { mincpmpersec: 0.2 }, bids: [[[9, 30], [3, 15], [2.5, 15]]], answered: [9, 3], rules: ['below_floor Bidfloor'] },
    { name: 'required lengths', imp: { rqddurs: [15, 30] }, bids: [[[9, 20], [8, 15], [7, 30]]], answered: [8, 7], rules: ['incorrect_format rqddurs'] },
    { name: 'an ad longer than the pod', bids: [[[9, 61], [8, 15]]], answered: [8], rules: ['incorrect_format poddur'] },
    { name: 'markup that is broken takes no others with it', bids: [[[9, 15, { adm: '<VAST' }], [8, 15], [7, 15, { adm: undefined }], [6, 15]]], answered: [8, 6], rules: ['invalid_creative '] },
    { name: 'a daily limit of impressions', demand: { ImpressionsDailyLimit: 2 }, bids: [[[9, 15], [8, 15], [7, 15]]], answered: [9, 8], rules: ['impressions_daily_limit ImpressionsDailyLimit'] },
    { name: 'a limit of the address', demand: { ImpressionsLimitPerIp: 1 }, bids: [[[9, 15], [8, 15]], [[7, 15]]], answered: [9, 7], rules: ['impressions_per_ip ImpressionsLimitPerIp'] },
    { name: 'a limit of money with room for a cheaper one', demand: { RevenueDailyLimit: 0.0115 }, bids: [[[9, 15], [8, 15], [2, 15]]], answered: [9, 2], rules: ['revenue_daily_limit RevenueDailyLimit'] },
    { name: 'a limit of payouts', endpoint: { SpentDailyLimit: 0.0175 }, bids: [[[9, 15], [8, 15], [7, 15]]], answered: [9, 8], rules: ['spent_daily_limit SpentDailyLimit'] },
    { name: 'a daily limit of bids', endpoint: { BidsDailyLimit: 1 }, bids: [[[9, 15], [8, 15]]], answered: [9], rules: ['bids_daily_limit BidsDailyLimit'] },
    { name: 'second price: what others would bring in its place', at: 2, demand: { AuctionType: 2 }, imp: { maxseq: 2 }, bids: [[[9, 15]], [[8, 15]], [[5, 15]]], answered: [5.01, 5.01] },
    { name: "second price: an answer's own bids raise none", at: 2, demand: { AuctionType: 2 }, imp: { maxseq: 1 }, bids: [[[9, 15], [8, 15]], [[5, 15]]], answered: [5.01], rules: ['pod_full '] },
    { name: 'second price: nobody is kept out', at: 2, demand: { AuctionType: 2 }, bids: [[[9, 15]], [[8, 15]]], answered: [0.01, 0.01] },
    { name: 'one ad, where no pod is named', imp: { podid: undefined, maxseq: 4 }, bids: [[[9, 15], [8, 15]]], answered: [9] },
  ]; // biome-ignore format: a table
  for (const { name, bids, imp, endpoint, demand: of, at = 1, answered, rules = [] } of cases) {
    test(name, async () => {
      const demand = await Promise.all(bids.map((rows) => bidder(rows, of)));
      const rtbEp = await room.endpoint({ DspRtbEps: demand.map(({ Id }) => Id), ...endpoint });
      await room.served();
      const answer = await post(zoneUrl(rtbEp), requestOf([podImp(imp)], { at }));
      assert.deepEqual(pricesOf(answer.bids).toSorted(), answered.toSorted());
      if (demand.length === 1) assert.deepEqual(pricesOf(answer.bids), answered, 'the order of the pod');
      assert.deepEqual(faultsOfResponse(answer.body ?? {}), []);
      assert.equal(new Set(answer.bids.map(({ id }) => id)).size, answered.length);
      const [first] = await told('RtbEp', rtbEp);
      assert.deepEqual([...new Set(first?.Refusals.map(({ Rule, Field }) => `${Rule} ${Field}`))], rules);
    });
  }
});

/** What is called for a bid that has won and is shown. */
async function show({ nurl, adm, price }: AnsweredBid): Promise<void> {
  const [impression = ''] = /http[^<\]]*\/track\/impression\?t=[\w.:~-]+/.exec(adm) ?? [];
  for (const url of [fillMacros(nurl, { PRICE: String(price), CURRENCY: 'USD' }), impression, impression])
    assert.equal((await fetch(url)).status, 200);
}

test('each ad of a pod wins, is shown and billed by itself, and others lose', async () => {
  const own = await bidder([
    [9, 30],
    [8, 30],
    [7, 30],
  ]);
  const rtbEp = await room.endpoint({ DspRtbEps: [own.Id], SpentDailyLimit: 1 });
  await room.served();
  const { bids, body } = await post(zoneUrl(rtbEp), requestOf([podImp()]));
  assert.deepEqual(pricesOf(bids), [9, 8]);
  assert.equal(body?.bidid, bids[0]?.id);
  for (const bid of bids) await show(bid);
  const row = await room.statistics(rtbEp, ({ Bills }) => Number(Bills) >= 2);
  const { Requests, Bids, Wins, Bills, NetImpressions, Spent } = row;
  assert.deepEqual(
    { Requests, Bids, Wins, Bills, NetImpressions, Spent },
    { Requests: 1, Bids: 3, Wins: 2, Bills: 2, NetImpressions: 2, Spent: 0.017 },
  );
  const [asked] = dsp.calls(own.path);
  const { id } = JSON.parse(asked?.body ?? '{}') as Values;
  await dsp.call(`${own.path}-win`, ({ url }) => url.endsWith(`crid=c8&price=8&id=${id}`));
  await dsp.call(`${own.path}-win`, ({ url }) => url.endsWith(`crid=c9&price=9&id=${id}`));
  assert.equal(dsp.calls(`${own.path}-win`).length, 2);
  const lost = await dsp.call(`${own.path}-loss`);
  assert.match(lost.url, /crid=c7&code=102/);
});

test('a caller that loses one ad of a pod leaves the other as it is', async () => {
  const own = await bidder(
    [
      [9, 30],
      [8, 30],
    ],
    { ImpressionsDailyLimit: 2 },
  );
  const rtbEp = await room.endpoint({ DspRtbEps: [own.Id] });
  await room.served();
  const [first, second] = (await post(zoneUrl(rtbEp), requestOf([podImp()]))).bids;
  assert.ok(first && second);
  assert.equal((await fetch(fillMacros(first.lurl, { LOSS: '102' }))).status, 200);
  await show(second);
  const again = await post(zoneUrl(rtbEp), requestOf([podImp()]));
  assert.deepEqual(pricesOf(again.bids), [9], 'one is left of the limit');
});

test('a caller that hangs up gives all ads of a pod back, and their bidder is told', async () => {
  const rows: readonly Row[] = [
    [9, 30],
    [8, 30],
  ];
  const own = await bidder(rows, { ImpressionsDailyLimit: 2 });
  const tag = await room.add('ortb/vasttag', { DspRtbEps: [own.Id], Tmax: 2000, PodDuration: 60 });
  await room.served();
  dsp.answer(own.path, (call) => ({ ...answerOf(own.path, rows, call), afterMs: 200 }));
  await assert.rejects(fetch(zoneUrl(tag), { signal: AbortSignal.timeout(60) }));
  const isExpired = (crid: string) =>
    dsp.call(`${own.path}-loss`, ({ url }) => url.endsWith(`${crid}&code=2`));
  await Promise.all(['c9', 'c8'].map(isExpired));
  const text = await (await fetch(zoneUrl(tag))).text();
  assert.equal(text.match(/<Ad /g)?.length, 2, 'nothing of the limit is taken');
});

describe('at /vast', () => {
  const adsIn = (text: string) =>
    [...text.matchAll(/<Ad\b[^>]*?(?:\ssequence="(\d+)")?[^>]*>.*?<\/Ad>/gs)].map(([ad]) => ({
      sequence: /^<Ad\b[^>]*\ssequence="(\d+)"/.exec(ad)?.[1],
      impression: /http[^<\]]*\/track\/impression\?t=[\w.:~-]+/.exec(ad)?.[0] ?? '',
    }));

  test('a tag with PodDuration asks for a pod, and answers its ads in one document', async () => {
    const own = await bidder([
      [9, 30],
      [8, 30, { slotinpod: 1 }],
      [3, 30],
    ]);
    const film = await room.campaign({ Cpm: 7, Width: 640, Height: 360 });
    const values = {
      DspRtbEps: [own.Id],
      Campaigns: [film.Id],
      PodDuration: 75,
      PodMaxAds: 5,
      PodSeparation: 3,
    };
    const tag = await room.add('ortb/vasttag', values);
    await room.served();
    const text = await (await fetch(zoneUrl(tag))).text();
    const asked = JSON.parse(dsp.calls(own.path)[0]?.body ?? '{}');
    assert.deepEqual(faultsOfRequest(asked), []);
    const { podid, poddur, maxseq, slotinpod } = asked.imp[0].video;
    assert.deepEqual(
      { podid, poddur, maxseq, slotinpod },
      { podid: asked.id, poddur: 75, maxseq: 5, slotinpod: 2 },
    );
    const ads = adsIn(text);
    assert.deepEqual(
      ads.map(({ sequence }) => sequence),
      ['1', '2', '3'],
      text,
    );
    assert.equal(new Set(ads.map(({ impression }) => impression)).size, 3);
    for (const { impression } of [...ads, ...ads]) assert.equal((await fetch(impression)).status, 200);
    const row = await room.statistics(tag, ({ Bills }) => Number(Bills) >= 3);
    assert.deepEqual([row.Requests, row.Wins, row.Bills, row.NetImpressions], [1, 3, 3, 3]);
    const [ofDsp, ofFilm] = (await told('VastTag', tag)).toSorted(
      (one, other) => other.Pod.length - one.Pod.length,
    );
    assert.deepEqual(ofDsp?.Pod, [
      { Place: 1, Creative: 'c8', Price: 8, Deal: null },
      { Place: 2, Creative: 'c9', Price: 9, Deal: null },
    ]);
    assert.deepEqual([ofDsp?.Outcome, ofDsp?.Price, ofDsp?.Refusals[0]?.Rule], ['won', 17, 'pod_full']);
    assert.deepEqual(
      [ofFilm?.Outcome, ofFilm?.Pod.map(({ Place, Price }) => [Place, Price])],
      ['won', [[3, 7]]],
    );
  });

  test('second price: of two bids of 5 and 2 that both fit, each pays the floor', async () => {
    const [high, low] = await Promise.all([5, 2].map((price) => bidder([[price, 15]], { AuctionType: 2 })));
    const tag = await room.add('ortb/vasttag', {
      DspRtbEps: [high?.Id, low?.Id],
      AuctionType: 2,
      Bidfloor: 1,
      PodDuration: 60,
    });
    await room.served();
    assert.equal(adsIn(await (await fetch(zoneUrl(tag))).text()).length, 2);
    assert.deepEqual(
      (await told('VastTag', tag)).map(({ Price }) => Price),
      [1, 1],
    );
  });

  test('an explanation tells of a pod as the auction does', async () => {
    const films = await Promise.all([4, 6, 5].map((Cpm) => room.campaign({ Cpm, Width: 640, Height: 360 })));
    const tag = await room.add('ortb/vasttag', { Campaigns: films.map(({ Id }) => Id), PodMaxAds: 2 });
    await room.served();
    const Url = zoneUrl(tag);
    await fetch(Url);
    const explained = await room.call('exchange/explain', { VastTag: { Id: tag.Id }, Request: { Url } });
    for (const Candidates of [explained.Candidates as readonly Told[], await told('VastTag', tag)]) {
      const shown = Candidates.map(({ Outcome, Price, Rule }) => [Outcome, Price, Rule]).toSorted();
      assert.deepEqual(shown, [
        ['refused', 4, 'pod_full'],
        ['won', 5, ''],
        ['won', 6, ''],
      ]);
    }
  });

  test('ads of deals show by themselves what they pay to whom', async () => {
    const own = await bidder([
      [4, 30, { dealid: 'pod-deal' }],
      [9, 30],
    ]);
    const fee = { CurationFeeType: 1, CurationFee: 10 };
    await room.add('deal', { Code: 'pod-deal', PriceType: 3, Price: 3, ...fee, DspRtbEps: [own.Id] });
    const tag = await room.add('ortb/vasttag', { DspRtbEps: [own.Id], PodDuration: 60, Tmax: 2000 });
    await room.served();
    await fetch(zoneUrl(tag));
    const [ofDsp] = await told('VastTag', tag);
    const Deal = { Code: 'pod-deal', Paid: 3, Publisher: 2.7, CurationFee: 0.3 };
    assert.deepEqual(ofDsp?.Pod.map((ad) => [ad.Price, ad.Deal]).toSorted(), [
      [3, Deal],
      [9, null],
    ]);
    assert.deepEqual([ofDsp?.Price, ofDsp?.Deal], [12, null]);
  });

  test('a pod has no fallbacks, and the tag says what to change', async () => {
    const refused = await fetch(`${room.server.url}/api/ortb/vasttag/add`, {
      method: 'POST',
      headers: { authorization: `Bearer ${room.server.token}` },
      body: JSON.stringify({ VastTag: { PublisherId: room.publisher.Id, Waterfall: 1, PodDuration: 30 } }),
    });
    assert.equal(refused.status, 406);
    assert.match(await refused.text(), /VastTag\.Waterfall.*PodDuration/);
  });
});
