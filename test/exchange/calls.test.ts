import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ask } from './ask.ts';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { type Partner, startPartner } from './partner.ts';
import { directUrl } from './pop-room.ts';
import { openRtbRoom, post, type RtbRoom, requestOf, videoImp } from './rtb-room.ts';

let room: RtbRoom;
let partner: Partner;

const measures = [
  'Calls',
  'Answers',
  'Timeouts',
  'Errors',
  'NoBids',
  'Bids',
  'UncalledBids',
  'BidValue',
  'BidRate',
  'TimeoutRate',
] as const;
type Figures = Readonly<Partial<Record<(typeof measures)[number], number>>>;

interface Case {
  readonly name: string;
  /** What the bidder answers: bids, or a whole response. */
  readonly bids?: readonly Values[];
  readonly response?: object;
  readonly status?: number;
  readonly isSilent?: boolean;
  /** Demand other than a bidder. */
  readonly demand?: 'campaign' | 'direct link' | 'pop feed' | 'VAST tag';
  /** What is counted of one auction; all else is 0. */
  readonly counted: Figures;
}

const ad = (price: number, more: Values = {}): Values => ({ price, adm: '<VAST version="3.0"/>', ...more });
const answered = { Calls: 1, Answers: 1 };
const bid = { ...answered, BidRate: 100 };
const many = Array.from({ length: 100 }, (_, index) => ad(index + 1));

const cases: readonly Case[] = [
  { name: 'no bid', status: 204, counted: { ...answered, NoBids: 1 } },
  { name: 'no bid for a reason', response: { nbr: 3 }, counted: { ...answered, NoBids: 1 } },
  { name: 'a bid', bids: [ad(3)], counted: { ...bid, Bids: 1, BidValue: 0.003 } },
  { name: 'three bids', bids: [ad(5), ad(3), ad(1)], counted: { ...bid, Bids: 3, BidValue: 0.009 } },
  { name: 'as many as are read', bids: many, counted: { ...bid, Bids: 100, BidValue: 5.05 } },
  { name: 'a bid of another medium beside it', bids: [ad(9, { mtype: 1 }), ad(3)], counted: { ...bid, Bids: 2, BidValue: 0.012 } },
  { name: 'a bid without a price beside it', bids: [ad(0), ad(3)], counted: { ...bid, Bids: 2, BidValue: 0.003 } },
  { name: 'bids of another medium alone', bids: [ad(9, { mtype: 1 }), ad(8, { mtype: 1 })], counted: { ...bid, Bids: 2, BidValue: 0.017 } },
  { name: 'an error', status: 500, counted: { Calls: 1, Errors: 1 } },
  { name: 'silence', isSilent: true, counted: { Calls: 1, Timeouts: 1, TimeoutRate: 100 } },
  { name: 'a campaign', demand: 'campaign', counted: { Bids: 1, UncalledBids: 1, BidValue: 0.004 } },
  { name: 'a direct link', demand: 'direct link', counted: { Bids: 1, UncalledBids: 1, BidValue: 0.002 } },
  { name: 'a pop feed with two offers', demand: 'pop feed', counted: { ...bid, Bids: 2, BidValue: 0.003 } },
  { name: 'a VAST tag', demand: 'VAST tag', counted: { ...answered, NoBids: 1 } },
]; // biome-ignore format: a table

const media = {
  result: [
    { bid: 0.002, url: 'https://a.example/' },
    { bid: 0.001, url: 'https://b.example/' },
  ],
};
const pathOf = ({ name }: Case) => `/${name.replaceAll(' ', '-')}`;

/** Demand of a case, and how it is asked once. */
async function furnished(one: Case): Promise<{ readonly demand: Stored; ask(): Promise<unknown> }> {
  const url = `${partner.url}${pathOf(one)}`;
  const { demand: kind } = one;
  if (kind === 'campaign') {
    const demand = await room.campaign();
    const zone = zoneUrl(await room.endpoint({ Campaigns: [demand.Id] }));
    return { demand, ask: () => post(zone, requestOf([videoImp])) };
  }
  if (kind === 'direct link' || kind === 'pop feed') {
    const direct = { DirectUrl: 'https://brand.example/', FixedSpendCpc: 0.002 };
    const demand = await room.add('xml/dsppopfeed', {
      FeedUrlUsEast: url,
      PriceImp1000: 0,
      ...(kind === 'direct link' && direct),
    });
    const feed = await room.add('xml/popfeed', { DspPopFeeds: [demand.Id] });
    return { demand, ask: () => ask(directUrl(feed)) };
  }
  if (kind === 'VAST tag') {
    const demand = await room.add('ortb/dspvasttag', { FixedCpm: 5, ZoneUrlUsEast: url });
    const tag = await room.add('ortb/vasttag', { DspVastTags: [demand.Id] });
    return { demand, ask: () => fetch(zoneUrl(tag)).then((answer) => answer.text()) };
  }
  const demand = await room.dsp({ ZoneUrlUsEast: url });
  const zone = zoneUrl(await room.endpoint({ DspRtbEps: [demand.Id] }));
  const more = one.isSilent ? { tmax: 100 } : {};
  return { demand, ask: () => post(zone, requestOf([videoImp], more)) };
}

