import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { played } from '../protocols/vast/vast-player.ts';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { type MockDsp, startMockDsp, vastAd } from './mock-dsp.ts';
import { browser } from './pop-room.ts';
import { openVastRoom, type Told, type VastRoom } from './vast-room.ts';

let room: VastRoom;
let dsp: MockDsp;

before(async () => {
  room = await openVastRoom();
  dsp = await startMockDsp();
  dsp.answer('/ad', () => ({ body: vastAd() }));
});
after(() => Promise.all([room.close(), dsp.close()]));

/** What one request does: whether there is an ad, and whether the player shows it. */
interface Step {
  readonly ip?: string;
  readonly isShown?: boolean;
  readonly isAd: boolean;
}

/** A limit on either side, the requests that meet it, and how the one beyond it is explained. */
interface Row {
  readonly what: string;
  readonly tag?: Values;
  readonly campaign?: Values;
  /** A DSP VAST Tag instead of the campaign. */
  readonly dspVastTag?: Values;
  readonly steps: readonly Step[];
  readonly refusal: readonly [rule: string, field: string];
  /** The whole request is refused, rather than the demand. */
  readonly ofSupply?: boolean;
  readonly counts: Values;
}

const shown: Step = { isShown: true, isAd: true };
const won: Step = { isAd: true };
const empty: Step = { isAd: false };
const from = (ip: string, step: Step): Step => ({ ...step, ip });

