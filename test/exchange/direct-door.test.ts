import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ask, type DoorAnswer } from './ask.ts';
import type { Stored } from './exchange-room.ts';
import { type Partner, startPartner } from './partner.ts';
import { directUrl, feedUrl, openPopRoom, type PopRoom } from './pop-room.ts';

let room: PopRoom;
let partner: Partner;

const fallback = 'https://news.example/back';
const offer = 'https://brand.example/offer';

const addCampaign = (values: object = {}) => room.addCampaign({ ClickUrl: offer, ...values });

before(async () => {
  room = await openPopRoom();
  partner = await startPartner({
    '/feed': (response) => response.end('{"bid":0.001,"url":"https://dsp.example/from-feed"}'),
  });
});
after(async () => {
  await partner.close();
  await room.close();
});

describe('a direct link', () => {
  interface Case {
    readonly name: string;
    readonly feed?: object;
    readonly dsp?: object;
    readonly campaign?: object;
    readonly headers?: Readonly<Record<string, string>>;
    readonly location: string | undefined;
    readonly bills: 0 | 1;
    readonly spent?: number;
    /** Requests that the partner's feed got. */
    readonly asked?: number;
  }
  const direct = { DirectUrl: `${offer}?s={subid}&u={url}`, FixedSpendCpc: 0.002 };
  const hidden = () => encodeURIComponent(`${room.server.url}/`);
  const cases: readonly Case[] = [
    { name: 'a campaign', feed: { PublisherProfitShare: 50 }, campaign: {}, location: offer, bills: 1, spent: 0.002 },
    { name: 'no demand', location: undefined, bills: 0 },
    { name: 'no demand, and a FallbackUrl', feed: { FallbackUrl: fallback }, location: fallback, bills: 0 },
    { name: 'a bid below the floor', feed: { FallbackUrl: fallback, Bidfloor: 9 }, campaign: {}, location: fallback, bills: 0 },
    {
      name: 'the DirectUrl of a DSP Pop Feed, at its fixed price whatever the profit share; its feed is not asked',
      dsp: direct, location: 'DIRECT', bills: 1, spent: 0.002, asked: 0,
    },
    {
      name: 'a fixed price that is beaten by a campaign',
      dsp: direct, campaign: {}, feed: { PublisherProfitShare: 25 }, location: offer, bills: 1, spent: 0.001, asked: 0,
    },
    {
      name: 'a fixed price in a second price auction is not lowered',
      dsp: direct, campaign: { Cpm: 0.1 }, feed: { AuctionType: 2 }, location: 'DIRECT', bills: 1, spent: 0.002, asked: 0,
    },
    {
      name: 'a DSP Pop Feed without a DirectUrl is asked as ever',
      dsp: { FixedSpendCpc: 0.002 }, feed: { PublisherProfitShare: 100 },
      location: 'https://dsp.example/from-feed', bills: 1, spent: 0.001, asked: 1,
    },
    {
      name: 'a DirectUrl without a price is not used',
      dsp: { DirectUrl: offer }, feed: { PublisherProfitShare: 100 },
      location: 'https://dsp.example/from-feed', bills: 1, spent: 0.001, asked: 1,
    },
    { name: 'no referer where one is wanted', feed: { NonEmptyReferer: 1, FallbackUrl: fallback }, campaign: {}, location: fallback, bills: 0 },
    {
      name: 'a referer where one is wanted', feed: { NonEmptyReferer: 1, RefererMatch: 1, IpMatch: 1, UaMatch: 1 }, campaign: {},
      headers: { referer: 'https://news.example/', 'user-agent': 'Browser/1' }, location: offer, bills: 1,
    },
  ]; // biome-ignore format: a table
  const visited = new Map<Case, { feed: Stored; answer: DoorAnswer; askedOfPartner: number }>();
  const visit = async ({ feed: values, dsp, campaign, headers }: Case) => {
    const campaigns = campaign ? [(await addCampaign(campaign)).Id] : [];
    const dsps = dsp ? [(await room.addDsp({ FeedUrlUsEast: `${partner.url}/feed`, ...dsp })).Id] : [];
    const feed = await room.addFeed({ Campaigns: campaigns, DspPopFeeds: dsps, ...values });
    await room.served();
    const askedBefore = partner.seen.length;
    const answer = await ask(`${directUrl(feed)}&subid=s1`, headers);
    return { feed, answer, askedOfPartner: partner.seen.length - askedBefore };
  };
  // All ask before any waits for its counts.
  before(async () => {
    for (const one of cases) visited.set(one, await visit(one));
  });
  for (const one of cases) {
    const { name, location, bills, spent, asked } = one;
    test(name, async () => {
      const { feed, answer, askedOfPartner } = visited.get(one) ?? assert.fail();
      assert.equal(answer.status, location === undefined ? 204 : 302);
      const wanted = location === 'DIRECT' ? `${offer}?s=s1&u=${hidden()}` : location;
      assert.equal(answer.headers.location, wanted);
      const row = await room.statistics(feed, ({ Requests }) => Requests === 1);
      assert.deepEqual([row.Bills, row.NetImpressions, row.Clicks], [bills, bills, bills]);
      if (spent !== undefined) assert.equal(row.Spent, spent);
      if (asked !== undefined) assert.equal(askedOfPartner, asked);
    });
  }

  test('what the feed answers on /pop is not the DirectUrl', async () => {
    const dsp = await room.addDsp({ FeedUrlUsEast: `${partner.url}/feed`, ...direct });
    const feed = await room.addFeed({ DspPopFeeds: [dsp.Id], PublisherProfitShare: 100 });
    await room.served();
    const { result } = JSON.parse((await ask(feedUrl(feed))).text) as { result: { bid: number }[] };
    assert.equal(result[0]?.bid, 0.001);
  });

  const strangers: readonly (readonly [string, (feed: Stored) => string])[] = [
    ['an unknown feed', (feed) => directUrl(feed).replace(/feed=\d+/, 'feed=999999')],
    [
      'the auth of the feed URL',
      (feed) => directUrl(feed).replace(String(feed.AuthDirectUrl), String(feed.Auth)),
    ],
    ['no auth', (feed) => directUrl(feed).replace(/&auth=.*/, '')],
  ];
  for (const [name, urlOf] of strangers) {
    test(`${name}: 204, not even the FallbackUrl`, async () => {
      const feed = await room.addFeed({ FallbackUrl: fallback, Campaigns: [(await addCampaign()).Id] });
      await room.served();
      const { status, headers } = await ask(urlOf(feed));
      assert.deepEqual([status, headers.location], [204, undefined]);
    });
  }

  test('who only looks holds no auction', async () => {
    const feed = await room.addFeed({ FallbackUrl: fallback, Campaigns: [(await addCampaign()).Id] });
    await room.served();
    for (const looking of [
      await ask(directUrl(feed), {}, 'HEAD'),
      await ask(directUrl(feed), { 'sec-purpose': 'prefetch;prerender' }),
    ]) {
      assert.deepEqual([looking.status, looking.headers.location], [204, undefined]);
    }
    assert.equal((await ask(directUrl(feed))).headers.location, offer);
    const { Wins } = await room.statistics(feed, ({ Requests }) => Number(Requests) > 0);
    assert.equal(Wins, 1);
  });

  test('a visit that is refused leaves its impression to the next', async () => {
    const feed = await room.addFeed({
      FallbackUrl: 'https://news.example/ü😀',
      NonEmptyReferer: 1,
      ImpressionsDailyLimit: 1,
      Campaigns: [(await addCampaign({ ImpressionsDailyLimit: 1 })).Id],
    });
    await room.served();
    const locations: unknown[] = [];
    for (const headers of [
      {},
      {},
      { referer: 'https://news.example/' },
      { referer: 'https://news.example/' },
    ]) {
      locations.push((await ask(directUrl(feed), headers)).headers.location);
    }
    const back = 'https://news.example/%C3%BC%F0%9F%98%80';
    assert.deepEqual(locations, [back, back, offer, back]);
  });

  test("the visitor's own language is told, and no address but his", async () => {
    const DirectUrl = `${offer}?l={lang}&i={ip}&a={ua}`;
    const dsp = await room.addDsp({ DirectUrl, FixedSpendCpc: 0.002 });
    const feed = await room.addFeed({ DspPopFeeds: [dsp.Id] });
    await room.served();
    const url = `${directUrl(feed)}&user_ip=203.0.113.7&ua=forged&lang=xx`;
    const { headers } = await ask(url, { 'accept-language': 'de-AT,de;q=0.8', 'user-agent': 'Browser/1' });
    assert.equal(headers.location, `${offer}?l=de-AT&i=127.0.0.1&a=Browser%2F1`);
  });

  test('JsCheck stands between, and the visit counts once the browser has passed', async () => {
    const feed = await room.addFeed({ JsCheck: 1, Campaigns: [(await addCampaign()).Id] });
    await room.served();
    const { status, headers, text } = await ask(directUrl(feed));
    assert.deepEqual([status, headers.location], [200, undefined]);
    assert.match(text, /data-next="\/click\/[\w.:~-]+"/);
    const { Bills } = await room.statistics(feed, ({ Requests }) => Requests === 1);
    assert.equal(Bills, 0);
  });
});
