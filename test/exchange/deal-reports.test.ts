import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { bidResponse, type MockDsp, startMockDsp } from './mock-dsp.ts';
import { openRtbRoom, type RtbRoom } from './rtb-room.ts';

/** What the partner with deals bids on a tag, how often, and how many of the ads are shown. */
interface Visit {
  readonly on: 'offered' | 'plain' | 'own';
  readonly bid?: { readonly price: number; readonly dealid?: string };
  readonly requests: number;
  readonly shown: number;
}

const [fixedPrice, feePercent, campaignCpm, openPrice] = [8, 25, 4, 4];
const visits: readonly Visit[] = [
  { on: 'offered', bid: { price: 9, dealid: 'news' }, requests: 3, shown: 2 },
  { on: 'offered', bid: { price: 5, dealid: 'news' }, requests: 2, shown: 2 },
  { on: 'offered', bid: { price: 9, dealid: 'later' }, requests: 1, shown: 1 },
  { on: 'offered', bid: { price: 9, dealid: 'stranger' }, requests: 1, shown: 0 },
  { on: 'offered', bid: { price: 6 }, requests: 2, shown: 1 },
  { on: 'plain', bid: { price: 6 }, requests: 2, shown: 2 },
  { on: 'own', requests: 1, shown: 1 },
];

let room: RtbRoom;
let dsp: MockDsp;
let buyer: Stored;
let rival: Stored;
let deals: Readonly<Record<string, Stored>>;
let tags: Readonly<Record<Visit['on'], Stored>>;

const trackerIn = (text: string) =>
  /https?:\/\/[\w.:]+\/track\/impression\?t=[\w.:~-]+/.exec(text)?.[0] ?? assert.fail(text);

async function visitTag(tag: Stored, isShown: boolean): Promise<void> {
  const ad = await (await fetch(zoneUrl(tag))).text();
  if (isShown) assert.equal((await fetch(trackerIn(ad))).status, 200);
}

before(async () => {
  room = await openRtbRoom();
  dsp = await startMockDsp();
  dsp.answer('/rival', (call) => bidResponse(call, { price: openPrice }));
  buyer = await room.dsp({ ZoneUrlUsEast: `${dsp.url}/buyer` });
  rival = await room.dsp({ ZoneUrlUsEast: `${dsp.url}/rival` });
  const campaign = await room.campaign({ Cpm: campaignCpm });
  const tag = (values: Values) =>
    room.add('ortb/vasttag', { Tmax: 2000, PublisherProfitShare: 100, ...values });
  tags = {
    offered: await tag({ DspRtbEps: [buyer.Id, rival.Id] }),
    plain: await tag({ DspRtbEps: [buyer.Id] }),
    own: await tag({ Campaigns: [campaign.Id] }),
  };
  const deal = (Code: string, values: Values) => room.add('deal', { Code, ...values });
  const offered = { DspRtbEps: [buyer.Id], VastTags: [tags.offered.Id], PriceType: 3, Price: fixedPrice };
  deals = {
    news: await deal('news', { ...offered, CurationFeeType: 1, CurationFee: feePercent }),
    later: await deal('later', { ...offered, StartTime: '2099-01-01' }),
    // The name of the rest, where strangers choose names.
    other: await deal('other', { Campaigns: [campaign.Id], VastTags: [tags.own.Id] }),
  };
  await room.served();
  for (const { on, bid = {}, requests, shown } of visits) {
    dsp.answer('/buyer', (call) => bidResponse(call, bid));
    for (let at = 0; at < requests; at += 1) await visitTag(tags[on], at < shown);
  }
  await room.server.flush();
});
after(async () => {
  await dsp.close();
  await room.close();
});

interface Answer {
  readonly Rows: readonly Values[];
  readonly Total: Values;
}

async function ask(question: object): Promise<Answer> {
  const today = new Date().toJSON().slice(0, 10);
  return (await room.call('statistics/report', {
    From: today,
    To: today,
    Total: 1,
    ...question,
  })) as unknown as Answer;
}

const isIn = (field: string, ...values: readonly string[]) => ({
  Field: field,
  Operator: 'In',
  Values: values,
});

const byDeal = (rows: readonly Values[]) =>
  Object.fromEntries(rows.map(({ Deal, ...figures }) => [String(Deal), figures]));

const usd = (cpm: number) => Number((cpm / 1000).toFixed(9));

