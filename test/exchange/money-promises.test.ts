import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, mock, test } from 'node:test';
import { freshDatabaseAt } from '../support/postgres.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { furnish, type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { bannerImp, post, requestOf } from './rtb-room.ts';
import { film } from './vast-room.ts';

const folder = mkdtempSync(join(tmpdir(), 'bourse-money-'));
const postgres = process.env.BOURSE_TEST_POSTGRES;
let databaseUrl = `sqlite:${join(folder, 'bourse.db')}`;
const minuteMs = 60_000;
const midnightMs = Date.UTC(2027, 5, 16);
const at = (minutes: number) => mock.timers.setTime(midnightMs + minutes * minuteMs);

let server: TestServer;
let room: Awaited<ReturnType<typeof furnish>>;

before(async () => {
  mock.timers.enable({ apis: ['Date'], now: midnightMs - 10 * minuteMs });
  if (postgres !== undefined) databaseUrl = await freshDatabaseAt(postgres);
  server = await startTestServer({ databaseUrl, allowPrivateDemand: true });
  room = await furnish(server);
});
after(async () => {
  await server.close();
  mock.timers.reset();
  rmSync(folder, { recursive: true, force: true });
});

/** Stops the server, and starts another at its port. */
const restart = async () => {
  const port = Number(new URL(server.url).port);
  await server.close();
  server = await startTestServer({ databaseUrl, port, allowPrivateDemand: true });
};

/** Impression trackers of what a tag answers, the winner's first. */
const ads = async (tag: Stored) => {
  const text = await (await fetch(zoneUrl(tag))).text();
  return text.match(/http[^\]]*\/track\/impression\?t=[\w.:~-]+/g) ?? [];
};
const show = async (url: string | undefined) => assert.equal((await fetch(url ?? '')).status, 200);
async function tagWith(campaigns: readonly Values[], values: Values = {}): Promise<Stored> {
  const added = await Promise.all(
    campaigns.map((campaign) => room.add('campaign', { ...film, ...campaign })),
  );
  const tag = await room.add('ortb/vasttag', { Tmax: 5000, ...values, Campaigns: added.map(({ Id }) => Id) });
  await room.served();
  return tag;
}
const costOf = (Cpm: number, ads: number) => (Cpm * ads) / 1000;
/** Counts of a day of June 2027. */
const reportOf = async (tag: Stored, day: number): Promise<Values> => {
  const date = `2027-06-${day}`;
  const url = String(tag.StatsByDateJson).replace('{date_from}', date).replace('{date_to}', date);
  return ((await (await fetch(url)).json()) as Values[])[0] ?? assert.fail();
};

describe('an ad that is handed out at 23:59 and shown at 00:01', () => {
  const limitsOf: Readonly<Record<string, readonly [tag: Values, campaign: Values]>> = {
    SpendDailyLimit: [{}, { SpendDailyLimit: costOf(4, 1) }],
    SpentDailyLimit: [{ Bidfloor: 4, SpentDailyLimit: costOf(4, 1) }, {}],
    ImpressionsDailyLimit: [{ ImpressionsDailyLimit: 1 }, {}],
    ImpressionsLimitPerIp: [{}, { ImpressionsLimitPerIp: 1 }],
  };
  for (const [name, [ofTag, ofCampaign]] of Object.entries(limitsOf)) {
    test(`belongs to yesterday, in ${name} and in reports`, async () => {
      at(-10);
      const tag = await tagWith([ofCampaign], ofTag);
      at(-1);
      const [late] = await ads(tag);
      assert.deepEqual(await ads(tag), []);
      at(1);
      const [early] = await ads(tag);
      assert.ok(early, 'the new day begins with its whole allowance');
      await show(late);
      await show(late);
      assert.deepEqual(await ads(tag), []);
      await show(early);
      assert.deepEqual(await ads(tag), []);
      const row = async (day: number) => {
        const { Bills, NetImpressions, Wins } = await reportOf(tag, day);
        return { Bills, NetImpressions, Wins };
      };
      await room.statistics(tag, ({ Requests }) => Requests === 3);
      const one = { Bills: 1, NetImpressions: 1, Wins: 1 };
      assert.deepEqual([await row(15), await row(16)], [one, one]);
      await restart();
      assert.deepEqual(await ads(tag), [], 'after a restart');
    });
  }

  test('counts in all on both days, and over a restart between them', async () => {
    at(-10);
    const tag = await tagWith([{ SpendTotalLimit: costOf(4, 2) }]);
    at(-1);
    const [late] = await ads(tag);
    await room.statistics(tag, ({ Requests }) => Requests === 1);
    at(1);
    await restart();
    const [early] = await ads(tag);
    assert.deepEqual([Boolean(late && early), await ads(tag)], [true, []]);
    await show(late);
    await show(early);
    await restart();
    assert.deepEqual(await ads(tag), []);
  });
});

