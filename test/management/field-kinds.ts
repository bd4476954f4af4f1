import type { ResourceName } from './resources.ts';

/** What kind of value a field takes, by the specification's type and reference, "Values". */
export type Kind =
  | 'flag'
  | 'int'
  | 'percent'
  | 'margin'
  | 'usd'
  | 'text'
  | 'lines'
  | 'url'
  | 'headers'
  | 'ids'
  | 'sizes'
  | 'categories'
  | 'countries'
  | 'families'
  | 'deviceTypes'
  | 'attributes'
  | 'mimes';

type Kinds = Readonly<Partial<Record<Kind, readonly string[]>>>;

function merged(...parts: readonly Kinds[]): Kinds {
  const all: Partial<Record<Kind, string[]>> = {};
  for (const part of parts) {
    for (const [kind, names] of Object.entries(part)) {
      all[kind as Kind] = [...(all[kind as Kind] ?? []), ...names];
    }
  }
  return all;
}

/** Table 2.4: the rows that apply to V, D and P alike. */
const traffic: Kinds = {
  text: ['Name'],
  int: ['MaxQps', 'RequestsDailyLimit', 'BidsDailyLimit', 'ImpressionsDailyLimit', 'ImpressionsLimitPerIp'],
  percent: ['MaxIvt'],
  flag: [
    'DomainsBrandsListMode',
    'NonEmptyReferer',
    'RefererMatch',
    'IpMatch',
    'UaMatch',
    'AllowIpV6',
    'CheckSiteLive',
  ],
  ids: ['Tags', 'DomainsBrandsList', 'IpBlacklists'],
  countries: ['Countries'],
  families: ['Os', 'Browsers'],
  deviceTypes: ['DeviceTypes'],
};

const inventory: Kinds = {
  flag: ['WebEnabled', 'AppEnabled', 'AppsListMode', 'SizesListMode'],
  ids: ['AppsList'],
  sizes: ['SizesList'],
  categories: ['IabCategories'],
};

/** Table 2.4: the rows that apply to V and D. */
const siteAndApp = merged(inventory, { flag: ['CheckAppStore'] });
const autoOptimize: Kinds = { flag: ['AutoOptimize'] };

const account: Kinds = {
  text: ['Description', 'Website', 'City', 'ZipCode', 'Address', 'Phone', 'MsgApp', 'MsgAccount'],
};

const price: Kinds = {
  usd: ['Bidfloor', 'SpentDailyLimit'],
  percent: ['PublisherProfitShare'],
  int: ['Tmax'],
};
const blockedAds: Kinds = {
  lines: ['AdDomainsBrandsBlacklist', 'AdAppsBlacklist', 'CridList'],
  flag: ['CridListMode'],
  categories: ['BlockedAdIabCategories'],
};

/** What a VAST Tag and a Banner EP have in common: all but the video fields. */
const placement = merged(traffic, siteAndApp, price, blockedAds, {
  margin: ['DspBidfloorMargin'],
  text: ['Keywords', 'AppName', 'AppBundle', 'DisplayManager'],
  url: ['AppStoreUrl'],
  flag: ['Secure', 'SetSchainComplete'],
  mimes: ['Mimes'],
  int: ['Width', 'Height'],
  attributes: ['BlockedAdAttributes'],
  ids: ['Campaigns', 'DspRtbEps'],
});

const pubIds: Kinds = { flag: ['PubIdListMode'], lines: ['PubIdList'] };
const demand = merged(pubIds, {
  usd: ['RevenueDailyLimit', 'MaxBidfloor'],
  int: ['MinTmax'],
  url: ['StatsApi', 'StatsDashboardUrl', 'SyncUrl'],
  headers: ['StatsApiHeaders'],
});
const media: Kinds = {
  flag: ['BannerEnabled', 'VideoEnabled', 'AudioEnabled', 'NativeEnabled', 'PopEnabled'],
};
const regional = (prefix: string): Kinds => ({ url: ['UsEast', 'Eu', 'Apac'].map((at) => prefix + at) });

const rtbEp = merged(traffic, siteAndApp, autoOptimize, pubIds, media, blockedAds, {
  margin: ['DspBidfloorMargin'],
  percent: ['PublisherProfitShare', 'ThirdPartyPercentage'],
  usd: ['SpentDailyLimit', 'MinBidfloor', 'MaxBidfloor'],
  int: ['TmaxAdjust', 'MaxSchainNodes'],
  flag: [
    'HeaderBidJs',
    'PopAdmXml',
    'AddSchainNode',
    'DiscardSchain',
    'SetSchainComplete',
    'Schain',
    'CompleteSchain',
    'PreventSchainLoop',
    'VastInlineOnly',
    'ThirdPartyPostbidEnable',
  ],
  ids: ['Campaigns', 'DspRtbEps', 'DspVastTags', 'DspPopFeeds'],
});