const rows: readonly Row[] = [
  {
    what: 'RequestsDailyLimit of a tag: what is refused is not counted',
    tag: { RequestsDailyLimit: 1 },
    steps: [won, empty, empty],
    refusal: ['requests_daily_limit', 'RequestsDailyLimit'],
    ofSupply: true,
    counts: { Requests: 1, Wins: 1 },
  },
  {
    what: 'RequestsDailyLimit of demand',
    campaign: { RequestsDailyLimit: 1 },
    steps: [won, empty],
    refusal: ['requests_daily_limit', 'RequestsDailyLimit'],
    counts: { Requests: 2, Bids: 1, Wins: 1 },
  },
  {
    what: 'MaxQps of a tag',
    tag: { MaxQps: 1 },
    steps: [won, empty, empty],
    refusal: ['max_qps', 'MaxQps'],
    ofSupply: true,
    counts: { Requests: 1, Wins: 1 },
  },
  {
    what: 'MaxQps of demand',
    dspVastTag: { MaxQps: 1 },
    steps: [won, empty, empty],
    refusal: ['max_qps', 'MaxQps'],
    counts: { Requests: 3, Bids: 1, Wins: 1 },
  },
  {
    what: 'BidsDailyLimit of demand',
    campaign: { BidsDailyLimit: 1 },
    steps: [won, empty],
    refusal: ['bids_daily_limit', 'BidsDailyLimit'],
    counts: { Requests: 2, Bids: 2, Wins: 1 },
  },
  {
    what: 'BidsDailyLimit of demand that would have to be asked',
    dspVastTag: { BidsDailyLimit: 1 },
    steps: [won, empty],
    refusal: ['bids_daily_limit', 'BidsDailyLimit'],
    counts: { Requests: 2, Bids: 2, Wins: 1 },
  },
  {
    what: 'BidsDailyLimit of a tag',
    tag: { BidsDailyLimit: 1 },
    steps: [won, empty],
    refusal: ['bids_daily_limit', 'BidsDailyLimit'],
    ofSupply: true,
    counts: { Requests: 2, Bids: 2, Wins: 1 },
  },
  {
    what: 'ImpressionsDailyLimit of a tag: a win is promised one, shown or not',
    tag: { ImpressionsDailyLimit: 1 },
    steps: [won, empty],
    refusal: ['impressions_daily_limit', 'ImpressionsDailyLimit'],
    ofSupply: true,
    counts: { Requests: 2, Wins: 1, NetImpressions: 0 },
  },
  {
    what: 'ImpressionsDailyLimit of demand',
    campaign: { ImpressionsDailyLimit: 1 },
    steps: [shown, empty],
    refusal: ['impressions_daily_limit', 'ImpressionsDailyLimit'],
    counts: { Requests: 2, Wins: 1, NetImpressions: 1 },
  },
  {
    what: 'SpentDailyLimit of a tag: the payout is promised, shown or not',
    tag: { SpentDailyLimit: 0.002, Bidfloor: 1 },
    steps: [won, shown, empty],
    refusal: ['spent_daily_limit', 'SpentDailyLimit'],
    ofSupply: true,
    counts: { Requests: 3, Wins: 2, NetImpressions: 1, Spent: 0.001 },
  },
  {
    what: 'RevenueDailyLimit of a DSP VAST Tag: by what it pays',
    dspVastTag: { RevenueDailyLimit: 0.008 },
    steps: [shown, won, empty],
    refusal: ['revenue_daily_limit', 'RevenueDailyLimit'],
    counts: { Requests: 3, Wins: 2, NetImpressions: 1 },
  },
  {
    what: 'SpendDailyLimit of a campaign',
    campaign: { SpendDailyLimit: 0.004 },
    steps: [shown, empty],
    refusal: ['spent_daily_limit', 'SpendDailyLimit'],
    counts: { Requests: 2, Wins: 1 },
  },
  {
    what: 'SpendTotalLimit of a campaign: an ad that does not fit into the rest is refused',
    campaign: { SpendTotalLimit: 0.007 },
    steps: [shown, empty],
    refusal: ['spend_total_limit', 'SpendTotalLimit'],
    counts: { Requests: 2, Wins: 1 },
  },
  {
    what: 'ImpressionsLimitPerIp of demand: for the address that was told, and no other',
    campaign: { ImpressionsLimitPerIp: 1 },
    steps: [from('203.0.113.7', shown), from('203.0.113.8', won), from('203.0.113.7', empty)],
    refusal: ['impressions_per_ip', 'ImpressionsLimitPerIp'],
    counts: { Requests: 3, Wins: 2 },
  },
  {
    what: 'ImpressionsLimitPerIp of demand: what is promised counts, shown or not',
    campaign: { ImpressionsLimitPerIp: 1 },
    steps: [from('203.0.113.7', won), from('203.0.113.7', empty)],
    refusal: ['impressions_per_ip', 'ImpressionsLimitPerIp'],
    counts: { Requests: 2, Wins: 1 },
  },
  {
    what: 'ImpressionsLimitPerIp of a tag: IPv6 by /64',
    tag: { ImpressionsLimitPerIp: 1 },
    steps: [
      from('2001:db8:0:1::1', shown),
      from('2001:db8:0:2::1', won),
      from('2001:db8:0:1:ffff::9', empty),
    ],
    refusal: ['impressions_per_ip', 'ImpressionsLimitPerIp'],
    ofSupply: true,
    counts: { Requests: 3, Wins: 2 },
  },
];

