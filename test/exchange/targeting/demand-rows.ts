import { parseIpAddress } from '../../../src/exchange/reading/ip-address.ts';
import { chain, type Row, refused } from './rule-row.ts';
import type { ListSample } from './samples.ts';

/** The lists that rows name. */
export const samples: readonly ListSample[] = [
  { kind: 'DomainList', id: 1, lines: ['example.com'] },
  { kind: 'DomainList', id: 2, lines: ['www.other.test'] },
  { kind: 'DomainList', id: 3, lines: ['example.com'], isActive: false },
  { kind: 'DomainList', id: 4, lines: ['everywhere.test'], isGlobal: true },
  { kind: 'DomainList', id: 5, lines: ['example.com'], isGlobal: true, teamId: 2 },
  { kind: 'AppList', id: 6, lines: ['com.example.game'] },
  { kind: 'IpList', id: 7, lines: ['192.0.2.0/30', '2001:db8::/32'] },
  { kind: 'IpList', id: 10, lines: ['192.0.2.8/30'], ipKind: 1 },
  { kind: 'IpList', id: 11, lines: ['192.0.2.9'], ipKind: 2 },
  { kind: 'KeywordList', id: 8, lines: ['cheap flights', 'casino'] },
  { kind: 'KeywordList', id: 9, lines: ['poker'], isGlobal: true },
];

const android = (major: string, minor: string) => ({ device: { os: { family: 'Android', major, minor } } });
const ip = (text: string) => ({ ip: parseIpAddress(text) });
const site = (domain: string) => ({ inventory: { environment: 'web', domain } }) as const;
const appOf = (appBundle: string) => ({ inventory: { environment: 'app', appBundle } }) as const;
const at = (text: string) => ({ timeMs: Date.parse(text) });

const countries = ['DspVastTag', { Countries: ['US', 'DE'] }] as const;
const os = (...Versions: { Major: string; Minor?: string }[]) =>
  ['DspVastTag', { Os: [{ Family: 'Android', Versions }, { Family: 'iOS' }] }] as const;
const categories = ['DspVastTag', { IabCategories: ['IAB1', 'IAB9-30'] }] as const;
const sizes = (SizesListMode: 0 | 1) => ['DspVastTag', { SizesListMode, SizesList: ['640x360'] }] as const;
const pubIds = (PubIdListMode: 0 | 1) =>
  ['DspVastTag', { PubIdListMode, PubIdList: ' pub-1 \r\n\n7' }] as const;
const domains = (DomainsBrandsListMode: 0 | 1, ...DomainsBrandsList: number[]) =>
  ['DspVastTag', { DomainsBrandsListMode, DomainsBrandsList }] as const;
const apps = (AppsListMode: 0 | 1) => ['DspVastTag', { AppsListMode, AppsList: [6] }] as const;
const ips = ['DspVastTag', { IpBlacklists: [7] }] as const;
const flight = ['Campaign', { StartDate: '2027-06-15', EndDate: '2027-06-16' }] as const;
const berlin = [
  'Campaign',
  { StartDate: '2027-06-15', EndDate: '2027-06-16', TimeZone: 'Europe/Berlin' },
] as const;
const workday = '0'.repeat(8) + '1'.repeat(12) + '0'.repeat(4);
const office = (HoursOf: 0 | 1) =>
  ['DspVastTag', { Hours: workday.repeat(5) + '0'.repeat(48), HoursOf, TimeZone: 'Europe/Berlin' }] as const;
const plain = ['DspVastTag', {}] as const;

