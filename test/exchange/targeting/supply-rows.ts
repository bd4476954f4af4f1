import { chain, type Row, refused } from './rule-row.ts';

const pops = (values: Readonly<Record<string, unknown>>) => ['PopFeed', values] as const;
const keywords = (KeywordBlacklistsType: 0 | 1 | 2) =>
  pops({ KeywordBlacklistsType, KeywordBlacklists: [8] });
const blockedQuery = (keyword: string) =>
  refused('keyword_listed', 'KeywordBlacklists', { not: [keyword] }, keyword);

/** Supply objects against requests. */
export const supplyRows: readonly Row[] = [
  ['categories describe supply', ['VastTag', { IabCategories: ['IAB1'] }], {}, undefined],
  [
    'a country not targeted',
    ['VastTag', { Countries: ['DE'] }],
    { country: 'US' },
    refused('country_not_targeted', 'Countries', ['DE'], 'US'),
  ],
  ['any medium at a VAST Tag', ['VastTag', {}], { media: 'video' }, undefined],
  [
    'a banner at an RTB EP for videos',
    ['RtbEp', { VideoEnabled: 1 }],
    { media: 'banner' },
    refused('media_not_enabled', 'BannerEnabled', ['video'], 'banner'),
  ],
  [
    'a floor below the minimum',
    ['RtbEp', { VideoEnabled: 1, MinBidfloor: 0.5 }],
    { floorCpmMicros: 499_999 },
    refused('floor_below_minimum', 'MinBidfloor', 0.5, 0.499999),
  ],
  [
    'a floor above the maximum',
    ['RtbEp', { VideoEnabled: 1, MaxBidfloor: 2 }],
    { floorCpmMicros: 2_500_000 },
    refused('floor_above_maximum', 'MaxBidfloor', 2, 2.5),
  ],
  [
    'no schain where one must be',
    ['RtbEp', { VideoEnabled: 1, Schain: 1 }],
    {},
    refused('incomplete_schain', 'Schain', ['schain'], undefined),
  ],
  [
    'an incomplete one where any will do',
    ['RtbEp', { VideoEnabled: 1, Schain: 1 }],
    { supplyChain: chain(0, 0) },
    undefined,
  ],
  [
    'our own node in it',
    ['RtbEp', { VideoEnabled: 1, PreventSchainLoop: 1 }],
    { supplyChain: chain(1, 1, true) },
    refused('schain_loop', 'PreventSchainLoop', { not: ['loop'] }, chain(1, 1, true)),
  ],
  [
    'no schain where loops are prevented',
    ['RtbEp', { VideoEnabled: 1, PreventSchainLoop: 1 }],
    {},
    undefined,
  ],
  [
    'a blocked subid',
    pops({ SubidList: 'a\n b ' }),
    { subId: 'b' },
    refused('sub_id_listed', 'SubidList', { not: ['a', 'b'] }, 'b'),
  ],
  ['no subid, blacklist', pops({ SubidList: 'a' }), {}, undefined],
  [
    'no subid, whitelist',
    pops({ SubidList: 'a', SubidListMode: 1 }),
    {},
    refused('sub_id_listed', 'SubidList', ['a'], undefined),
  ],
  ['exactly a keyword', keywords(0), { query: ' Cheap  FLIGHTS ' }, blockedQuery('cheap flights')],
  ['more than a keyword, exact', keywords(0), { query: 'cheap flights rome' }, undefined],
  ['a phrase', keywords(1), { query: 'very cheap flights rome' }, blockedQuery('cheap flights')],
  ['its words apart, phrase', keywords(1), { query: 'flights that are cheap' }, undefined],
  ['its words apart, broad', keywords(2), { query: 'flights that are cheap' }, blockedQuery('cheap flights')],
  ['a part of a word, broad', keywords(2), { query: 'casinos' }, undefined],
  ['a global keyword list', pops({}), { query: 'poker' }, blockedQuery('poker')],
  ['no query', keywords(2), {}, undefined],
];