describe('what was promised of a limit of money is free again', () => {
  test('an hour later, where the ad was not shown, and the ad counts nothing from then on', async () => {
    at(10);
    const tag = await tagWith([{ SpendDailyLimit: costOf(4, 1) }]);
    const [first] = await ads(tag);
    at(69);
    assert.deepEqual(await ads(tag), []);
    at(72);
    const [second] = await ads(tag);
    assert.ok(second);
    await show(first);
    await show(second);
    const { Bills } = await room.statistics(tag, (row) => row.Bills !== 0);
    assert.equal(Bills, 1);
  });

  test('fifteen minutes later, where an address was promised it, which the ad does not outlive', async () => {
    at(10);
    const tag = await tagWith([{ ImpressionsLimitPerIp: 1 }]);
    const [first] = await ads(tag);
    at(24);
    assert.deepEqual(await ads(tag), []);
    at(25);
    await show(first);
    at(28);
    const [second] = await ads(tag);
    await show(second);
    const { Bills } = await room.statistics(tag, (row) => row.Bills !== 0);
    assert.equal(Bills, 1);
  });

  test('at once, where an offer has lost, and otherwise six minutes later', async () => {
    at(10);
    const banner = { ...film, Type: 2, Html: '<p>Hi</p>', Width: 300, Height: 250, Cpm: 3 };
    const limited = await room.add('campaign', { ...banner, SpendDailyLimit: costOf(3, 1) });
    const rtbEp = await room.add('ortb/rtbep', { BannerEnabled: 1, Campaigns: [limited.Id] });
    await room.served();
    const offers = async () => (await post(zoneUrl(rtbEp), requestOf([bannerImp]))).bids;
    const [lost] = await offers();
    assert.deepEqual(await offers(), []);
    await show(lost?.lurl);
    const [silent] = await offers();
    assert.equal(silent?.exp, 300);
    at(15);
    assert.deepEqual(await offers(), []);
    at(17);
    assert.equal((await offers()).length, 1);
  });

  test('at once, where another ad of the answer is shown', async () => {
    at(10);
    const [dear, cheap] = [
      { Cpm: 5, SpendDailyLimit: costOf(5, 1) },
      { Cpm: 4, SpendDailyLimit: costOf(4, 2) },
    ];
    const tag = await tagWith([dear, cheap], { Waterfall: 1, SpentDailyLimit: 1, Bidfloor: 1 });
    const [, fallback] = await ads(tag);
    // The second answer has only the cheaper ad, of which both are promised now.
    assert.equal((await ads(tag)).length, 1);
    assert.deepEqual(await ads(tag), []);
    await show(fallback);
    assert.equal((await ads(tag)).length, 1);
    assert.deepEqual(await ads(tag), []);
  });
});

describe('an ad that does not fit into what is left', () => {
  test('leaves the auction to the next one that does', async () => {
    at(10);
    const tag = await tagWith([{ Cpm: 5, SpendDailyLimit: costOf(5, 1.5) }, { Cpm: 4 }]);
    const cost = async () => {
      const [url] = await ads(tag);
      await show(url);
    };
    await cost();
    await cost();
    const { Candidates } = (await room.call('exchange/explain', {
      VastTag: { Id: tag.Id },
      Request: { Url: zoneUrl(tag) },
    })) as { readonly Candidates: readonly Values[] };
    const told = Candidates.map(({ Outcome, Rule, Field, Wanted, Met, Price }) => {
      return [Outcome, Rule, Field, Wanted, Met, Price];
    });
    assert.deepEqual(told, [
      ['refused', 'spent_daily_limit', 'SpendDailyLimit', 0.0075, 0.005, 5],
      ['won', '', '', null, null, 4],
    ]);
    const { Bills } = await room.statistics(tag, (row) => row.Bills === 2);
    assert.equal(Bills, 2);
  });

  test('of the supply object does, too, and the demand has promised nothing for it', async () => {
    at(10);
    const [dear, cheap] = [{ Cpm: 6, SpendDailyLimit: costOf(6, 1) }, { Cpm: 4 }];
    const values = { Bidfloor: 2, SpentDailyLimit: costOf(5, 1) };
    const tag = await tagWith([dear, cheap], { ...values, PublisherProfitShare: 100 });
    assert.equal((await ads(tag)).length, 1);
    assert.deepEqual(await ads(tag), []);
    await room.call('ortb/vasttag/update', { VastTag: { Id: tag.Id, SpentDailyLimit: 0 } });
    await room.served();
    const [first] = await ads(tag);
    await show(first);
    const { Spent } = await room.statistics(tag, (row) => row.Bills === 1);
    assert.equal(Spent, costOf(6, 1));
  });
});