/** Demand objects against requests. */
export const demandRows: readonly Row[] = [
  ['nothing set restricts nothing', plain, {}, undefined],
  ['a listed country', countries, { country: 'DE' }, undefined],
  [
    'another country',
    countries,
    { country: 'FR' },
    refused('country_not_targeted', 'Countries', ['US', 'DE'], 'FR'),
  ],
  [
    'a country not known',
    countries,
    {},
    refused(
      'country_not_targeted',
      'Countries',
      ['US', 'DE'],
      'unknown country: the request has neither a country nor an IP address',
    ),
  ],
  ['a family without versions', os(), android('9', ''), undefined],
  ['a listed major, any minor', os({ Major: '14', Minor: '' }), android('14', '1'), undefined],
  ['a listed major, minor left out', os({ Major: '14' }), android('14', ''), undefined],
  ['a listed minor', os({ Major: '14', Minor: '1' }), android('14', '1'), undefined],
  ['any major, a listed minor', os({ Major: '', Minor: '1' }), android('9', '1'), undefined],
  ['any major and minor', os({ Major: '', Minor: '' }), android('', ''), undefined],
  [
    'another minor',
    os({ Major: '14', Minor: '1' }),
    android('14', '2'),
    refused('os_not_targeted', 'Os', ['Android/14.1', 'iOS'], 'Android/14.2'),
  ],
  [
    'another major',
    os({ Major: '14' }),
    android('13', ''),
    refused('os_not_targeted', 'Os', ['Android/14', 'iOS'], 'Android/13'),
  ],
  [
    'a version not known',
    os({ Major: '14' }),
    android('', ''),
    refused('os_not_targeted', 'Os', ['Android/14', 'iOS'], 'Android'),
  ],
  ['a system not known', os(), {}, refused('os_not_targeted', 'Os', ['Android', 'iOS'], undefined)],
  [
    'another browser',
    ['Campaign', { Browsers: [{ Family: 'Chrome' }] }],
    { device: { browser: { family: 'Safari', major: '17', minor: '5' } } },
    refused('browser_not_targeted', 'Browsers', ['Chrome'], 'Safari/17.5'),
  ],
  [
    'a phone is a mobile device',
    ['Campaign', { DeviceTypes: [1] }],
    { device: { types: [1, 4] } },
    undefined,
  ],
  [
    'a phone is no tablet',
    ['Campaign', { DeviceTypes: [5] }],
    { device: { types: [1, 4] } },
    refused('device_type_not_targeted', 'DeviceTypes', ['5'], ['1', '4']),
  ],
  [
    'a tier-1 name covers its subcategories',
    categories,
    { inventory: { categories: ['IAB1-2'] } },
    undefined,
  ],
  ['a listed subcategory', categories, { inventory: { categories: ['IAB5', 'IAB9-30'] } }, undefined],
  [
    'a subcategory does not cover its tier-1 name',
    categories,
    { inventory: { categories: ['IAB9', 'IAB10-1'] } },
    refused('category_not_targeted', 'IabCategories', ['IAB1', 'IAB9-30'], ['IAB9', 'IAB10-1']),
  ],
  [
    'categories not known',
    categories,
    {},
    refused('category_not_targeted', 'IabCategories', ['IAB1', 'IAB9-30'], undefined),
  ],
  ['an allowed size', sizes(1), { width: 640, height: 360 }, undefined],
  [
    'the least size',
    ['DspVastTag', { SizesListMode: 1, SizesList: ['1x1'] }],
    { width: 1, height: 1 },
    undefined,
  ],
  [
    'a size that is larger than any screen',
    sizes(1),
    { width: 639, height: 2 ** 20 + 360 },
    refused('size_not_targeted', 'SizesList', ['640x360'], `639x${2 ** 20 + 360}`),
  ],
  ['a size whose number a larger one would have', sizes(1), { width: 640, height: 360 }, undefined],
  [
    'a size of which only the height is known',
    sizes(1),
    { height: 360 },
    refused('size_not_targeted', 'SizesList', ['640x360'], undefined),
  ],
  [
    'a size not allowed',
    sizes(1),
    { width: 640, height: 480 },
    refused('size_not_targeted', 'SizesList', ['640x360'], '640x480'),
  ],
  [
    'a whitelist refuses a size not known',
    sizes(1),
    { width: 640 },
    refused('size_not_targeted', 'SizesList', ['640x360'], undefined),
  ],
  [
    'a blocked size',
    sizes(0),
    { width: 640, height: 360 },
    refused('size_not_targeted', 'SizesList', { not: ['640x360'] }, '640x360'),
  ],
  ['a blacklist ignores a size not known', sizes(0), {}, undefined],
  ['an empty whitelist', ['DspVastTag', { SizesListMode: 1 }], {}, undefined],
  ['web traffic where it is enabled', plain, site('example.com'), undefined],
  [
    'web traffic where it is not',
    ['DspVastTag', { WebEnabled: 0 }],
    site('example.com'),
    refused('environment_not_enabled', 'WebEnabled', { not: ['web'] }, 'web'),
  ],
  ['app traffic where web is not enabled', ['DspVastTag', { WebEnabled: 0 }], appOf('a.b'), undefined],
  [
    'app traffic where neither is',
    ['DspVastTag', { WebEnabled: 0, AppEnabled: 0 }],
    appOf('a.b'),
    refused('environment_not_enabled', 'AppEnabled', { not: ['web', 'app'] }, 'app'),
  ],
  ['neither where neither is', ['DspVastTag', { WebEnabled: 0, AppEnabled: 0 }], {}, undefined],
  [
    'a banner for a video campaign',
    ['Campaign', {}],
    { media: 'banner' },
    refused('media_not_enabled', 'Type', ['video'], 'banner'),
  ],
  ['a pop for a pop campaign', ['Campaign', { Type: 3 }], { media: 'pop' }, undefined],
  [
    'a banner for a DSP VAST Tag',
    plain,
    { media: 'banner' },
    { reason: 'media_not_enabled', wanted: ['video'], met: 'banner' },
  ],
  [
    'a video for a DSP Pop Feed',
    ['DspPopFeed', {}],
    { media: 'video' },
    { reason: 'media_not_enabled', wanted: ['pop'], met: 'video' },
  ],
  ['a video for an enabled DSP RTB EP', ['DspRtbEp', { VideoEnabled: 1 }], { media: 'video' }, undefined],
  [
    'a native ad for one that takes banners and videos',
    ['DspRtbEp', { BannerEnabled: 1, VideoEnabled: 1 }],
    { media: 'native' },
    refused('media_not_enabled', 'NativeEnabled', ['banner', 'video'], 'native'),
  ],
  [
    'a video for one that takes nothing',
    ['DspRtbEp', {}],
    { media: 'video' },
    refused('media_not_enabled', 'VideoEnabled', [], 'video'),
  ],
  ['an allowed seller, its line trimmed', pubIds(1), { sellerId: 'pub-1' }, undefined],
  [
    'a blocked seller',
    pubIds(0),
    { sellerId: '7' },
    refused('publisher_blocked', 'PubIdList', { not: ['pub-1', '7'] }, '7'),
  ],
  ['a seller that only begins like one', pubIds(0), { sellerId: 'pub-12' }, undefined],
  ['IPv6 where it is allowed', plain, ip('2001:db9::1'), undefined],
  [
    'IPv6 where it is not',
    ['DspVastTag', { AllowIpV6: 0 }],
    ip('2001:db9::1'),
    refused('ip_v6_not_allowed', 'AllowIpV6', { not: ['IPv6'] }, '2001:db9::'),
  ],
  ['IPv4 in IPv6 form', ['DspVastTag', { AllowIpV6: 0 }], ip('::ffff:198.51.100.1'), undefined],
  ['a floor at the maximum', ['DspVastTag', { MaxBidfloor: 1.1 }], { floorCpmMicros: 1_100_000 }, undefined],
  [
    'a floor above it',
    ['DspVastTag', { MaxBidfloor: 1.1 }],
    { floorCpmMicros: 1_100_001 },
    refused('floor_above_maximum', 'MaxBidfloor', 1.1, 1.100001),
  ],
  ['enough time', ['DspVastTag', { MinTmax: 100 }], { tmaxMs: 100 }, undefined],
  [
    'too little time',
    ['DspVastTag', { MinTmax: 100 }],
    { tmaxMs: 99 },
    refused('insufficient_time', 'MinTmax', 100, 99),
  ],
  ['the first moment of a flight', flight, at('2027-06-15T00:00:00.000Z'), undefined],
  ['its last one', flight, at('2027-06-16T23:59:59.999Z'), undefined],
  [
    'before it',
    flight,
    at('2027-06-14T23:59:59.999Z'),
    refused('out_of_flight', 'StartDate', '2027-06-15', '2027-06-14'),
  ],
  [
    'after it',
    flight,
    at('2027-06-17T00:00:00.000Z'),
    refused('out_of_flight', 'EndDate', '2027-06-16', '2027-06-17'),
  ],
  ['the first moment of a flight in Berlin', berlin, at('2027-06-14T22:00:00.000Z'), undefined],
  ['its last one in Berlin', berlin, at('2027-06-16T21:59:59.999Z'), undefined],
  [
    'before it in Berlin',
    berlin,
    at('2027-06-14T21:59:59.999Z'),
    refused('out_of_flight', 'StartDate', '2027-06-15', '2027-06-14'),
  ],
  ['an open hour', office(0), at('2027-06-14T06:00:00.000Z'), undefined],
  ...(
    [
      ['an hour too early', '2027-06-14T05:59:59.999Z', 'Monday 07:59 (Europe/Berlin), opens Monday 08:00'],
      [
        'after the last hour of the week',
        '2027-06-18T18:00:00.000Z',
        'Friday 20:00 (Europe/Berlin), opens Monday 08:00',
      ],
      [
        'before clocks are set forward',
        '2027-03-28T00:30:00.000Z',
        'Sunday 01:30 (Europe/Berlin), opens Monday 08:00',
      ],
    ] as const
  ).map(
    ([name, time, met]): Row => [
      name,
      office(0),
      at(time),
      refused('outside_hours', 'Hours', 'Mon–Fri 08–20', met),
    ],
  ),
  [
    'the hour that opens after a week',
    ['DspVastTag', { Hours: `1${'0'.repeat(167)}` }],
    at('2027-06-14T01:00:00.000Z'),
    refused('outside_hours', 'Hours', 'Mon 00–01', 'Monday 01:00 (UTC), opens Monday 00:00'),
  ],
  [
    'no hour at all',
    ['DspVastTag', { Hours: '0'.repeat(168) }],
    at('2027-06-14T01:00:00.000Z'),
    refused('outside_hours', 'Hours', 'never', 'Monday 01:00 (UTC), never opens'),
  ],
  [
    "the viewer's clock as the request says",
    office(1),
    { ...at('2027-06-14T06:00:00.000Z'), country: 'DE', utcOffsetMinutes: -240 },
    refused(
      'outside_hours',
      'Hours',
      'Mon–Fri 08–20',
      "Monday 02:00 (the viewer's time), opens Monday 08:00",
    ),
  ],
  [
    "the viewer's clock by a country with one",
    office(1),
    { ...at('2027-06-14T06:00:00.000Z'), country: 'JP' },
    undefined,
  ],
  [
    'a country with several clocks: by the zone of the object',
    office(1),
    { ...at('2027-06-14T05:00:00.000Z'), country: 'US' },
    refused('outside_hours', 'Hours', 'Mon–Fri 08–20', 'Monday 07:00 (Europe/Berlin), opens Monday 08:00'),
  ],
  ['a flight open at both ends', ['Campaign', {}], at('2099-01-01'), undefined],
  [
    'a blocked domain',
    domains(0, 1),
    site('example.com'),
    refused('domain_listed', 'DomainsBrandsList', { not: [1] }, 'example.com'),
  ],
  [
    'its subdomain',
    domains(0, 2, 1),
    site('a.b.example.com'),
    refused('domain_listed', 'DomainsBrandsList', { not: [1] }, 'a.b.example.com'),
  ],
  ['a domain that only ends like it', domains(0, 1), site('badexample.com'), undefined],
  [
    'an entry that begins with www.',
    domains(0, 2),
    site('other.test'),
    refused('domain_listed', 'DomainsBrandsList', { not: [2] }, 'other.test'),
  ],
  ['a domain not known, blacklist', domains(0, 1), {}, undefined],
  [
    'a domain not known, whitelist',
    domains(1, 1),
    {},
    refused('domain_listed', 'DomainsBrandsList', [1], undefined),
  ],
  ['an allowed domain', domains(1, 2, 1), site('example.com'), undefined],
  [
    'a domain not allowed',
    domains(1, 1),
    site('example.org'),
    refused('domain_listed', 'DomainsBrandsList', [1], 'example.org'),
  ],
  ['an inactive blacklist', domains(0, 3), site('example.com'), undefined],
  [
    'an inactive whitelist holds nothing',
    domains(1, 3),
    site('example.com'),
    refused('domain_listed', 'DomainsBrandsList', [3], 'example.com'),
  ],
  [
    'a global list',
    plain,
    site('a.everywhere.test'),
    refused('domain_listed', 'DomainsBrandsList', { not: [4] }, 'a.everywhere.test'),
  ],
  [
    'a global list beside a whitelist',
    domains(1, 4),
    site('everywhere.test'),
    refused('domain_listed', 'DomainsBrandsList', { not: [4] }, 'everywhere.test'),
  ],
  ["another team's global list", plain, site('example.com'), undefined],
  [
    'a blocked app',
    apps(0),
    appOf('com.example.game'),
    refused('app_listed', 'AppsList', { not: [6] }, 'com.example.game'),
  ],
  ['an app in another case', apps(0), appOf('Com.Example.Game'), undefined],
  [
    'an app not allowed',
    apps(1),
    appOf('com.example'),
    refused('app_listed', 'AppsList', [6], 'com.example'),
  ],
  [
    'an address in a blocked range',
    ips,
    ip('192.0.2.3'),
    refused('ip_blocked', 'IpBlacklists', { not: [7] }, '192.0.2.0'),
  ],
  ['the address after it', ips, ip('192.0.2.4'), undefined],
  [
    'an IPv6 address in a blocked range',
    ips,
    ip('2001:db8:1::'),
    refused('ip_blocked', 'IpBlacklists', { not: [7] }, '2001:db8:1::'),
  ],
  ['no address', ips, {}, undefined],
  [
    'an address of invalid traffic',
    ['DspVastTag', { IpBlacklists: [7, 10, 11] }],
    ip('192.0.2.9'),
    refused('invalid_address', 'IpBlacklists', { not: [10] }, '192.0.2.0'),
  ],
  [
    'an address of a data centre',
    ['DspVastTag', { IpBlacklists: [7, 11] }],
    ip('192.0.2.9'),
    refused('data_centre', 'IpBlacklists', { not: [11] }, '192.0.2.0'),
  ],
  [
    'invalid traffic at the maximum',
    ['DspVastTag', { MaxIvt: 10 }],
    { invalidTrafficPercent: 10 },
    undefined,
  ],
  [
    'more of it',
    ['DspVastTag', { MaxIvt: 10 }],
    { invalidTrafficPercent: 10.5 },
    refused('invalid_traffic', 'MaxIvt', 10, 10.5),
  ],
  [
    'a request that is invalid itself',
    ['DspVastTag', { MaxIvt: 99.9 }],
    { invalid: 'known_bot', invalidTrafficPercent: 1 },
    refused('invalid_traffic', 'MaxIvt', 99.9, 'known_bot'),
  ],
  ['a request that is invalid itself, of any traffic', plain, { invalid: 'known_bot' }, undefined],
  ['an unknown share of it', ['DspVastTag', { MaxIvt: 10 }], {}, undefined],
  [
    'a schain longer than a DSP RTB EP takes',
    ['DspRtbEp', { VideoEnabled: 1, MaxSchainNodes: 1 }],
    { supplyChain: chain(1, 2) },
    refused('schain_too_long', 'MaxSchainNodes', 1, 2),
  ],
  [
    'a complete schain where it must be complete',
    ['DspRtbEp', { VideoEnabled: 1, CompleteSchain: 1 }],
    { supplyChain: chain(1, 1) },
    undefined,
  ],
  [
    'an incomplete schain where it must be complete',
    ['DspRtbEp', { VideoEnabled: 1, CompleteSchain: 1 }],
    { supplyChain: chain(0, 1) },
    refused('incomplete_schain', 'CompleteSchain', ['complete'], chain(0, 1)),
  ],
  [
    'the first rule in order refuses',
    ['DspVastTag', { Countries: ['DE'], MinTmax: 1000 }],
    { country: 'US' },
    refused('country_not_targeted', 'Countries', ['DE'], 'US'),
  ],
];
