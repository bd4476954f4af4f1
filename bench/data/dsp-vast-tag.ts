import type { Input } from '../../src/entities/entity.ts';
import type { EntityOf } from '../../src/entities/registry.ts';

/** IDs of the objects to which DSP VAST Tags belong or refer. */
export interface RelatedIds {
  readonly advertiser: number;
  readonly vastTags: readonly number[];
  readonly rtbEps: readonly number[];
  readonly tags: readonly number[];
  readonly domainLists: readonly number[];
  readonly appLists: readonly number[];
  readonly ipLists: readonly number[];
}

const zoneUrl = (region: string) =>
  `https://${region}.dsp.example/vast?w={width}&h={height}&ip={ip}&ua={ua}&b={app_bundle}&cb={cb}`;

/** The `index`-th DSP VAST Tag, every field of which is filled. */
export function dspVastTag(related: RelatedIds, index: number): Input<EntityOf<'DspVastTag'>> {
  return {
    AdvertiserId: related.advertiser,
    Name: `Video of autumn ${index}`,
    Tags: [...related.tags],
    MaxQps: 100 + (index % 400),
    RequestsDailyLimit: 1_000_000,
    BidsDailyLimit: 500_000,
    ImpressionsDailyLimit: 250_000,
    ImpressionsLimitPerIp: 5,
    AutoOptimize: 1,
    MaxIvt: 10,
    DomainsBrandsListMode: 1,
    DomainsBrandsList: [...related.domainLists],
    AppsListMode: 0,
    AppsList: [...related.appLists],
    SizesListMode: 1,
    SizesList: ['640x360', '1280x720', '1920x1080'],
    IpBlacklists: [...related.ipLists],
    NonEmptyReferer: 1,
    RefererMatch: 1,
    IpMatch: 1,
    UaMatch: 1,
    CheckSiteLive: 1,
    CheckAppStore: 1,
    IabCategories: ['IAB17', 'IAB12'],
    Countries: [{ CC: 'DE' }, { CC: 'AT' }, { CC: 'CH' }],
    Os: [{ Family: 'Android', Versions: [{ Major: '14', Minor: '' }] }, { Family: 'iOS' }],
    Browsers: [{ Family: 'Chrome' }, { Family: 'Safari' }],
    DeviceTypes: [1, 4, 5],
    ZoneUrlUsEast: zoneUrl('us'),
    ZoneUrlEu: zoneUrl('eu'),
    ZoneUrlApac: zoneUrl('apac'),
    StatsApi: 'https://dsp.example/statistics',
    StatsApiHeaders: 'X-Account: 7',
    StatsDashboardUrl: 'https://dsp.example/dashboard',
    FixedCpm: 2.5 + (index % 100) / 100,
    RevenueDailyLimit: 500,
    MaxBidfloor: 8,
    MinTmax: 100,
    PubIdListMode: 0,
    PubIdList: 'seller-7\nseller-8',
    VastTags: [...related.vastTags],
    RtbEps: [...related.rtbEps],
  };
}
