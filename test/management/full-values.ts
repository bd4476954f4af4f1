import type { Api, Values } from './api.ts';
import type { ResourceName } from './resources.ts';

/** IDs of objects that others name. */
export type World = Readonly<Record<ResourceName, number>>;

/** One object of every resource. */
export async function makeWorld(api: Api, names: readonly ResourceName[]): Promise<World> {
  const ids: Partial<Record<ResourceName, number>> = {};
  for (const name of names) ids[name] = (await api.add(name)).Id;
  return ids as World;
}

const account = {
  Mail: 'desk@media.example',
  Name: 'Media Example',
  Description: 'News and weather',
  Website: 'https://media.example',
  Country: 'DE',
  City: 'Köln',
  ZipCode: '50667',
  Address: 'Domkloster 4',
  Phone: '+49 221 000',
  MsgApp: 'Telegram',
  MsgAccount: '@media',
};

const limits = {
  Tags: [],
  MaxQps: 100,
  RequestsDailyLimit: 1000,
  BidsDailyLimit: 900,
  ImpressionsDailyLimit: 800,
  ImpressionsLimitPerIp: 7,
  FrequencyCap: 3,
  FrequencyHours: 24,
  FrequencyMinMinutes: 30,
  FrequencyKey: 1,
  FrequencyUnknown: 1,
  MaxIvt: 12.5,
};

const filters = (world: World) => ({
  Name: 'An object',
  ...limits,
  Tags: [world.Tag],
  DomainsBrandsListMode: 1,
  DomainsBrandsList: [world.DomainList],
  IpBlacklists: [world.IpList],
  NonEmptyReferer: 1,
  RefererMatch: 1,
  IpMatch: 1,
  UaMatch: 1,
  AllowIpV6: 0,
  CheckSiteLive: 1,
  Countries: [{ CC: 'US' }, { CC: 'DE' }],
  Os: [{ Family: 'Android', Versions: [{ Major: '14', Minor: '' }] }, { Family: 'Windows' }],
  Browsers: [{ Family: 'Chrome', Versions: [{ Major: '120', Minor: '0' }] }],
  DeviceTypes: [3, 1],
});

/** The rows of table 2.4 that VAST Tags and DSP VAST Tags carry and Pop Feeds do not. */
const siteAndApp = (world: World) => ({
  WebEnabled: 0,
  AppEnabled: 0,
  AppsListMode: 1,
  AppsList: [world.AppList],
  SizesListMode: 1,
  SizesList: ['640x360', '300x250'],
  CheckAppStore: 1,
  IabCategories: ['IAB9-30', 'IAB1'],
});

const vastTag = {
  Version: 1,
  Currency: 'EUR',
  Bidfloor: 1.25,
  DspBidfloorMargin: 250,
  PublisherProfitShare: 70.5,
  Keywords: 'news,weather',
  SiteDomain: 'media.example',
  AppName: 'Media',
  AppBundle: 'com.example.media',
  AppStoreUrl: 'https://store.example/app?id=1',
  Tmax: 400,
  AuctionType: 2,
  Secure: 1,
  Waterfall: 0,
  PodDuration: 60,
  PodMaxAds: 4,
  PodSeparation: 3,
  SetSchainComplete: 1,
  DisplayManager: 'Player',
  Mimes: ['video/mp4', 'video/webm'],
  SsaiServers: '192.0.2.0/24\nExampleStitcher/',
  AdPosition: 7,
  Width: 640,
  Height: 360,
  Linearity: 1,
  Placement: 1,
  Plcmt: 2,
  ConsentMode: 1,
  SyncDomains: 'prebid.example\nssp.example',
  SpentDailyLimit: 99.5,
  AdDomainsBrandsBlacklist: 'bad.example\nworse.example',
  AdAppsBlacklist: 'com.bad.app',
  CridListMode: 1,
  CridList: 'a\nb',
  BlockedAdIabCategories: ['IAB7-39', 'IAB26'],
  BlockedAdAttributes: [1, 23, 500],
};