describe('limits, through the door', () => {
  const arranged: { tag: Stored; demand: Stored }[] = [];
  before(async () => {
    for (const { tag, campaign, dspVastTag } of rows) {
      const demand = dspVastTag
        ? await room.add('ortb/dspvasttag', { FixedCpm: 4, ZoneUrlUsEast: `${dsp.url}/ad`, ...dspVastTag })
        : await room.add('campaign', campaign);
      const connected = dspVastTag ? { DspVastTags: [demand.Id] } : { Campaigns: [demand.Id] };
      arranged.push({ tag: await room.add('ortb/vasttag', { Tmax: 5000, ...tag, ...connected }), demand });
    }
    await room.served();
  });

  const play = async (tag: Stored, { ip, isShown, isAd }: Step) => {
    const url = zoneUrl(tag, ip === undefined ? {} : { ip });
    const { response, text } = await room.vast(url);
    assert.equal(response.status, 200);
    assert.equal((await played(text)).length, isAd ? 1 : 0, text);
    if (isShown) assert.equal((await fetch(room.trackers(text, 'impression')[0] ?? '')).status, 200);
    return url;
  };

  for (const [index, { what, steps, refusal, ofSupply }] of rows.entries()) {
    test(what, async () => {
      const { tag, demand } = arranged[index] ?? assert.fail();
      let url = '';
      for (const step of steps) url = await play(tag, step);
      const told = await room.explain(tag, url);
      const it = told.Candidates.find(({ Id }) => Id === demand.Id);
      // A rate is over a moment later.
      if (refusal[0] === 'max_qps') return;
      const met = ofSupply ? [told.Outcome, told.Field] : [it?.Rule, it?.Field];
      assert.deepEqual(met, refusal, JSON.stringify(told));
    });
  }

  for (const [index, { what, counts }] of rows.entries()) {
    test(`counted: ${what}`, async () => {
      const { tag } = arranged[index] ?? assert.fail();
      const row = await room.statistics(tag, ({ Requests }) => Number(Requests) >= Number(counts.Requests));
      const met = Object.fromEntries(Object.keys(counts).map((name) => [name, row[name]]));
      assert.deepEqual(met, counts);
    });
  }
});

describe('a request that is none of the tag', () => {
  const doors: readonly (readonly [string, (tag: Stored) => Promise<unknown> | string])[] = [
    ['inactive tag', (tag) => room.call('ortb/vasttag/deactivate', { VastTag: { Id: tag.Id } })],
    ['wrong auth', (tag) => zoneUrl(tag).replace(/auth=[^&]+/, 'auth=wrong')],
    ['no auth', (tag) => zoneUrl(tag).replace(/auth=[^&]+/, 'auth=')],
  ];
  for (const [what, change] of doors) {
    test(`${what}: valid VAST without an ad, and nothing counted`, async () => {
      const film = await room.add('campaign');
      const tag = await room.add('ortb/vasttag', { Campaigns: [film.Id] });
      const changed = await change(tag);
      await room.served();
      const { response, text } = await room.vast(typeof changed === 'string' ? changed : zoneUrl(tag));
      assert.equal(response.status, 200);
      assert.equal((await played(text)).length, 0);
      assert.equal((await room.auctions(tag)).length, 0);
    });
  }

  test('inactive demand and demand of an inactive owner is explained, and never asked', async () => {
    const film = await room.add('campaign');
    const owner = await room.add('advertiser', {
      Mail: 'b@example.com',
      Name: 'B',
      Country: 'DE',
      Username: 'other',
    });
    const theirs = await room.add('ortb/dspvasttag', {
      AdvertiserId: owner.Id,
      FixedCpm: 9,
      ZoneUrlUsEast: `${dsp.url}/never`,
    });
    const tag = await room.add('ortb/vasttag', { Campaigns: [film.Id], DspVastTags: [theirs.Id] });
    await room.call('campaign/deactivate', { Campaign: { Id: film.Id } });
    await room.call('advertiser/deactivate', { Advertiser: { Id: owner.Id } });
    await room.served();
    await room.vast(zoneUrl(tag));
    const { Candidates } = await room.explain(tag, zoneUrl(tag));
    const told = Candidates.map(({ Id, Rule, Field }) => [Id, Rule, Field]);
    assert.deepEqual(told, [
      [film.Id, 'inactive', 'Status'],
      [theirs.Id, 'owner_inactive', 'AdvertiserId'],
    ]);
    assert.equal(dsp.calls('/never').length, 0);
  });
});

