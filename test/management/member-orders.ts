const figures = ['Qps', 'TodayRevenue', 'TodayFillRate', 'YesterdayRevenue', 'YesterdayFillRate'];
const state = ['AccManagerId', 'AccManagerName', 'Status', 'StatusString'];
const matches = ['NonEmptyReferer', 'RefererMatch', 'IpMatch', 'UaMatch', 'AllowIpV6', 'CheckSiteLive'];
const targets = ['Countries', 'Os', 'Browsers', 'DeviceTypes'];
const dailyLimits = [
  ...['RequestsDailyLimit', 'BidsDailyLimit', 'ImpressionsDailyLimit', 'ImpressionsLimitPerIp'],
];
const domainLists = ['DomainsBrandsListMode', 'DomainsBrandsList'];
const pubIds = ['PubIdListMode', 'PubIdList'];

/**
 * Members in the order of the specification's field tables 2.8 to 2.10, of a fetch of one object (reference, W11). Lists
 * show more users than the tables name (reference, "Resources").
 */
export const memberOrders = {
  RtbEp: [
    ...['Id', 'TeamId', 'PublisherId', 'PublisherName', 'Name', 'Tags'],
    ...['DspBidfloorMargin', 'PublisherProfitShare', 'RevenueCountingMethod'],
    ...['CheckAdsTxt', 'CheckAppAdsTxt', 'CheckSellersJson', 'MaxQps', 'TmaxAdjust'],
    ...['AutoOptimize', 'HeaderBidJs', 'PopAdmXml', 'AddSchainNode', 'DiscardSchain', 'SetSchainComplete'],
    ...[...dailyLimits, 'SpentDailyLimit'],
    ...['BannerEnabled', 'VideoEnabled', 'AudioEnabled', 'NativeEnabled', 'PopEnabled'],
    ...['WebEnabled', 'AppEnabled', 'MinBidfloor', 'MaxBidfloor', 'MaxIvt', 'MaxSchainNodes'],
    ...[...domainLists, 'AppsListMode', 'AppsList', 'SizesListMode', 'SizesList', ...pubIds, 'IpBlacklists'],
    ...[...matches, 'CheckAppStore', 'Schain', 'CompleteSchain', 'PreventSchainLoop'],
    ...['IabCategories', 'BlockedAdIabCategories'],
    ...['AdDomainsBrandsBlacklist', 'AdAppsBlacklist', 'CridList', 'CridListMode', 'VastInlineOnly'],
    ...[...targets, 'ThirdPartyPostbidEnable', 'ThirdPartyPercentage', 'Auth', 'ZoneUrls'],
    ...['StatsByDateCsv', 'StatsByDateJson', 'Campaigns', 'DspRtbEps', 'DspVastTags', 'DspPopFeeds'],
    ...[...figures, ...state],
  ],
  DspPopFeed: [
    ...['Id', 'TeamId', 'AdvertiserId', 'AdvertiserName', 'Name', 'Tags'],
    ...['FeedUrlUsEast', 'FeedUrlEu', 'FeedUrlApac'],
    ...['StatsApi', 'StatsApiHeaders', 'StatsDashboardUrl', 'DirectUrl', 'FixedSpendCpc', 'PriceImp1000'],
    ...['MaxQps', 'AutoOptimize', 'SendOriginalSite', ...dailyLimits],
    ...['RevenueDailyLimit', 'MaxBidfloor', 'MaxIvt', 'MinTmax', ...domainLists, ...pubIds, 'IpBlacklists'],
    ...[...matches, 'JsCheck', 'IabCategories', ...targets, 'RtbEps', 'PopFeeds'],
    ...['StatsByDateCsv', 'StatsByDateJson', ...figures, ...state],
  ],
  DomainList: [
    ...['Id', 'TeamId', 'Name', 'VastTags', 'DspVastTags', 'RtbEps', 'DspRtbEps', 'Campaigns'],
    ...[
      'PopFeeds',
      'DspPopFeeds',
      'BannerEps',
      'DomainCount',
      'Global',
      'Status',
      'StatusString',
      'ListText',
    ],
  ],
  AppList: [
    ...['Id', 'TeamId', 'Name', 'VastTags', 'DspVastTags', 'RtbEps', 'DspRtbEps', 'Campaigns', 'BannerEps'],
    ...['AppCount', 'Global', 'Status', 'StatusString', 'ListText'],
  ],
  IpList: [
    ...['Id', 'TeamId', 'Name', 'VastTags', 'DspVastTags', 'RtbEps', 'DspRtbEps', 'Campaigns'],
    ...[
      'PopFeeds',
      'DspPopFeeds',
      'BannerEps',
      'IpCount',
      'IpRangesCount',
      'Global',
      'Status',
      'StatusString',
      'ListText',
    ],
  ],
} as const;

const trafficLists = [...domainLists, 'IpBlacklists', ...targets];
const siteAndApp = ['AppsListMode', 'AppsList', 'SizesListMode', 'SizesList', 'IabCategories'];
const blockedAds = [
  ...['AdDomainsBrandsBlacklist', 'AdAppsBlacklist', 'CridListMode', 'CridList', 'BlockedAdIabCategories'],
];
const vast = [...trafficLists, ...siteAndApp, ...blockedAds, 'BlockedAdAttributes'];
const dsp = [...trafficLists, ...siteAndApp, ...pubIds];

/**
 * Members that the array form leaves out: for RTB EPs, DSP VAST Tags and lists as the specification says (2.9,
 * 2.10), for the others the same kinds of field (reference, "Resources").
 */
export const leftOutOfArrays: Readonly<Record<string, readonly string[]>> = {
  Publisher: [],
  Advertiser: [],
  VastTag: vast,
  DspVastTag: dsp,
  RtbEp: [...trafficLists, ...siteAndApp, ...pubIds, ...blockedAds],
  DspRtbEp: [...dsp, 'CridListMode', 'CridList', 'SeatListMode', 'SeatList'],
  PopFeed: [...trafficLists, 'SubidListMode', 'SubidList', 'KeywordBlacklists'],
  DspPopFeed: [...trafficLists, ...pubIds, 'IabCategories'],
  Campaign: [...trafficLists, ...siteAndApp],
  BannerEp: vast,
  DomainList: ['ListText'],
  AppList: ['ListText'],
  IpList: ['ListText'],
  KeywordList: ['ListText'],
  Tag: [],
  Report: ['WebhookSecret'],
  Alert: ['WebhookSecret'],
};

/**
 * Members of which neither page says whether an array leaves them out: not list-valued targeting, nor plain scalars.
 */
export const unsettledInArrays = ['Mimes', 'KeywordBlacklistsType', 'CustomParams', 'Attributes'];
