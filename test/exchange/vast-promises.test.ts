import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { macroOf } from '../../src/protocols/openrtb/macros.ts';
import { type Bidder, startBidder } from './bidder.ts';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { vastAd } from './mock-dsp.ts';
import { openVastRoom, type VastRoom } from './vast-room.ts';

let room: VastRoom;
let bidder: Bidder;
/** What the bidder waits for before it bids. */
let gate: Promise<unknown> = Promise.resolve();
/** Members of its bids. */
let bid: object = {};

before(async () => {
  room = await openVastRoom();
  bidder = await startBidder(async ({ id }) => {
    await gate;
    const notices = Object.fromEntries(
      ['nurl', 'burl', 'lurl'].map((name) => [name, `DSP_URL/${name}?of=${id}&p=${macroOf('PRICE')}`]),
    );
    return { adm: vastAd(), ...notices, ...bid };
  });
});
after(async () => {
  await bidder.close();
  await room.close();
});

const addTag = async (values: Values) => {
  const tag = await room.add('ortb/vasttag', { Tmax: 5000, ...values });
  await room.served();
  return tag;
};
const addDsp = (values: Values = {}) =>
  room.add('ortb/dsprtbep', { ZoneUrlUsEast: `${bidder.url}/bid`, ...values });
const update = async (tag: Stored, values: Values) => {
  await room.call('ortb/vasttag/update', { VastTag: { Id: tag.Id, ...values } });
  await room.served();
};
/** Impression trackers of what a tag answers: of the winner, then of the fallbacks. */
const shownBy = async (tag: Stored) =>
  room.trackers((await room.vast(zoneUrl(tag))).text, 'impression').map((url) => async () => {
    assert.equal((await fetch(url)).status, 200);
  });
const lastAuction = async (tag: Stored) => (await room.auctions(tag))[0] ?? assert.fail('no auction');

describe('a limit of the tag that refuses at the end', () => {
  test('is told to bidders, and shown of their bids', async () => {
    const dsp = await addDsp();
    const tag = await addTag({ BidsDailyLimit: 1, ImpressionsDailyLimit: 14_400, DspRtbEps: [dsp.Id] });
    assert.equal((await shownBy(tag)).length, 1);
    // Auctions are sampled by time, from the first on after a change.
    await update(tag, { Name: 'changed' });
    const heard = bidder.noticed('/lurl');
    assert.equal((await shownBy(tag)).length, 0);
    assert.equal(await heard, `/lurl?of=${bidder.requests.at(-1)?.id}&p=`);
    const { Outcome, Candidates } = await lastAuction(tag);
    assert.deepEqual(
      [Outcome, Candidates[0]?.Rule, Candidates[0]?.Field],
      ['bids_daily_limit', 'bids_daily_limit', 'BidsDailyLimit'],
    );
    // Only the first has an impression promised.
    await update(tag, { ImpressionsDailyLimit: 1, BidsDailyLimit: 0 });
    assert.equal(((await room.explain(tag, zoneUrl(tag))) as unknown as Values).Met, 1);
  });

  test('takes no bid where it has no impression left', async () => {
    const dsp = await addDsp();
    const tag = await addTag({ ImpressionsDailyLimit: 1, BidsDailyLimit: 14_400, DspRtbEps: [dsp.Id] });
    const asked = bidder.requests.length;
    const { promise, resolve: open } = Promise.withResolvers<void>();
    gate = promise;
    const both = [shownBy(tag), shownBy(tag)];
    while (bidder.requests.length < asked + 2) await new Promise(setImmediate);
    open();
    assert.equal((await Promise.all(both)).flat().length, 1);
    await update(tag, { ImpressionsDailyLimit: 0, BidsDailyLimit: 1 });
    const { Outcome, Met } = (await room.explain(tag, zoneUrl(tag))) as unknown as Values;
    assert.deepEqual([Outcome, Met], ['bids_daily_limit', 1]);
  });

  test('takes no bid and no impression where nobody wins', async () => {
    const dsp = await addDsp();
    const tag = await addTag({ BidsDailyLimit: 1, ImpressionsDailyLimit: 1, DspRtbEps: [dsp.Id] });
    bid = { adm: undefined, nurl: 'DSP_URL/no-markup' };
    assert.equal((await shownBy(tag)).length, 0);
    bid = {};
    assert.equal((await shownBy(tag)).length, 1);
  });
});

test('a Banner EP keeps neither bid nor impression of auctions that nobody won', async () => {
  const dsp = await addDsp({ BannerEnabled: 1 });
  const limits = { BidsDailyLimit: 1, ImpressionsDailyLimit: 1 };
  const banner = await room.add('bannerep', { Tmax: 5000, ...limits, DspRtbEps: [dsp.Id] });
  const limit = async (values: Values) => {
    await room.call('bannerep/update', { BannerEp: { Id: banner.Id, ...values } });
    await room.served();
  };
  await room.served();
  const ask = async () => (await fetch(zoneUrl(banner))).status;
  bid = { adm: undefined, nurl: 'DSP_URL/no-markup' };
  assert.equal(await ask(), 204);
  bid = { adm: '<p>An ad</p>' };
  assert.equal(await ask(), 200);
  await limit({ ImpressionsDailyLimit: 14_400 });
  assert.equal(await ask(), 204);
  bid = {};
  await limit({ ImpressionsDailyLimit: 1, BidsDailyLimit: 0 });
  const asked = { BannerEp: { Id: banner.Id }, Request: { Url: zoneUrl(banner) } };
  const { Outcome, Met } = await room.call('exchange/explain', asked);
  assert.deepEqual([Outcome, Met], ['impressions_daily_limit', 1]);
});