test('without a request the last one that was seen is explained, as if it came now', async () => {
  const film = await room.add('campaign', { WebEnabled: 0 });
  const tag = await room.add('ortb/vasttag', { Campaigns: [film.Id] });
  await room.served();
  const ask = () =>
    fetch(`${room.server.url}/api/exchange/explain`, {
      method: 'POST',
      headers: { authorization: `Bearer ${room.server.token}` },
      body: JSON.stringify({ VastTag: { Id: tag.Id } }),
    });
  const unseen = await ask();
  assert.equal(unseen.status, 406);
  assert.deepEqual(((await unseen.json()) as { Errors: readonly Values[] }).Errors[0]?.Path, 'Request');
  await room.vast(zoneUrl(tag, { site_url: 'https://news.example/' }));
  const told = (await (await ask()).json()) as Told;
  assert.deepEqual(
    told.Candidates.map(({ Rule, Met }) => [Rule, Met]),
    [['environment_not_enabled', 'web']],
  );
  await room.call('campaign/update', { Campaign: { Id: film.Id, WebEnabled: 1 } });
  await room.served();
  assert.equal(((await (await ask()).json()) as Told).Outcome, 'won');
  await room.call('ortb/vasttag/update', { VastTag: { Id: tag.Id, Bidfloor: 1000 } });
  await room.served();
  assert.equal(((await (await ask()).json()) as Told).Candidates[0]?.Rule, 'below_floor');
});

describe('invalid traffic', () => {
  test('MaxIvt: the inventory of bots is refused after 100 events, other inventory is not', async () => {
    const careful = await room.add('campaign', { MaxIvt: 50, Cpm: 9 });
    const careless = await room.add('campaign', { Cpm: 1 });
    const tag = await room.add('ortb/vasttag', { Campaigns: [careful.Id, careless.Id] });
    await room.served();
    const bot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
    const at = (site: string) => zoneUrl(tag, { site_url: `https://${site}/`, ua: bot });
    await Promise.all(Array.from({ length: 101 }, () => room.vast(at('bots.example'))));
    const rulesOf = async (site: string) =>
      (await room.explain(tag, at(site))).Candidates.map(({ Rule, Outcome }) => Rule || Outcome);
    assert.deepEqual(await rulesOf('bots.example'), ['invalid_traffic', 'won']);
    assert.deepEqual(await rulesOf('people.example'), ['won', 'lost']);
  });

  test('MaxIvt: a tracker that is called again and again counts once', async () => {
    const film = await room.add('campaign', { UaMatch: 1, MaxIvt: 30, ClickUrl: 'https://brand.example/' });
    const tag = await room.add('ortb/vasttag', { Campaigns: [film.Id] });
    await room.served();
    const url = zoneUrl(tag, { site_url: 'https://seen.example/', ua: browser });
    const texts = await Promise.all(Array.from({ length: 100 }, async () => (await room.vast(url)).text));
    const pixels = texts.map((text) => room.trackers(text, 'impression')[0] ?? assert.fail());
    const [first = ''] = pixels;
    const rule = async () => (await room.explain(tag, url)).Candidates[0]?.Rule;
    const callAll = async (urls: readonly string[], agent: string) => {
      const headers = { 'user-agent': agent };
      await Promise.all(urls.map((each) => fetch(each, { headers, redirect: 'manual' })));
    };
    await callAll(Array<string>(150).fill(first), 'Other/1');
    assert.equal(await rule(), '');
    await callAll(pixels, 'Other/1');
    assert.equal(await rule(), 'invalid_traffic');
    await callAll(Array<string>(400).fill(first), browser);
    assert.equal(await rule(), 'invalid_traffic');
    const { Bills } = await room.statistics(tag, (row) => row.Bills === 1);
    assert.equal(Bills, 1);
  });

  test('match flags: an impression that they refuse is answered, and counts nothing', async () => {
    const film = await room.add('campaign', { NonEmptyReferer: 1, UaMatch: 1, IpMatch: 1 });
    const tag = await room.add('ortb/vasttag', { Campaigns: [film.Id] });
    await room.served();
    const { text } = await room.vast(zoneUrl(tag, { ip: '203.0.113.7' }));
    const [impression = ''] = room.trackers(text, 'impression');
    assert.equal((await fetch(impression)).status, 200);
    const row = await room.statistics(tag, ({ Wins }) => Number(Wins) > 0);
    assert.deepEqual([row.Bills, row.NetImpressions], [0, 0]);
  });
});
