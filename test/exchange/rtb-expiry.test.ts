import assert from 'node:assert/strict';
import { after, before, describe, mock, test } from 'node:test';
import { startBidder } from './bidder.ts';
import { filled, type Values, zoneUrl } from './exchange-room.ts';
import { vastAd } from './mock-dsp.ts';
import { type AnsweredBid, bannerImp, openRtbRoom, post, type RtbRoom, requestOf } from './rtb-room.ts';

let room: RtbRoom;
// At noon, so that two hours later it is still the same day of the reports.
const startMs = new Date().setUTCHours(12, 0, 0, 0);

before(async () => {
  mock.timers.enable({ apis: ['Date'], now: startMs });
  room = await openRtbRoom();
});
after(async () => {
  await room.close();
  mock.timers.reset();
});

describe('an impression counts within its ExpiryWindow, within the hour where it is promised', () => {
  const cases = [
    { limit: 0, minutes: 119, shown: 1 },
    { limit: 14_400, minutes: 59, shown: 1 },
    { limit: 14_400, minutes: 60, shown: 0 },
  ];
  for (const { limit, minutes, shown } of cases) {
    test(`limit ${limit}, ${minutes} minutes later`, async () => {
      await using bidder = await startBidder(() => ({ adm: vastAd() }));
      const dsp = await room.dsp({
        ZoneUrlUsEast: `${bidder.url}/bid`,
        ExpiryWindow: 120,
        ImpressionsDailyLimit: limit,
      });
      const tag = await room.add('ortb/vasttag', { Tmax: 2000, DspRtbEps: [dsp.Id] });
      await room.served();
      const text = await (await fetch(zoneUrl(tag))).text();
      mock.timers.setTime(startMs + minutes * 60_000);
      await fetch(/http[^\]]*\/track\/impression\?t=[\w.:~-]+/.exec(text)?.[0] ?? '');
      mock.timers.setTime(startMs);
      const row = await room.statistics(tag, ({ Requests }) => Number(Requests) > 0);
      assert.deepEqual([row.Bills, row.NetImpressions], [shown, shown]);
    });
  }
});