const answersOf = (one: Case): [string, Parameters<typeof startPartner>[0][string]] => [
  pathOf(one),
  async (response, request) => {
    if (one.isSilent) return;
    if (one.demand === 'pop feed') return response.end(JSON.stringify(media));
    if (one.demand) return response.end('<VAST version="3.0"></VAST>');
    const { status = 200, bids = [], response: whole } = one;
    if (status !== 200) return response.writeHead(status).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { id } = JSON.parse(Buffer.concat(chunks).toString()) as Values;
    const made = bids.map((values, index) => ({ id: `b${index}`, impid: '1', ...values }));
    response.end(JSON.stringify({ id, ...(whole ?? { seatbid: [{ bid: made }] }) }));
  },
];

const kinds = {
  bidder: 'DspRtbEp',
  campaign: 'Campaign',
  'VAST tag': 'DspVastTag',
  'direct link': 'DspPopFeed',
  'pop feed': 'DspPopFeed',
} as const;
const demands = new Map<Case, Stored>();
/** The UTC day of the auctions, which may end while they are held. */
let days: readonly [string, string];
const today = () => new Date().toISOString().slice(0, 10);

before(async () => {
  room = await openRtbRoom();
  partner = await startPartner(Object.fromEntries(cases.map(answersOf)));
  const made: (readonly [Case, Awaited<ReturnType<typeof furnished>>])[] = [];
  for (const one of cases) made.push([one, await furnished(one)]);
  await room.served();
  const begun = today();
  for (const [one, { demand, ask: askOnce }] of made) {
    demands.set(one, demand);
    await askOnce();
  }
  days = [begun, today()];
});
after(async () => {
  await partner.close();
  await room.close();
});

interface Answer {
  readonly Rows: readonly Values[];
  readonly Total: Values;
}

/** The figures by demand object, once all bids have been counted. */
async function report(): Promise<Answer> {
  const bids = cases.reduce((sum, { counted }) => sum + (counted.Bids ?? 0), 0);
  const calls = cases.reduce((sum, { counted }) => sum + (counted.Calls ?? 0), 0);
  for (;;) {
    const [From, To] = days;
    const answer = (await room.call('statistics/report', {
      From,
      To,
      GroupBy: ['Demand'],
      Measures: measures,
      Total: 1,
    })) as unknown as Answer;
    if (Number(answer.Total.Bids) >= bids && Number(answer.Total.Calls) >= calls) return answer;
    await delay(20);
  }
}

describe('calls are calls, and bids have their value', () => {
  for (const one of cases) {
    test(one.name, async () => {
      const { Id } = demands.get(one) ?? assert.fail();
      const { Rows } = await report();
      const row = Rows.find(
        (found) => found.Demand === Id && found.DemandKind === kinds[one.demand ?? 'bidder'],
      );
      const told = Object.fromEntries(measures.flatMap((name) => (row?.[name] ? [[name, row[name]]] : [])));
      assert.deepEqual(told, one.counted);
    });
  }

  test('in all, whatever bids without a call thins no rate', async () => {
    const { Total } = await report();
    const sum = (name: (typeof measures)[number]) =>
      cases.reduce((all, { counted }) => all + (counted[name] ?? 0), 0);
    const calls = sum('Calls');
    assert.deepEqual([Total.Calls, Total.Answers, Total.Bids], [calls, sum('Answers'), sum('Bids')]);
    assert.ok(Math.abs(Number(Total.TimeoutRate) - 100 / calls) < 1e-6, String(Total.TimeoutRate));
    const withBids = cases.filter(({ counted }) => counted.BidRate === 100).length;
    assert.ok(Math.abs(Number(Total.BidRate) - (100 * withBids) / calls) < 1e-6, String(Total.BidRate));
  });

  test('a campaign that bids is not idle in Health', async () => {
    await report();
    const { Id } = [...demands].find(([{ name }]) => name === 'a campaign')?.[1] ?? assert.fail();
    const [told] = (await room.call(`health/get?Entity=Campaign&Ids=${Id}`)) as unknown as readonly Values[];
    assert.deepEqual([told?.State, told?.Calls, told?.Bids], ['ok', 0, 1]);
  });
});
