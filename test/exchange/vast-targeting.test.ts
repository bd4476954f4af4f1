import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Macros, Values } from './exchange-room.ts';
import { type MockDsp, pricing, startMockDsp, vastAd } from './mock-dsp.ts';
import { ipv4Bits, mmdbFile } from './reading/mmdb-file.ts';
import { openVastRoom, type VastRoom } from './vast-room.ts';
import { bidder, campaign, dspRtbEp, dspVastTag, type Row, testRows } from './vast-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'bourse-targeting-'));
const geoIpDatabase = join(folder, 'country.mmdb');
const lists = new Map<string, number>();
let room: VastRoom;
let dsp: MockDsp;

const listed: readonly (readonly [path: string, name: string, text: string, values?: Values])[] = [
  ['domainlist', 'news', 'news.example'],
  ['domainlist', 'nobody', 'nobody.example', { Global: 1 }],
  ['applist', 'games', 'com.example.game'],
  ['iplist', 'offices', '198.51.100.0/24\n2001:db8:1::-2001:db8:1::ffff\n192.0.2.7'],
];

before(async () => {
  const german = [ipv4Bits('203.0.113.0', 24), { country: { iso_code: 'DE' } }] as const;
  writeFileSync(geoIpDatabase, mmdbFile([german]));
  room = await openVastRoom({ geoIpDatabase });
  dsp = await startMockDsp();
  for (const [path, Name, ListText, more] of listed) {
    lists.set(Name, (await room.add(path, { Name, ListText, ...more })).Id);
  }
});
after(async () => {
  await Promise.all([room.close(), dsp.close()]);
  rmSync(folder, { recursive: true });
});

const ua = {
  android14:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
  windows:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
};
const site = (host: string) => ({ site_url: `https://${host}/page` });
const blocked = { DomainsBrandsListMode: 0, DomainsBrandsList: ['news'] };
const allowed = { DomainsBrandsListMode: 1, DomainsBrandsList: ['news'] };
const android = (Major: string, Minor: string) => ({
  Os: [{ Family: 'Android', Versions: [{ Major, Minor }] }],
});

/** What a campaign's targeting makes of a request: that it wins, or the rule and field that refuse it. */
function film(
  what: string,
  values: Values,
  macros: Macros,
  refusal?: readonly [rule: string, field: string],
): Row {
  return refusal
    ? {
        what,
        demand: { film: campaign(values) },
        macros,
        outcome: 'no_demand',
        refused: { film: refusal },
        bids: 0,
      }
    : { what, demand: { film: campaign(values) }, macros, winner: 'film', bids: 1 };
}

/** What the tag's own targeting makes of a request; nobody is asked where it refuses. */
function tag(what: string, values: Values, macros: Macros, outcome: string): Row {
  return { what, tag: values, demand: { film: campaign() }, macros, outcome, bids: 0 };
}

