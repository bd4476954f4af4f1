import {
  accountManager,
  identity,
  performance,
  regionUrls,
  secret,
  statisticsUrls,
  status,
} from '../fields/derived.ts';
import { forDelivery, forOwner, onlyIf } from '../fields/field.ts';
import { mimeTypes } from '../fields/list.ts';
import { flag, int } from '../fields/number.ts';
import { section } from '../fields/section.ts';
import { text } from '../fields/text.ts';
import { defineEntity } from './entity.ts';
import { frequencyWithoutUsers } from './frequency.ts';
import {
  blockedAttributes,
  neverSecondPrice,
  placement,
  publisherOwner,
  supply,
  videoPlacement,
} from './supply.ts';
import { traffic } from './traffic.ts';
import { bannerQuery } from './zone-macros.ts';

const { Name, Tags, ...rules } = traffic('V');

/** Takes video only with `VideoEnabled` (reference, "Pops and banners"). */
export const bannerEp = defineEntity({
  key: 'BannerEp',
  title: 'Banner EP',
  help: "a publisher's placement for a banner, which requests an ad with its zone URL and gets a page",
  wrapper: 'BannerEp',
  path: 'bannerep',
  owner: publisherOwner,
  exchange: {
    side: 'supply',
    plural: 'BannerEps',
    request: 'Url',
    medium: 'banner',
    promises: 'ad',
    amountDaily: 'SpentDailyLimit',
  },
  documented: [],
  warnings: [neverSecondPrice, frequencyWithoutUsers],
  fields: {
    ...identity,
    PublisherId: supply.PublisherId,
    PublisherName: supply.PublisherName,
    Name,
    Tags,
    ...rules,
    Currency: supply.Currency,
    Bidfloor: supply.Bidfloor,
    DspBidfloorMargin: supply.DspBidfloorMargin,
    PublisherProfitShare: supply.PublisherProfitShare,
    ...placement,
    Tmax: supply.Tmax,
    AuctionType: supply.AuctionType,
    Secure: supply.Secure,
    SetSchainComplete: supply.SetSchainComplete,
    ...section(
      'Protocol',
      {
        DisplayManager: text({
          help: 'imp.displaymanager of bid requests',
          explanation: 'What shows the ad, as buyers are told it',
          example: 'Example SDK',
        }),
        Mimes: mimeTypes({
          help: 'Content types that the page supports; those of video are for VideoEnabled',
          example: ['text/html'],
        }),
      },
      'advanced',
    ),
    AdPosition: supply.AdPosition,
    ...forOwner(
      section('Inventory', {
        Width: int({ unit: 'px', help: 'Width of the banner in pixels', example: 300 }),
        Height: int({ unit: 'px', help: 'Height of the banner in pixels', example: 250 }),
        VideoEnabled: flag({
          help: '1 = a video may be shown in place of a banner; the page plays it without sound',
        }),
        Placement: onlyIf('VideoEnabled', [1], videoPlacement.Placement),
        Plcmt: onlyIf('VideoEnabled', [1], videoPlacement.Plcmt),
      }),
    ),
    ConsentMode: supply.ConsentMode,
    SyncDomains: supply.SyncDomains,
    SpentDailyLimit: supply.SpentDailyLimit,
    AdDomainsBrandsBlacklist: supply.AdDomainsBrandsBlacklist,
    AdAppsBlacklist: supply.AdAppsBlacklist,
    CridListMode: supply.CridListMode,
    CridList: supply.CridList,
    BlockedAdIabCategories: supply.BlockedAdIabCategories,
    BlockedAdAttributes: blockedAttributes,
    ...section('Access', {
      Auth: forDelivery(secret('Credential of the zone URLs')),
      ...forOwner({
        ZoneUrls: regionUrls({ ZoneUrl: `{RegionUrl}/banner?zone={Id}&auth={Auth}${bannerQuery}` }),
      }),
    }),
    ...statisticsUrls('StatsByDate', {
      path: '/api/ortb/stats/publisher/banner',
      parameter: 'zone',
      isExtension: true,
    }),
    ...performance,
    ...accountManager,
    ...status,
  },
});
