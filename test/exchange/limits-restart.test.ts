import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, mock, test } from 'node:test';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type ExchangeRoom, openExchange, type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { type AnsweredBid, bannerImp, post, requestOf } from './rtb-room.ts';

const folder = mkdtempSync(join(tmpdir(), 'bourse-limits-restart-'));
/** A process alone; `vast-machines.test.ts` has several. */
const databaseUrl = `sqlite:${join(folder, 'bourse.db')}`;
const noonMs = Date.UTC(2027, 5, 15, 12);
const banner = {
  Type: 2,
  Cpm: 3,
  Html: '<p>Hi</p>',
  ClickUrl: 'https://brand.example/',
  Width: 300,
  Height: 250,
};

const film = { Cpm: 4, MediaUrl: 'https://cdn.example/film.mp4', Duration: 15 };

let room: ExchangeRoom;
let server: TestServer;
/** Endpoints whose campaign is limited by days of Singapore, where they begin at 16:00 UTC; the second no longer. */
let zoned: readonly Stored[] = [];
let indian: Stored | undefined;

async function inSingapore(change?: Values): Promise<Stored> {
  const SpendDailyLimit = (2 * banner.Cpm) / 1000;
  const campaign = await room.add('campaign', { ...banner, SpendDailyLimit, TimeZone: 'Asia/Singapore' });
  if (change) await room.call('campaign/update', { Campaign: { Id: campaign.Id, ...change } });
  const rtbEp = await room.add('ortb/rtbep', { BannerEnabled: 1, Campaigns: [campaign.Id] });
  await room.served();
  return rtbEp;
}

/** Sells two impressions a day under a deal, by days of Kolkata, which begin at 18:30 UTC. */
async function inKolkata(): Promise<Stored> {
  const campaign = await room.add('campaign', film);
  const tag = await room.add('ortb/vasttag', { Bidfloor: 10, Campaigns: [campaign.Id] });
  const connected = { VastTags: [tag.Id], Campaigns: [campaign.Id] };
  const limit = { RevenueDailyLimit: (2 * film.Cpm) / 1000, TimeZone: 'Asia/Kolkata' };
  await room.add('deal', { Code: 'kolkata', ...limit, ...connected });
  await room.served();
  return tag;
}

before(async () => {
  mock.timers.enable({ apis: ['Date'], now: noonMs });
  room = await openExchange({ databaseUrl });
  ({ server } = room);
  zoned = [await inSingapore(), await inSingapore({ TimeZone: '' })];
  indian = await inKolkata();
});
after(async () => {
  await server.close();
  mock.timers.reset();
  rmSync(folder, { recursive: true, force: true });
});

const minuteMs = 60_000;
const startAnother = (port = 0) => startTestServer({ databaseUrl, port, allowPrivateDemand: true });
/** Stops the server, and starts another at its port. */
const restart = async () => {
  const port = Number(new URL(server.url).port);
  await server.close();
  server = await startAnother(port);
};
const call = async (url: string) => assert.equal((await fetch(url)).status, 200);
const offers = async (rtbEp: Stored) => (await post(zoneUrl(rtbEp), requestOf([bannerImp]))).bids;
/** The bid of an offer, which must be made; none where the limit refuses. */
const offer = async (rtbEp: Stored): Promise<AnsweredBid> =>
  (await offers(rtbEp))[0] ?? assert.fail('no bid');

const played = async ({ url }: TestServer, tag: Stored) => {
  const { pathname, search } = new URL(zoneUrl(tag));
  return (await fetch(`${url}${pathname}${search}`)).text();
};
/** Paths of the impression trackers of what a tag answers. */
const shownBy = (text: string) => text.match(/\/track\/impression\?t=[\w.:~-]+/g) ?? [];