test('a bid whose markup is none leaves its impression to the next, though another wins', async () => {
  const dsp = await addDsp({ ImpressionsDailyLimit: 1 });
  const cheap = await room.add('campaign', { Cpm: 1 });
  const tag = await addTag({ Campaigns: [cheap.Id], DspRtbEps: [dsp.Id] });
  const isOfBidder = async () => (await room.vast(zoneUrl(tag))).text.includes('https://dsp.example/a.mp4');
  bid = { adm: undefined, nurl: 'DSP_URL/no-markup' };
  assert.equal(await isOfBidder(), false);
  bid = {};
  assert.deepEqual([await isOfBidder(), await isOfBidder()], [true, false]);
});

describe('a fallback of a waterfall', () => {
  test('is none whose markup is the answer to its win', async () => {
    const dear = await room.add('campaign', { Cpm: 5 });
    const dsp = await addDsp();
    const tag = await addTag({ Waterfall: 1, Campaigns: [dear.Id], DspRtbEps: [dsp.Id] });
    bid = { adm: undefined, nurl: 'DSP_URL/behind' };
    assert.equal((await shownBy(tag)).length, 1);
    bid = {};
    await bidder.noticed(`/lurl?of=${bidder.requests.at(-1)?.id}`);
    assert.ok(!bidder.notices.includes('/behind'));
  });

  test('is shown no more than its limit', async () => {
    const dear = await room.add('campaign', { Cpm: 5 });
    const cheap = await room.add('campaign', { Cpm: 1, ImpressionsDailyLimit: 1 });
    const tag = await addTag({ Waterfall: 1, Campaigns: [dear.Id, cheap.Id] });
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => shownBy(tag)));
    for (const [, fallback] of answers) await fallback?.();
    const { Candidates } = await room.explain(tag, zoneUrl(tag));
    const told = Candidates.find(({ Id }) => Id === cheap.Id);
    assert.deepEqual([told?.Rule, told?.Met], ['impressions_daily_limit', 1]);
    assert.equal((await lastAuction(tag)).Outcome, 'won');
  });

  test('is free for the next once the winner was shown, and the winner once it was', async () => {
    const limits = { ImpressionsDailyLimit: 14_400 };
    const campaigns = [5, 3, 1].map((Cpm) => room.add('campaign', { Cpm, ...limits }));
    const ids = (await Promise.all(campaigns)).map(({ Id }) => Id);
    const tag = await addTag({ Waterfall: 1, Campaigns: ids });
    for (const shown of [0, 1]) {
      const ads = await shownBy(tag);
      assert.equal(ads.length, 3);
      for (const _ of [1, 2]) await ads[shown]?.();
      // Repeated, or of another of the auction's ads, it ends no other promise.
      await ads[2]?.();
    }
    await shownBy(tag);
    for (const Id of ids) await room.call('campaign/update', { Campaign: { Id, ImpressionsDailyLimit: 1 } });
    await room.served();
    const { Candidates } = await room.explain(tag, zoneUrl(tag));
    // One was shown of the first two; one of each is promised to the last auction.
    assert.deepEqual(
      ids.map((id) => Candidates.find(({ Id }) => Id === id)?.Met),
      [2, 2, 1],
    );
  });

  test('has won once it is shown, and not otherwise, and hears it', async () => {
    const dear = await room.add('campaign', { Cpm: 5 });
    const dsp = await addDsp();
    const tag = await addTag({ Waterfall: 1, Campaigns: [dear.Id], DspRtbEps: [dsp.Id] });
    const auctionIds: unknown[] = [];
    for (const shown of [0, 1]) {
      const ads = await shownBy(tag);
      auctionIds.push(bidder.requests.at(-1)?.id);
      for (const _ of [1, 2]) await ads[shown]?.();
    }
    const [first, second] = auctionIds;
    for (const id of auctionIds) assert.match(String(id), /^[\da-f]{8}-[\da-f]{4}-7/, 'in the order of time');
    for (const name of ['nurl', 'burl']) await bidder.noticed(`/${name}?of=${second}`);
    assert.deepEqual(
      bidder.notices.filter((notice) => notice.includes(`of=${second}`)).toSorted(),
      ['burl', 'nurl'].map((name) => `/${name}?of=${second}&p=3`),
    );
    assert.deepEqual(
      bidder.notices.filter((notice) => notice.includes(`of=${first}`)),
      [],
    );
    for (const [object, counts] of [
      [dsp, { Bids: 2, Wins: 1, Bills: 1 }],
      [tag, { Bids: 4, Wins: 3, Bills: 2 }],
    ] as const) {
      // Wins of trackers and bids of auctions are counted by different commits.
      const isThere = ({ Wins, Bids }: Values) => Number(Wins) >= counts.Wins && Number(Bids) >= counts.Bids;
      const row = await room.statistics(object, isThere);
      assert.partialDeepStrictEqual(row, counts);
    }
  });
});

test("a click on a bidder's ad is told beside it, and counts once", async () => {
  const tag = await addTag({ DspRtbEps: [(await addDsp()).Id] });
  const { text } = await room.vast(zoneUrl(tag));
  const [click = assert.fail('no tracker')] = room.trackers(text, 'clicktracking');
  for (const _ of [1, 2]) assert.equal((await fetch(click)).status, 200);
  const { Clicks } = await room.statistics(tag, (row) => Number(row.Requests) > 0);
  assert.equal(Clicks, 1);
});
