import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ask } from './ask.ts';
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
  const direct = { DirectUrl: `${offer}?s={subid}&u={url}`, FixedSpendCpc: 0.002 };

  test('what the feed answers on /pop is not the DirectUrl', async () => {
    const dsp = await room.addDsp({ FeedUrlUsEast: `${partner.url}/feed`, ...direct });
    const feed = await room.addFeed({ DspPopFeeds: [dsp.Id], PublisherProfitShare: 100 });
    await room.served();
    const { result } = JSON.parse((await ask(feedUrl(feed))).text) as { result: { bid: number }[] };
    assert.equal(result[0]?.bid, 0.001);
  });

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