const rows: readonly Row[] = [
  film('no targeting restricts nothing', {}, {}),
  film('a blacklist ignores a missing value', blocked, {}),
  film('a whitelist refuses a missing value', allowed, {}, ['domain_listed', 'DomainsBrandsList']),
  film('a listed domain', blocked, site('news.example'), ['domain_listed', 'DomainsBrandsList']),
  film('its subdomains', blocked, site('a.b.news.example'), ['domain_listed', 'DomainsBrandsList']),
  film('a domain that only ends alike', blocked, site('badnews.example')),
  film('a whitelist with the domain', allowed, site('www.news.example')),
  film('an app by its bundle', { AppsList: ['games'] }, { app_bundle: 'com.example.game' }, ['app_listed', 'AppsList']),
  film('an app by a whitelist', { AppsListMode: 1, AppsList: ['games'] }, { app_bundle: 'com.example.game' }),
  film('a size by a whitelist', { SizesListMode: 1, SizesList: ['640x360'] }, { width: '640', height: '360' }),
  film('a size by a blacklist', { SizesList: ['640x360'] }, { width: '640', height: '360' }, ['size_not_targeted', 'SizesList']),
  film('an address of a range', { IpBlacklists: ['offices'] }, { ip: '198.51.100.99' }, ['ip_blocked', 'IpBlacklists']),
  film('a single address', { IpBlacklists: ['offices'] }, { ip: '192.0.2.7' }, ['ip_blocked', 'IpBlacklists']),
  film('an IPv6 address of a range', { IpBlacklists: ['offices'] }, { ip: '2001:db8:1::9' }, ['ip_blocked', 'IpBlacklists']),
  film('an address beside the range', { IpBlacklists: ['offices'] }, { ip: '198.51.101.1' }),
  film('IPv6 where it is not allowed', { AllowIpV6: 0 }, { ip: '2001:db8::1' }, ['ip_v6_not_allowed', 'AllowIpV6']),
  film('the country of the address', { Countries: [{ CC: 'DE' }] }, { ip: '203.0.113.9' }),
  film('another country', { Countries: [{ CC: 'US' }] }, { ip: '203.0.113.9' }, ['country_not_targeted', 'Countries']),
  film('a country that is not known', { Countries: [{ CC: 'DE' }] }, { ip: '8.8.8.8' }, ['country_not_targeted', 'Countries']),
  film('an operating system and major version', android('14', ''), { ua: ua.android14 }),
  film('another version', android('13', ''), { ua: ua.android14 }, ['os_not_targeted', 'Os']),
  film('all minors of a version that is told', android('14', ''), { os: 'Android', osv: '14.3' }),
  film('one minor of a version that is told', android('14', '2'), { os: 'Android', osv: '14.3' }, ['os_not_targeted', 'Os']),
  film('a browser', { Browsers: [{ Family: 'Firefox' }] }, { ua: ua.android14 }, ['browser_not_targeted', 'Browsers']),
  film('a device of the general type', { DeviceTypes: [1] }, { ua: ua.android14 }),
  film('a device of another type', { DeviceTypes: [2] }, { ua: ua.android14 }, ['device_type_not_targeted', 'DeviceTypes']),
  film('a personal computer', { DeviceTypes: [2] }, { ua: ua.windows }),
  film('a category covers those below it', { IabCategories: ['IAB1'] }, { category: 'IAB1-2' }),
  film('a category below does not cover', { IabCategories: ['IAB1-2'] }, { category: 'IAB1' }, ['category_not_targeted', 'IabCategories']),
  film('web traffic', { WebEnabled: 0 }, site('news.example'), ['environment_not_enabled', 'WebEnabled']),
  film('app traffic', { AppEnabled: 0 }, { app_bundle: 'com.example.game' }, ['environment_not_enabled', 'AppEnabled']),
  film('a campaign to come', { StartDate: '2099-01-01' }, {}, ['out_of_flight', 'StartDate']),
  {
    what: 'categories of the tag describe its inventory',
    tag: { IabCategories: ['IAB2-1'] },
    demand: { film: campaign({ IabCategories: ['IAB2'] }) },
    winner: 'film',
    bids: 1,
  },
  ...['https://player.example/', 'https://www.news.example/page'].map((referer): Row => ({
    what: `the tag's own site, whatever page asks: ${referer}`,
    tag: { SiteDomain: 'WWW.News.example' },
    headers: { referer },
    demand: {
      blocks: campaign(blocked),
      fits: bidder({ price: 3 }, { VideoEnabled: 1, ...allowed }),
    },
    refused: { blocks: ['domain_listed', 'DomainsBrandsList'] },
    winner: 'fits',
    called: ['fits'],
    bids: 1,
    document: (_, calls) => {
      const { site: told } = JSON.parse(calls('fits')[0]?.body ?? '{}') as { readonly site?: Values };
      const page = referer.includes('news') ? referer : undefined;
      assert.deepEqual([told?.domain, told?.page], ['news.example', page]);
    },
  })),
  {
    what: 'the page that asks, where the tag tells no site',
    headers: { referer: 'https://news.example/page' },
    demand: { film: campaign(allowed) },
    winner: 'film',
    bids: 1,
  },
  {
    what: 'PubIdList is held against the publisher\'s SellerId',
    demand: {
      fits: dspVastTag({ FixedCpm: 2, PubIdListMode: 1, PubIdList: 'x\n pub-7' }, () => ({ body: vastAd() })),
      blocks: dspVastTag({ FixedCpm: 9, PubIdList: 'pub-7' }, () => ({ body: vastAd() })),
      wants: dspVastTag({ FixedCpm: 9, PubIdListMode: 1, PubIdList: '1' }, () => ({ body: vastAd() })),
    },
    winner: 'fits',
    refused: { blocks: ['publisher_blocked', 'PubIdList'], wants: ['publisher_blocked', 'PubIdList'] },
    called: ['fits'],
    bids: 1,
  },
  {
    what: 'MaxBidfloor and MinTmax keep demand out, unasked',
    tag: { Bidfloor: 2, Tmax: 4000 },
    demand: {
      dear: dspVastTag({ MaxBidfloor: 1.99 }, () => ({ body: vastAd({ pricing: pricing('9') }) })),
      slow: dspVastTag({ MinTmax: 4001 }, () => ({ body: vastAd({ pricing: pricing('9') }) })),
      fits: dspVastTag({ MaxBidfloor: 2, MinTmax: 4000 }, () => ({ body: vastAd({ pricing: pricing('3') }) })),
    },
    winner: 'fits',
    refused: { dear: ['floor_above_maximum', 'MaxBidfloor'], slow: ['insufficient_time', 'MinTmax'] },
    called: ['fits'],
    bids: 1,
  },
  {
    what: 'the floor of a request raises that of the tag',
    tag: { Bidfloor: 1 },
    macros: { bidfloor: '3.5' },
    demand: {
      dear: dspVastTag({ MaxBidfloor: 3 }, () => ({ body: vastAd({ pricing: pricing('9') }) })),
      low: campaign({ Cpm: 3.4 }),
      high: campaign({ Cpm: 3.5 }),
    },
    winner: 'high',
    refused: { dear: ['floor_above_maximum', 'MaxBidfloor'], low: ['below_floor', 'Bidfloor'] },
    called: [],
    bids: 2,
  },
  {
    what: 'demand of another medium, and inactive demand, is never asked',
    demand: {
      banner: campaign({ Type: 2, Html: '<p>banner</p>' }),
      bidder: dspRtbEp({ VideoEnabled: 0, BannerEnabled: 1 }, () => ({ body: '' })),
    },
    outcome: 'no_demand',
    refused: { banner: ['media_not_enabled', 'Type'], bidder: ['media_not_enabled', 'VideoEnabled'] },
    called: [],
    bids: 0,
  },
  tag('the tag\'s own countries', { Countries: [{ CC: 'US' }] }, { ip: '203.0.113.9' }, 'country_not_targeted'),
  tag('the tag\'s own systems', android('13', ''), { ua: ua.android14 }, 'os_not_targeted'),
  tag('the tag\'s own domains', blocked, site('news.example'), 'domain_listed'),
  tag('the tag\'s own addresses', { IpBlacklists: ['offices'] }, { ip: '192.0.2.7' }, 'ip_blocked'),
  tag('the tag\'s own IPv6', { AllowIpV6: 0 }, { ip: '2001:db8::1' }, 'ip_v6_not_allowed'),
  tag('the tag\'s own sizes', { SizesListMode: 1, SizesList: ['1x1'] }, { width: '640', height: '360' }, 'size_not_targeted'),
  tag('a global list, which nobody names', {}, site('nobody.example'), 'domain_listed'),
  tag('the tag\'s own environment', { WebEnabled: 0 }, site('news.example'), 'environment_not_enabled'),
]; // biome-ignore format: a table

testRows('targeting', () => ({ room, dsp, lists }), rows);