describe('reports by deal', () => {
  const Measures = ['DealRequests', 'DealCalls', 'Bids', 'BidValue', 'Wins', 'Impressions', 'Cost', 'Revenue', 'Profit']; // biome-ignore format: a row

  test('tell requests, calls, bids, wins and money of each deal, and of open bids', async () => {
    const { Rows } = await ask({ GroupBy: ['Deal'], Measures });
    assert.deepEqual(byDeal(Rows), {
      news: {
        ...{ DealRequests: 9, DealCalls: 9, Bids: 5, BidValue: usd(3 * 9 + 2 * 5), Wins: 3, Impressions: 2 },
        ...{ Revenue: usd(16), Cost: usd(12), Profit: usd(4) },
      },
      '\\other': {
        ...{ DealRequests: 1, DealCalls: 1, Bids: 1, BidValue: usd(4), Wins: 1, Impressions: 1 },
        ...{ Revenue: usd(4), Cost: usd(4), Profit: 0 },
      },
      '': {
        ...{ DealRequests: 0, DealCalls: 0, Bids: 15, BidValue: usd(9 * 4 + 2 * 9 + 4 * 6), Wins: 8 },
        ...{ Impressions: 6, Revenue: usd(3 * 4 + 3 * 6), Cost: usd(30), Profit: 0 },
      },
    });
  });

  const groups = [
    ['Deal'],
    ['Deal', 'Hour'],
    ['Deal', 'Supply'],
    ['Deal', 'Demand'],
    ['Deal', 'Publisher', 'Advertiser', 'Day'],
  ];
  for (const GroupBy of groups) {
    test(`${GroupBy.join(', ')}: rows add up to what is counted without it`, async () => {
      const counted = ['Bids', 'BidValue', 'Wins', 'Bills', 'Impressions', 'Cost', 'Revenue'];
      const { Rows, Total } = await ask({ GroupBy, Measures: counted });
      const { Total: whole } = await ask({ GroupBy: GroupBy.slice(1), Measures: counted });
      const sumOf = (name: string) =>
        Number(Rows.reduce((sum, row) => sum + Number(row[name]), 0).toFixed(9));
      assert.deepEqual(Object.fromEntries(counted.map((name) => [name, sumOf(name)])), whole);
      assert.deepEqual(Total, whole);
    });
  }

  test('say why bids under it were refused, also those for a deal that was not offered', async () => {
    const { Rows } = await ask({
      GroupBy: ['Deal', 'Reason'],
      Measures: ['Refusals', 'LostValue'],
      Filters: [isIn('Demand', `DspRtbEp:${buyer.Id}`)],
    });
    const told = new Map(
      Rows.map(({ Deal, Reason, Refusals, LostValue }) => [`${Deal} ${Reason}`, { Refusals, LostValue }]),
    );
    assert.deepEqual(Object.fromEntries(told), {
      'news below_deal_floor': { Refusals: 2, LostValue: usd(10) },
      'later deal_not_offered': { Refusals: 1, LostValue: usd(9) },
      ' deal_not_offered': { Refusals: 1, LostValue: usd(9) },
    });
  });

  test('count the same by Day in all supply, and in the one that it was offered for', async () => {
    const Filters = [isIn('Deal', 'news')];
    const all = await ask({ GroupBy: ['Day'], Measures, Filters });
    const one = await ask({
      GroupBy: ['Day'],
      Measures,
      Filters: [...Filters, isIn('Supply', `VastTag:${tags.offered.Id}`)],
    });
    assert.deepEqual(one.Rows, all.Rows);
    const other = await ask({ Measures, Filters: [...Filters, isIn('Supply', `VastTag:${tags.plain.Id}`)] });
    assert.deepEqual(
      other.Rows.filter(({ Bids }) => Bids !== 0),
      [],
    );
  });
});

test('a deal shows what it has delivered, in its list and by itself', async () => {
  const shown = {
    news: { Delivered: 2, BidRate: 55.555556, WinRate: 60 },
    later: { Delivered: 0, BidRate: 0, WinRate: 0 },
    other: { Delivered: 1, BidRate: 100, WinRate: 100 },
  };
  const list = (await room.call('deal/get')) as unknown as readonly Stored[];
  for (const [code, figures] of Object.entries(shown)) {
    const { Id } = deals[code] ?? assert.fail(code);
    assert.partialDeepStrictEqual(
      list.find((one) => one.Id === Id),
      figures,
    );
    assert.partialDeepStrictEqual(await room.call(`deal/get?Id=${Id}`), figures);
  }
});