/** Endpoints whose campaign, or which themselves, may have so many impressions of the day. */
async function endpoints(ImpressionsDailyLimit: number, values: object = {}): Promise<Stored[]> {
  const open = { BannerEnabled: 1, ...values };
  const [limited, unlimited] = [
    await room.add('campaign', { ...banner, ImpressionsDailyLimit }),
    await room.add('campaign', banner),
  ];
  const both = [
    await room.add('ortb/rtbep', { ...open, Campaigns: [limited.Id] }),
    await room.add('ortb/rtbep', { ...open, ImpressionsDailyLimit, Campaigns: [unlimited.Id] }),
  ];
  await room.served();
  return both;
}

test('what was billed and never seen to be shown counts after a restart as before it', async () => {
  const both = await endpoints(1);
  for (const rtbEp of both) await call((await offer(rtbEp)).nurl);
  const bids = async () => (await Promise.all(both.map(offers))).map(({ length }) => length);
  assert.deepEqual(await bids(), [0, 0]);
  await restart();
  assert.deepEqual(await bids(), [0, 0]);
});

test('an offer that stands counts after a restart as before it, until it has lost', async () => {
  const both = await endpoints(1);
  const standing = await Promise.all(both.map(offer));
  const bids = async () => (await Promise.all(both.map(offers))).map(({ length }) => length);
  assert.deepEqual(await bids(), [0, 0]);
  await restart();
  assert.deepEqual(await bids(), [0, 0]);
  for (const { lurl } of standing) await call(lurl);
  assert.deepEqual(await bids(), [1, 1]);
  await restart();
  assert.deepEqual(await bids(), [0, 0]);
});

test('of a waterfall only what was shown counts after a restart', async () => {
  const limited = { ...film, ImpressionsDailyLimit: 1 };
  const campaigns = [await room.add('campaign', { ...limited, Cpm: 5 }), await room.add('campaign', limited)];
  const Campaigns = campaigns.map(({ Id }) => Id);
  const tag = await room.add('ortb/vasttag', { Waterfall: 1, Campaigns });
  await room.served();
  const ads = async () => shownBy(await played(server, tag));
  const [winner, fallback] = await ads();
  assert.ok(winner && fallback);
  assert.deepEqual(await ads(), []);
  await call(server.url + fallback);
  await restart();
  assert.equal((await ads()).length, 1);
  await restart();
  assert.deepEqual(await ads(), []);
});

test('bids count after a restart as before it', async () => {
  const BidsDailyLimit = 14_400;
  const campaigns = await Promise.all([1, 2, 3].map((Cpm) => room.add('campaign', { ...banner, Cpm })));
  const cheap = await room.add('campaign', { ...banner, Cpm: 0.5, BidsDailyLimit });
  const Campaigns = [...campaigns, cheap].map(({ Id }) => Id);
  const rtbEp = await room.add('ortb/rtbep', { BannerEnabled: 1, BidsDailyLimit, Campaigns });
  await room.served();
  const tooDear = requestOf([{ ...bannerImp, bidfloor: 0.6 }]);
  for (let i = 0; i < 10; i += 1) await post(zoneUrl(rtbEp), tooDear);
  await offer(rtbEp);
  // A limit that is reached tells what was counted.
  await room.call('ortb/rtbep/update', { RtbEp: { Id: rtbEp.Id, BidsDailyLimit: 1 } });
  await room.call('campaign/update', { Campaign: { Id: cheap.Id, BidsDailyLimit: 1 } });
  await room.served();
  const explained = async () => {
    const { Met, Candidates } = await room.call('exchange/explain', {
      RtbEp: { Id: rtbEp.Id },
      Request: { OpenRtb: requestOf([bannerImp]) },
    });
    const told = (Candidates as readonly Values[]).find(({ Id }) => Id === cheap.Id);
    return [Met, told?.Rule, told?.Met];
  };
  const counted = [11, 'bids_daily_limit', 1];
  assert.deepEqual(await explained(), counted);
  await restart();
  assert.deepEqual(await explained(), counted);
});