const dspRtbEp = merged(traffic, siteAndApp, autoOptimize, demand, media, regional('ZoneUrl'), {
  int: ['ExpiryWindow', 'MaxSchainNodes'],
  flag: ['AddSchainNode', 'DiscardSchain', 'Gzip', 'CompleteSchain', 'CridListMode', 'SeatListMode'],
  lines: ['CridList', 'SeatList'],
  ids: ['BannerEps', 'VastTags', 'RtbEps', 'PopFeeds'],
});

const popFeed = merged(traffic, autoOptimize, price, {
  flag: ['Secure', 'SendOriginalSite', 'SubidListMode', 'JsCheck'],
  url: ['FallbackUrl'],
  lines: ['SubidList'],
  ids: ['KeywordBlacklists', 'Campaigns', 'DspRtbEps', 'DspPopFeeds'],
});

const dspPopFeed = merged(traffic, autoOptimize, demand, regional('FeedUrl'), {
  url: ['DirectUrl'],
  usd: ['FixedSpendCpc'],
  flag: ['PriceImp1000', 'SendOriginalSite', 'JsCheck'],
  categories: ['IabCategories'],
  ids: ['RtbEps', 'PopFeeds'],
});

const campaign = merged(traffic, siteAndApp, autoOptimize, {
  usd: ['Cpm', 'SpendDailyLimit', 'SpendTotalLimit'],
  int: ['Duration', 'Width', 'Height'],
  url: ['MediaUrl', 'ClickUrl'],
  lines: ['Html'],
  attributes: ['Attributes'],
  ids: ['VastTags', 'RtbEps', 'PopFeeds', 'BannerEps'],
});

/** Every field that a client may send, by resource and kind; fields with a rule of their own are in the tests. */
export const fieldKinds: Readonly<Record<ResourceName, Kinds>> = {
  Publisher: merged(account, { text: ['SellerId'] }),
  Advertiser: account,
  VastTag: merged(placement, {
    flag: ['Version', 'Waterfall'],
    lines: ['SsaiServers'],
    ids: ['DspVastTags'],
  }),
  DspVastTag: merged(traffic, siteAndApp, autoOptimize, demand, regional('ZoneUrl'), {
    usd: ['FixedCpm'],
    ids: ['VastTags', 'RtbEps'],
  }),
  RtbEp: rtbEp,
  DspRtbEp: dspRtbEp,
  PopFeed: popFeed,
  DspPopFeed: dspPopFeed,
  Campaign: campaign,
  BannerEp: placement,
  Deal: merged(inventory, pubIds, {
    text: ['Name', 'UpstreamCode', 'Description'],
    usd: ['Price', 'TotalCost'],
    int: ['Units'],
    flag: ['DomainsBrandsListMode', 'SeatListMode', 'OverrideBlocks'],
    lines: ['SeatList', 'AdvertiserDomains'],
    ids: [
      'Tags',
      'DomainsBrandsList',
      'DspRtbEps',
      'DspVastTags',
      'Campaigns',
      'VastTags',
      'RtbEps',
      'BannerEps',
    ],
    countries: ['Countries'],
    families: ['Os', 'Browsers'],
    deviceTypes: ['DeviceTypes'],
  }),
  FloorRule: {
    text: ['Name'],
    usd: ['Floor', 'AutoMin', 'AutoMax'],
    percent: ['SkipPercent'],
    flag: ['Net', 'Auto'],
    lines: ['AdvertiserDomains'],
    ids: [
      'Tags',
      'DomainsBrandsList',
      'Publishers',
      'VastTags',
      'RtbEps',
      'BannerEps',
      'PopFeeds',
      'DspRtbEps',
    ],
    countries: ['Countries'],
    families: ['Os', 'Browsers'],
    deviceTypes: ['DeviceTypes'],
    sizes: ['SizesList'],
    categories: ['IabCategories'],
  },
  DomainList: { flag: ['Global'] },
  AppList: { flag: ['Global'] },
  IpList: { flag: ['Global'] },
  KeywordList: { flag: ['Global'] },
  Tag: { text: ['Color'] },
  Report: { flag: ['Total'], url: ['WebhookUrl'] },
  Alert: { flag: ['Muted'], url: ['WebhookUrl'] },
};

/** Numbers that are stored as 1 where `add` omits them (reference, "omitted on add"); the others as 0. */
export const oneWhenOmitted = ['WebEnabled', 'AppEnabled', 'AllowIpV6'];
