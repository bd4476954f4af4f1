import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ask } from './ask.ts';
import { filled, type Macros, type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { browser } from './pop-room.ts';
import { openVastRoom, type VastRoom } from './vast-room.ts';

let room: VastRoom;
/** IDs of lists and of the campaign that all tags have. */
let lists: Readonly<Record<'block' | 'invalid' | 'centre', number>>;
let film: Stored;

const centre = '198.51.100.9';
const bot = 'python-requests/2.31.0';

before(async () => {
  room = await openVastRoom({ trustedProxies: 1 });
  const listOf = async (Kind: number, ListText: string) =>
    (await room.add('iplist', { Name: `Kind ${Kind}`, Kind, ListText })).Id;
  lists = {
    block: await listOf(0, '198.51.100.7'),
    invalid: await listOf(1, '198.51.100.8'),
    centre: await listOf(2, '198.51.100.9-198.51.100.20'),
  };
  film = await room.add('campaign');
});
after(() => room.close());

/** What reports of today and tomorrow say of a supply object. */
async function report(supply: string, GroupBy: readonly string[]): Promise<readonly Values[]> {
  const [From, To] = [0, 86_400_000].map((later) => new Date(Date.now() + later).toISOString().slice(0, 10));
  const Filters = [{ Field: 'Supply', Operator: 'In', Values: [supply] }];
  const { Rows } = await room.call('statistics/report', {
    From,
    To,
    GroupBy,
    Measures: ['Invalid'],
    Filters,
  });
  return Rows as readonly Values[];
}

/** What is counted as `Invalid` of a supply object, by reason, once there is as much as awaited. */
async function invalidOf({ Id }: Stored, kind: string, awaited: number) {
  const sumOf = (rows: readonly Values[]) => rows.reduce((sum, { Invalid }) => sum + Number(Invalid), 0);
  for (let tries = 0; ; tries += 1) {
    await room.server.flush();
    const rows = await report(`${kind}:${Id}`, ['Reason']);
    if (sumOf(rows) < awaited && tries < 100) {
      await delay(20);
      continue;
    }
    assert.equal(sumOf(await report(`${kind}:${Id}`, [])), sumOf(rows));
    const counted = rows.filter(({ Invalid }) => Invalid !== 0);
    return Object.fromEntries(counted.map(({ Reason, Invalid }) => [Reason, Invalid]));
  }
}

interface Case {
  readonly name: string;
  readonly tag?: () => Values;
  readonly macros?: Macros;
  readonly headers?: Readonly<Record<string, string>>;
  readonly hasAd: boolean;
  readonly invalid: Readonly<Record<string, number>>;
}

const ofCentre = () => ({ IpBlacklists: [lists.block, lists.centre] });
const servers = (SsaiServers: string) => () => ({ ...ofCentre(), MaxIvt: 50, SsaiServers });
const asked = { 'user-agent': browser };
const forwarded = { ...asked, 'x-forwarded-for': centre };
const stitcher = { 'user-agent': 'ExampleStitcher/2.1', 'x-forwarded-for': centre };

const cases: readonly Case[] = [
  { name: 'a person', tag: ofCentre, headers: asked, hasAd: true, invalid: {} },
  {
    name: 'an address in a data centre',
    tag: ofCentre,
    headers: forwarded,
    hasAd: false,
    invalid: { data_centre: 1 },
  },
  {
    name: 'an address in a data centre, as the request names it',
    tag: ofCentre,
    headers: asked,
    macros: { ip: centre },
    hasAd: false,
    invalid: { data_centre: 1 },
  },
  { name: 'of a tag that names no list', headers: forwarded, hasAd: true, invalid: {} },
  {
    name: 'an address of invalid traffic',
    tag: () => ({ IpBlacklists: [lists.invalid] }),
    headers: asked,
    macros: { ip: '198.51.100.8' },
    hasAd: false,
    invalid: { invalid_address: 1 },
  },
  {
    name: 'a blocked address is not invalid',
    tag: ofCentre,
    headers: asked,
    macros: { ip: '198.51.100.7' },
    hasAd: false,
    invalid: {},
  },
  {
    name: 'a library of HTTP, of any traffic',
    headers: { 'user-agent': bot },
    hasAd: true,
    invalid: { known_bot: 1 },
  },
  {
    name: 'a library of HTTP',
    tag: () => ({ MaxIvt: 99 }),
    headers: { 'user-agent': bot },
    hasAd: false,
    invalid: { known_bot: 1 },
  },
  { name: 'no user agent', tag: () => ({ MaxIvt: 99 }), hasAd: false, invalid: { impossible_agent: 1 } },
  {
    name: 'no user agent of a server that names the device’s',
    tag: () => ({ MaxIvt: 99 }),
    macros: { ua: browser },
    hasAd: true,
    invalid: {},
  },
  ...['sec-purpose', 'purpose', 'x-moz'].map((header) => ({
    name: `a prefetch, by ${header}`,
    headers: { ...asked, [header]: 'prefetch' },
    hasAd: false,
    invalid: { prefetch: 1 },
  })),
  {
    name: 'a server of SSAI that is not named',
    tag: servers('192.0.2.1'),
    headers: stitcher,
    hasAd: false,
    invalid: { data_centre: 1 },
  },
  {
    name: 'a server of SSAI by its address, with the device that it names',
    tag: servers('192.0.2.1\n198.51.100.0/24'),
    headers: { ...stitcher, 'x-device-ip': '203.0.113.7', 'x-device-user-agent': browser },
    hasAd: true,
    invalid: {},
  },
  {
    name: 'a server of SSAI by its user agent, without a device',
    tag: servers('ExampleStitcher/'),
    headers: stitcher,
    hasAd: true,
    invalid: {},
  },
  {
    name: 'a bot behind a server of SSAI',
    tag: servers('ExampleStitcher/'),
    headers: { ...stitcher, 'x-device-user-agent': bot },
    hasAd: false,
    invalid: { known_bot: 1 },
  },
  {
    name: 'what a stranger says of a device',
    tag: servers('192.0.2.1'),
    headers: { ...forwarded, 'x-device-ip': '203.0.113.7' },
    hasAd: false,
    invalid: { data_centre: 1 },
  },
];

describe('a request that is invalid traffic', () => {
  const usernames = cases.keys();
  for (const { name, tag = () => ({}), macros = {}, headers = {}, hasAd, invalid } of cases) {
    test(name, async () => {
      // An owner of its own: a publisher's other traffic says what to expect of this.
      const account = {
        Mail: 'p@example.com',
        Name: 'P',
        Country: 'DE',
        Username: `p${usernames.next().value}`,
      };
      const { Id: PublisherId } = await room.add('publisher', account);
      const added = await room.add('ortb/vasttag', { PublisherId, Campaigns: [film.Id], ...tag() });
      await room.served();
      const { text } = await ask(zoneUrl(added, macros), headers);
      assert.equal(text.includes('<Ad'), hasAd);
      const counted = Object.values(invalid).reduce((sum, count) => sum + count, 0);
      assert.deepEqual(await invalidOf(added, 'VastTag', counted), invalid);
    });
  }

  test('demand that names a list is refused by it, and other demand is not', async () => {
    const careful = await room.add('campaign', { IpBlacklists: [lists.centre], Cpm: 9 });
    const tag = await room.add('ortb/vasttag', { Campaigns: [careful.Id, film.Id] });
    await room.served();
    const { Candidates } = await room.explain(tag, zoneUrl(tag, { ip: centre, ua: browser }));
    assert.deepEqual(
      Candidates.map(({ Rule, Field, Wanted, Met, Outcome }) => [Outcome, Rule, Field, Wanted, Met]),
      [
        ['refused', 'data_centre', 'IpBlacklists', { not: [lists.centre] }, centre.replace(/\d+$/, '0')],
        ['won', '', '', null, null],
      ],
    );
  });

  test('a list that becomes another kind refuses by another reason', async () => {
    const list = await room.add('iplist', { Name: 'Changing', ListText: centre });
    const tag = await room.add('ortb/vasttag', { Campaigns: [film.Id], IpBlacklists: [list.Id] });
    const outcome = async () => {
      await room.served();
      return (await room.explain(tag, zoneUrl(tag, { ip: centre, ua: browser }))).Outcome;
    };
    const outcomes = [await outcome()];
    for (const Kind of [1, 2]) {
      await room.call('iplist/update', { IpList: { Id: list.Id, Kind } });
      outcomes.push(await outcome());
    }
    assert.deepEqual(outcomes, ['ip_blocked', 'invalid_address', 'data_centre']);
  });

  test('a pixel that is fetched in advance bills nothing, and the visitor’s own does', async () => {
    const tag = await room.add('ortb/vasttag', { Campaigns: [film.Id] });
    await room.served();
    const { text } = await room.vast(zoneUrl(tag, { ua: browser }), asked);
    const [impression = ''] = room.trackers(text, 'impression');
    await ask(impression, { ...asked, 'sec-purpose': 'prefetch' });
    assert.deepEqual(await invalidOf(tag, 'VastTag', 1), { prefetch: 1 });
    await ask(impression, asked);
    const { Bills } = await room.statistics(tag, (row) => row.Bills === 1);
    assert.equal(Bills, 1);
  });

  test('banners are not fetched in advance either', async () => {
    const campaign = await room.add('campaign', { Type: 1, Html: '<b>Buy</b>', MediaUrl: '', Duration: 0 });
    const banner = await room.add('bannerep', { Campaigns: [campaign.Id], Width: 640, Height: 360 });
    await room.served();
    const sent = await ask(filled(zoneUrl(banner), {}), { ...asked, 'sec-purpose': 'prefetch;prerender' });
    assert.equal(sent.status, 204);
    assert.deepEqual(await invalidOf(banner, 'BannerEp', 1), { prefetch: 1 });
  });
});
