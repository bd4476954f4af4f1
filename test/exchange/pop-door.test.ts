import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ask } from './ask.ts';
import { reported, type Stored, todays, type Values } from './exchange-room.ts';
import type { Partner } from './partner.ts';
import {
  browser,
  directUrl,
  feedUrl,
  openPopRoom,
  type PopRoom,
  shown,
  startXmlPartner,
  target,
  visitor,
} from './pop-room.ts';

let room: PopRoom;
let partner: Partner;

before(async () => {
  room = await openPopRoom();
  partner = await startXmlPartner();
});
after(async () => {
  await partner.close();
  await room.close();
});

describe('a Pop Feed with a campaign', () => {
  test('tells what the publisher gets, also where that is nothing', async () => {
    const feed = await room.addFeed({ Campaigns: [(await room.addCampaign()).Id] });
    await room.served();
    assert.equal(shown(await ask(feedUrl(feed, visitor))).bid, 0);
  });

  test('answers in both forms, and its click is impression, click and billable event in one, once', async () => {
    const { Id } = await room.addCampaign();
    const feed = await room.addFeed({ Bidfloor: 1, PublisherProfitShare: 50, Campaigns: [Id] });
    await room.served();
    const json = await ask(feedUrl(feed, { ...visitor, subid: 'home' }));
    assert.match(String(json.headers['content-type']), /^application\/json/);
    assert.equal(json.headers['cache-control'], 'no-store');
    const { url, bid, click } = shown(json);
    assert.deepEqual([url, bid], ['https://brand.example/', 0.0025]);
    const xml = await ask(feedUrl(feed, { ...visitor, subid: 'sport' }, 'Xml'));
    assert.match(String(xml.headers['content-type']), /^application\/xml/);
    assert.match(
      xml.text,
      /^<\?xml version="1.0" encoding="UTF-8"\?><result><record><title>.*<\/title><url>.*<\/url><description>.*<\/description><bid><!\[CDATA\[0\.0025\]\]><\/bid><click><!\[CDATA\[http:.*\/click\/[\w.:~-]+\]\]><\/click><\/record><\/result>$/,
    );
    // Neither form tells where the click leads.
    for (const { text } of [json, xml]) assert.doesNotMatch(text, /offer/);

    for (const _ of [1, 2, 3]) {
      const clicked = await ask(click, { 'user-agent': browser });
      assert.deepEqual([clicked.status, clicked.headers.location], [302, target]);
      // The publisher's site is hidden from whoever is behind the click.
      assert.equal(clicked.headers['referrer-policy'], 'no-referrer');
    }
    const { Requests, Bids, Wins, Bills, NetImpressions, Clicks, Spent } = await room.statistics(
      feed,
      (row) => row.Requests === 2,
    );
    assert.deepEqual(
      [Requests, Bids, Wins, Bills, NetImpressions, Clicks, Spent],
      [2, 2, 2, 1, 1, 1, 0.0025],
    );
    const bySubId = await fetch(todays(feed.StatsBySubIdJson));
    const rows = (await bySubId.json()) as readonly Record<string, unknown>[];
    assert.deepEqual(
      rows.map(({ SubId, Requests: asked, Clicks: clicks }) => [SubId, asked, clicks]).sort(),
      [
        ['home', 1, 1],
        ['sport', 1, 0],
      ],
    );
  });

  test('who only looks counts nothing and goes nowhere', async () => {
    const { feed, click } = await room.clickOf({});
    assert.equal((await ask(click, {}, 'HEAD')).status, 204);
    assert.equal((await ask(click, { purpose: 'prefetch' })).status, 204);
    assert.equal((await ask(click, {}, 'POST')).status, 405);
    assert.equal((await room.statistics(feed)).Clicks, 0);
  });

  test('the site is shown where both sides allow it', async () => {
    const { click } = await room.clickOf({ SendOriginalSite: 1 });
    assert.equal((await ask(click)).headers['referrer-policy'], undefined);
  });

  test('a token of a click counts nothing at the other trackers', async () => {
    const { feed, click } = await room.clickOf({ JsCheck: 1 });
    const token = click.slice(click.lastIndexOf('/') + 1);
    for (const event of ['impression', 'click', 'clicktracking']) {
      assert.equal((await ask(`${room.server.url}/track/${event}?t=${token}`)).status, 200);
    }
    const { Bills, Clicks } = await room.statistics(feed, (row) => row.Requests === 1);
    assert.deepEqual([Bills, Clicks], [0, 0]);
  });
});

test('explains requests to feeds and direct links', async () => {
  const campaign = await room.addCampaign({ Cpm: 0.5, Countries: [{ CC: 'DE' }] });
  const dsp = await room.addDsp({
    FeedUrlUsEast: `${partner.url}/xml`,
    DirectUrl: target,
    FixedSpendCpc: 0.002,
  });
  const feed = await room.addFeed({ Campaigns: [campaign.Id], DspPopFeeds: [dsp.Id] });
  await room.served();
  const seen = partner.seen.length;
  const outcomes: unknown[] = [];
  for (const Url of [feedUrl(feed, visitor), directUrl(feed)]) {
    const { Candidates } = await room.call('exchange/explain', {
      PopFeed: { Id: feed.Id },
      Request: { Url },
    });
    outcomes.push(
      (Candidates as readonly Stored[]).map(({ Outcome, Rule, Price }) => [Outcome, Rule, Price]),
    );
  }
  const refused = ['refused', 'country_not_targeted', null];
  assert.deepEqual(outcomes, [
    [refused, ['asked', '', null]],
    [refused, ['won', '', 2]],
  ]);
  assert.equal(partner.seen.length, seen);
});

test('2,000 subids of a feed and day are told apart, the rest are one', async () => {
  const feed = await room.addFeed({});
  await room.served();
  const asked = 2_010;
  const subIds = Array.from({ length: asked }, (_, index) => `s${index}`);
  const workers = Array.from({ length: 20 }, async () => {
    for (let subid = subIds.pop(); subid !== undefined; subid = subIds.pop()) {
      const response = await fetch(feedUrl(feed, { ...visitor, subid }));
      assert.equal(response.status, 204);
    }
  });
  await Promise.all(workers);
  const sum = (total: number, { Requests }: Values) => total + Number(Requests);
  const rows = await reported(feed.StatsBySubIdJson, (shown) => shown.reduce(sum, 0) === asked);
  assert.equal(rows.length, 2_001);
  assert.equal(rows.find(({ SubId }) => SubId === 'other')?.Requests, 10);
});