const impressionIn = ({ adm }: AnsweredBid) =>
  /http[^"]*\/track\/impression\?t=[\w.:~-]+/.exec(adm)?.[0] ?? '';
const clickIn = ({ adm }: AnsweredBid) => /http[^"]*\/track\/click\?t=[\w.:~-]+/.exec(adm)?.[0] ?? '';

interface Case {
  readonly name: string;
  /** `RevenueCountingMethod`. */
  readonly method: 0 | 1 | 2;
  /** Of the campaign, or of the endpoint where `isOfSupply`. */
  readonly limit: number;
  readonly isOfSupply?: true;
  readonly exp: number;
  readonly call: (bid: AnsweredBid) => string;
  readonly afterSeconds: number;
  /** Wins, Bills, NetImpressions and Clicks. */
  readonly counted: readonly [number, number, number, number];
}
const nurl = ({ nurl: url }: AnsweredBid) => url;
const burl = ({ burl: url = '' }: AnsweredBid) => url;
const limited = { limit: 14_400, exp: 300 };
const cases: readonly Case[] = [
  { ...limited, name: 'a win in time', method: 0, call: nurl, afterSeconds: 299, counted: [1, 1, 0, 0] },
  { ...limited, name: 'a late win', method: 0, call: nurl, afterSeconds: 300, counted: [0, 0, 0, 0] },
  { ...limited, name: 'a late bill', method: 1, call: burl, afterSeconds: 300, counted: [0, 0, 0, 0] },
  { ...limited, name: 'a bill in time', method: 1, call: burl, afterSeconds: 299, counted: [1, 1, 0, 0] },
  { ...limited, name: 'shown in time', method: 2, call: impressionIn, afterSeconds: 299, counted: [1, 1, 1, 0] },
  { ...limited, name: 'shown late', method: 2, call: impressionIn, afterSeconds: 300, counted: [0, 0, 0, 0] },
  { ...limited, name: 'shown late at a limit of the endpoint', isOfSupply: true, method: 2, call: impressionIn, afterSeconds: 300, counted: [0, 0, 0, 0] },
  { ...limited, name: 'clicked late', method: 2, call: clickIn, afterSeconds: 300, counted: [0, 0, 0, 1] },
  { limit: 0, exp: 3600, name: 'shown late without a limit', method: 2, call: impressionIn, afterSeconds: 3599, counted: [1, 1, 1, 0] },
]; // biome-ignore format: a table

describe('an offer that a limit of impressions holds a promise for stands for five minutes', () => {
  const held: { readonly of: Case; readonly rtbEp: Values; readonly url: string }[] = [];
  before(async () => {
    for (const one of cases) {
      const limit = { ImpressionsDailyLimit: one.limit };
      const image = await room.campaign({ Type: 2, ...(one.isOfSupply ? {} : limit) });
      const rtbEp = await room.endpoint({
        RevenueCountingMethod: one.method,
        Campaigns: [image.Id],
        ...(one.isOfSupply ? limit : {}),
      });
      await room.served();
      const [bid] = (await post(zoneUrl(rtbEp), requestOf([bannerImp]))).bids;
      assert.equal(bid?.exp, one.exp, one.name);
      held.push({ of: one, rtbEp, url: one.call(bid) });
    }
  });

  for (const [index, { name, afterSeconds, counted }] of cases.entries()) {
    test(name, async () => {
      const { rtbEp, url } = held[index] ?? assert.fail();
      mock.timers.setTime(startMs + afterSeconds * 1000);
      await fetch(url, { redirect: 'manual' });
      mock.timers.setTime(startMs);
      const row = await room.statistics(rtbEp, ({ Requests }) => Number(Requests) > 0);
      assert.deepEqual([row.Wins, row.Bills, row.NetImpressions, row.Clicks], counted);
    });
  }

  test('and leaves its impression to the next', async () => {
    const image = await room.campaign({ Type: 2, ImpressionsDailyLimit: 1 });
    const rtbEp = await room.endpoint({ Campaigns: [image.Id] });
    await room.served();
    const answered = async (seconds: number) => {
      mock.timers.setTime(startMs + seconds * 1000);
      return (await post(zoneUrl(rtbEp), requestOf([bannerImp]))).status;
    };
    assert.deepEqual([await answered(0), await answered(300), await answered(420)], [200, 204, 200]);
    mock.timers.setTime(startMs);
  });
});

test('an ExpiryWindow without end is one of 31 days, as callers and bidders are told', async () => {
  await using bidder = await startBidder(() => ({ adm: '<p></p>' }));
  const dsp = await room.dsp({ ZoneUrlUsEast: `${bidder.url}/bid`, ExpiryWindow: 2_147_483_647 });
  const rtbEp = await room.endpoint({ DspRtbEps: [dsp.Id] });
  await room.served();
  const [bid] = (await post(zoneUrl(rtbEp), requestOf([bannerImp]))).bids;
  const days = 31 * 86_400;
  assert.equal(bid?.exp, days);
  const [imp] = (bidder.requests[0]?.imp ?? []) as readonly Values[];
  assert.equal(imp?.exp, days);
  mock.timers.setTime(startMs + (days - 1) * 1000);
  assert.equal((await fetch(bid.nurl)).status, 200);
  mock.timers.setTime(startMs);
  // It counts a month later, for the day of its auction.
  await room.statistics(rtbEp, ({ Bids, Wins }) => Bids === 1 && Wins === 1);
});

test('the pop of an ad that a limit promises is sent on, whatever its ExpiryWindow', async () => {
  await using bidder = await startBidder(() => ({ adm: 'https://brand.example/' }));
  const url = `${bidder.url}/bid`;
  const dsp = await room.dsp({ ZoneUrlUsEast: url, ExpiryWindow: 120, ImpressionsDailyLimit: 14_400 });
  const feed = await room.add('xml/popfeed', { Tmax: 2000, DspRtbEps: [dsp.Id] });
  await room.served();
  const feedUrl = filled(String((feed.FeedUrls as readonly Values[])[0]?.FeedUrlXml), { ip: '203.0.113.7' });
  const answer = await (await fetch(feedUrl)).text();
  const click = /http[^\]]*\/click\/[\w-]+/.exec(answer)?.[0] ?? assert.fail(answer);
  const { headers } = await fetch(click, { redirect: 'manual' });
  assert.equal(headers.get('location'), 'https://brand.example/');
});

describe('an offer stands for the seconds of its bid or of its impression, whichever are fewer', () => {
  interface Terms {
    readonly name: string;
    /** `exp` of the bid and of the impression; undefined = none. */
    readonly bid?: number;
    readonly imp?: number;
    /** `exp` of our answer, and the last second in which the win is billed. */
    readonly exp: number;
    /** `ExpiryWindow`, minutes. */
    readonly window?: number;
  }
  const terms: readonly Terms[] = [
    { name: 'of neither', exp: 3600 },
    { name: 'of a bid for a second', bid: 1, exp: 1 },
    { name: 'of a bid for 30 seconds', bid: 30, exp: 30 },
    { name: 'of the impression', imp: 45, exp: 45 },
    { name: 'of the bid, within those of the impression', bid: 20, imp: 45, exp: 20 },
    { name: 'of the impression, within those of the bid', bid: 90, imp: 45, exp: 45 },
    { name: 'of the demand object, within both', bid: 90, imp: 75, window: 1, exp: 60 },
    { name: 'of a bid that is longer than the hour', bid: 9000, exp: 3600 },
  ];
  const clickAfterSeconds = 50;
  for (const { name, bid: exp, imp, window, exp: seconds } of terms) {
    test(name, async () => {
      await using bidder = await startBidder(() => ({ adm: '<p></p>', exp }));
      const dsp = await room.dsp({ ZoneUrlUsEast: `${bidder.url}/bid`, ExpiryWindow: window ?? 0 });
      const rtbEp = await room.endpoint({ DspRtbEps: [dsp.Id] });
      await room.served();
      const offer = async () => {
        const [bid] = (await post(zoneUrl(rtbEp), requestOf([{ ...bannerImp, exp: imp }]))).bids;
        return bid ?? assert.fail();
      };
      const [early, late] = [await offer(), await offer()];
      assert.deepEqual([early.exp, late.exp], [seconds, seconds]);
      mock.timers.setTime(startMs + seconds * 1000 - 1);
      await fetch(early.nurl);
      mock.timers.setTime(startMs + seconds * 1000);
      await fetch(late.nurl);
      mock.timers.setTime(startMs);
      const row = await room.statistics(rtbEp, ({ Requests }) => Number(Requests) > 1);
      assert.deepEqual([row.Wins, row.Bills], [1, 1]);
    });
  }

  test('of an own campaign, too, whose click counts when they are over', async () => {
    const image = await room.campaign({ Type: 2 });
    const rtbEp = await room.endpoint({ RevenueCountingMethod: 2, Campaigns: [image.Id] });
    await room.served();
    const [bid] = (await post(zoneUrl(rtbEp), requestOf([{ ...bannerImp, exp: 45 }]))).bids;
    assert.equal(bid?.exp, 45);
    mock.timers.setTime(startMs + 44_000);
    await fetch(impressionIn(bid));
    mock.timers.setTime(startMs + clickAfterSeconds * 1000);
    await fetch(clickIn(bid), { redirect: 'manual' });
    mock.timers.setTime(startMs);
    const row = await room.statistics(rtbEp, ({ Requests }) => Number(Requests) > 0);
    assert.deepEqual([row.Bills, row.NetImpressions, row.Clicks], [1, 1, 1]);
  });
});