describe('impressions that are promised when a server ends', () => {
  const limit = { ImpressionsDailyLimit: 2 };
  /** The next server, which finds in the database what the last one has left there. */
  const ends: Readonly<Record<string, () => Promise<TestServer>>> = {
    orderly: async () => {
      await restart();
      return server;
    },
    'without an end': startAnother,
  };
  /** Limited by their campaign, and by themselves. */
  const tagsOf = new Map<string, readonly Stored[]>();
  before(async () => {
    for (const how of Object.keys(ends)) {
      const [limited, unlimited] = [
        await room.add('campaign', { ...film, ...limit }),
        await room.add('campaign', film),
      ];
      tagsOf.set(how, [
        await room.add('ortb/vasttag', { Campaigns: [limited.Id] }),
        await room.add('ortb/vasttag', { ...limit, Campaigns: [unlimited.Id] }),
      ]);
    }
    await room.served();
  });

  for (const [index, [how, start]] of Object.entries(ends).entries()) {
    test(`count on, and those that do not come are free an hour later: ${how}`, async (t) => {
      const tags = tagsOf.get(how) ?? assert.fail();
      const at = (minutes: number) => mock.timers.setTime(noonMs + (120 * index + minutes) * minuteMs);
      const shown: string[] = [];
      for (const minutes of [-10, 5]) {
        at(minutes);
        for (const tag of tags) shown.push(...shownBy(await played(server, tag)));
      }
      assert.equal(shown.length, 4);
      for (const tag of tags) await room.statistics(tag, ({ Wins }) => Wins === 2);
      at(10);
      const next = await start();
      if (next !== server) t.after(next.close);
      const ads = async () =>
        (await Promise.all(tags.map((tag) => played(next, tag)))).map((text) => shownBy(text).length > 0);
      assert.deepEqual(await ads(), [false, false]);
      // The first ones come, and count once.
      for (const path of shown.slice(0, 2)) await call(`${next.url}${path}`);
      assert.deepEqual(await ads(), [false, false]);
      at(69);
      assert.deepEqual(await ads(), [false, false]);
      // The second ones come no more: each may show another, and no more than that.
      at(72);
      assert.deepEqual(await ads(), [true, true]);
      assert.deepEqual(await ads(), [false, false]);
      for (const tag of tags) await room.statistics(tag, ({ Bills }) => Bills === 1);
    });
  }
});

describe('a daily limit in a time zone', () => {
  /** Takes three offers, as far as there are so many; how many those were. */
  const sold = async (rtbEp: Stored) => {
    let count = 0;
    for (let asked = 0; asked < 3; asked += 1)
      for (const { nurl } of await offers(rtbEp)) {
        await call(nurl);
        count += 1;
      }
    return count;
  };

  test('begins anew at midnight there, and goes on after a restart and a change of the zone', async () => {
    const [steady, moved] = zoned;
    assert.ok(steady && moved);
    const at = (day: number, time: string) => mock.timers.setTime(Date.parse(`2027-06-${day}T${time}Z`));
    const both = async () => [await sold(steady), await sold(moved)];
    at(15, '15:40');
    assert.deepEqual(await both(), [2, 2]);
    at(15, '16:01');
    await call((await offer(steady)).nurl);
    assert.deepEqual(await offers(moved), []);
    await restart();
    assert.deepEqual(await both(), [1, 0]);
    at(16, '00:01');
    assert.deepEqual(await both(), [0, 2]);
    await restart();
    assert.deepEqual(await both(), [0, 0]);
  });

  test('of a deal begins anew at half past there, and a restart forgets only the day before', async () => {
    const shown = async () => {
      const paths = shownBy(await played(server, indian ?? assert.fail()));
      for (const path of paths) await call(`${server.url}${path}`);
      return paths.length;
    };
    const threeTimes = async () => [await shown(), await shown(), await shown()];
    const at = (time: string) => mock.timers.setTime(Date.parse(`2027-06-16T${time}Z`));
    at('18:20');
    assert.deepEqual(await threeTimes(), [1, 1, 0]);
    at('18:35');
    assert.equal(await shown(), 1);
    at('18:40');
    await restart();
    assert.deepEqual(await threeTimes(), [1, 0, 0]);
  });
});