const dspVastTag = {
  AutoOptimize: 1,
  ZoneUrlUsEast: 'https://us.dsp.example/vast?w={width}&h={height}&cb={cb}',
  ZoneUrlEu: 'https://eu.dsp.example/vast?ip={ip}',
  ZoneUrlApac: 'https://apac.dsp.example/vast',
  StatsApi: 'https://dsp.example/stats',
  StatsApiHeaders: 'X-Key: 1\nX-Other: 2',
  StatsDashboardUrl: 'https://dsp.example/dashboard',
  Currency: 'JPY',
  FixedCpm: 2.5,
  RevenueDailyLimit: 500,
  ImpressionsTotalLimit: 1_000_000,
  Pacing: 1,
  Flights: [{ Start: '2027-01-01', End: '2027-01-31T12:00', Impressions: 1000, Spend: 12.5 }],
  MaxBidfloor: 4.5,
  MinTmax: 120,
  GvlId: 755,
  SyncType: 2,
  SyncUrl: 'https://dsp.example/match?gdpr={gdpr}&to={redirect_url}$UID',
  PubIdListMode: 1,
  PubIdList: '17\n18',
  TimeZone: 'Europe/Berlin',
  Hours: '10'.repeat(84),
  HoursOf: 1,
};

const popFeed = (world: World) => ({
  AutoOptimize: 1,
  Currency: 'GBP',
  Bidfloor: 0.75,
  PublisherProfitShare: 60,
  Tmax: 250,
  AuctionType: 2,
  Secure: 1,
  SendOriginalSite: 1,
  FallbackUrl: 'https://media.example/fallback',
  ConsentMode: 2,
  SyncDomains: 'prebid.example',
  SpentDailyLimit: 20,
  SubidListMode: 1,
  SubidList: 's1\ns2',
  KeywordBlacklistsType: 2,
  KeywordBlacklists: [world.KeywordList],
  JsCheck: 1,
});

type Create = 'Publisher' | 'Advertiser' | 'VastTag' | 'DspVastTag' | 'PopFeed';

/**
 * Every request field of the create endpoints (specification 2.2 to 2.7), each with a value that is not its default.
 */
export const fullValues: Readonly<Record<Create, (world: World) => Values>> = {
  Publisher: () => ({
    ...account,
    PlatformDomain: 'ads.media.example',
    SellersJsonDomain: 'sellers.media.example',
    Username: 'Media.Example!',
    SellerType: 2,
    SellerId: 'm-17',
  }),
  Advertiser: () => ({ ...account, GvlId: 42, Username: 'brand.example!' }),
  VastTag: (world) => ({
    PublisherId: world.Publisher,
    ...filters(world),
    ...siteAndApp(world),
    ...vastTag,
    Campaigns: [world.Campaign],
    DspRtbEps: [world.DspRtbEp],
    DspVastTags: [world.DspVastTag],
  }),
  DspVastTag: (world) => ({
    AdvertiserId: world.Advertiser,
    ...filters(world),
    ...siteAndApp(world),
    ...dspVastTag,
    VastTags: [world.VastTag],
    RtbEps: [world.RtbEp],
  }),
  PopFeed: (world) => ({
    PublisherId: world.Publisher,
    ...filters(world),
    ...popFeed(world),
    Campaigns: [world.Campaign],
    DspRtbEps: [world.DspRtbEp],
    DspPopFeeds: [world.DspPopFeed],
  }),
};

const countryNames: Readonly<Record<string, RegExp>> = { US: /^United States/, DE: /^Germany$/ };

/** What comes back for what was sent: the same, with names beside country codes (specification 2.4). */
export function asAnswered(sent: Values, answered: Values): Values {
  const { Countries } = sent;
  if (!Array.isArray(Countries)) return sent;
  const back = answered.Countries as readonly { readonly CC: string; readonly Country: string }[];
  const named = (Countries as readonly { readonly CC: string }[]).map(({ CC }) => {
    const Country = back.find((item) => item.CC === CC)?.Country ?? '';
    return { CC, Country: countryNames[CC]?.test(Country) ? Country : `the name of ${CC}` };
  });
  return { ...sent, Countries: named };
}
