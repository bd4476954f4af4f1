const account = { Mail: 'desk@example.com', Name: 'Example', Country: 'US', Username: '' };

interface Resource {
  readonly path: string;
  readonly wrapper: string;
  readonly owner?: 'Publisher' | 'Advertiser';
  /** What `add` cannot do without, besides the owner; what is unique is filled in. */
  readonly required: Readonly<Record<string, unknown>>;
  /** Whether it carries a manager, its own or its owner's. */
  readonly managed: boolean;
}

const supply = { owner: 'Publisher', required: {}, managed: true } as const;
const demand = { owner: 'Advertiser', required: {}, managed: true } as const;
const list = { required: { Name: 'List' }, managed: false } as const;

/** Every resource, with its path and wrapper: written out here, not taken from the program. */
export const resources = {
  Publisher: { path: 'publisher', wrapper: 'Publisher', required: account, managed: true },
  Advertiser: { path: 'advertiser', wrapper: 'Advertiser', required: account, managed: true },
  VastTag: { path: 'ortb/vasttag', wrapper: 'VastTag', ...supply },
  DspVastTag: { path: 'ortb/dspvasttag', wrapper: 'DspRtbEp', ...demand },
  RtbEp: { path: 'ortb/rtbep', wrapper: 'RtbEp', ...supply },
  DspRtbEp: { path: 'ortb/dsprtbep', wrapper: 'DspRtbEp', ...demand },
  PopFeed: { path: 'xml/popfeed', wrapper: 'PopFeed', ...supply },
  DspPopFeed: { path: 'xml/dsppopfeed', wrapper: 'DspPopFeed', ...demand },
  Campaign: { path: 'campaign', wrapper: 'Campaign', ...demand },
  BannerEp: { path: 'bannerep', wrapper: 'BannerEp', ...supply },
  Deal: { path: 'deal', wrapper: 'Deal', required: { Code: '' }, managed: false },
  FloorRule: { path: 'floorrule', wrapper: 'FloorRule', required: {}, managed: false },
  DomainList: { path: 'domainlist', wrapper: 'DomainList', ...list },
  AppList: { path: 'applist', wrapper: 'AppList', ...list },
  IpList: { path: 'iplist', wrapper: 'IpList', ...list },
  KeywordList: { path: 'keywordlist', wrapper: 'KeywordList', ...list },
  Tag: { path: 'tag', wrapper: 'Tag', required: { Name: 'Tag' }, managed: false },
  Report: {
    path: 'report',
    wrapper: 'Report',
    managed: false,
    required: { Name: 'Report', Period: 'Today', Measures: ['Requests'] },
  },
  Alert: {
    path: 'alert',
    wrapper: 'Alert',
    managed: false,
    required: { Name: 'Alert', Condition: 'Nothing', Measure: 'Impressions' },
  },
} as const satisfies Readonly<Record<string, Resource>>;

export type ResourceName = keyof typeof resources;

export const resourceNames = Object.keys(resources) as ResourceName[];

/** One resource, with the members that only some have. */
export const resourceOf = (name: ResourceName): Resource => resources[name];
