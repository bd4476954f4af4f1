import {
  accountManager,
  identity,
  performance,
  regionUrls,
  secret,
  statisticsUrls,
  status,
} from '../fields/derived.ts';
import type { Fault } from '../fields/fault.ts';
import { forDelivery, forOwner, hiddenInArray } from '../fields/field.ts';
import { labelsOf, mimeTypes } from '../fields/list.ts';
import { choice, flag, int, intUpTo, optionalChoice } from '../fields/number.ts';
import { section } from '../fields/section.ts';
import { lines, text } from '../fields/text.ts';
import { linearities } from '../reference/linearities.ts';
import { podAdsMax } from '../reference/pods.ts';
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
import { vastQuery } from './zone-macros.ts';

const { Name, Tags, ...rules } = traffic('V');

const podSecondsMax = 3600;

/** Fallbacks are ads that stand alone, and players would take them for substitutes of a pod's. */
function onePodOrWaterfall({
  Waterfall,
  PodDuration,
  PodMaxAds,
}: Readonly<Record<string, unknown>>): Fault[] {
  const isPod = Number(PodDuration) > 0 || Number(PodMaxAds) > 1;
  if (Waterfall !== 1 || !isPod) return [];
  const Message = 'must be 0 in a pod; or set PodDuration to 0, and PodMaxAds to 0 or 1';
  return [{ Path: 'Waterfall', Code: 'contradiction', Message }];
}

export const vastTag = defineEntity({
  key: 'VastTag',
  title: 'VAST Tag',
  help: "a publisher's tag for a video player, which requests an ad with its zone URL and gets VAST",
  wrapper: 'VastTag',
  path: 'ortb/vasttag',
  owner: publisherOwner,
  exchange: {
    side: 'supply',
    plural: 'VastTags',
    request: 'Url',
    medium: 'video',
    promises: 'ad',
    amountDaily: 'SpentDailyLimit',
  },
  documented: ['add'],
  warnings: [neverSecondPrice, frequencyWithoutUsers],
  check: onePodOrWaterfall,
  fields: {
    ...identity,
    PublisherId: supply.PublisherId,
    PublisherName: supply.PublisherName,
    Name,
    Tags,
    ...rules,
    ...forOwner(
      section('Protocol', {
        Version: optionalChoice({
          codes: { 0: '3.0', 1: '4.0' },
          help: 'Newest VAST version that the player supports (omitted = any, and shown as 0)',
        }),
      }),
    ),
    Currency: supply.Currency,
    Bidfloor: supply.Bidfloor,
    DspBidfloorMargin: supply.DspBidfloorMargin,
    PublisherProfitShare: supply.PublisherProfitShare,
    ...placement,
    Tmax: supply.Tmax,
    AuctionType: supply.AuctionType,
    Secure: supply.Secure,
    ...section('Protocol', {
      Waterfall: flag({ help: '1 = further wrappers are tried if one gives no ad' }),
      PodDuration: intUpTo(podSecondsMax, {
        unit: 's',
        help: 'Length of an ad break that several ads fill (a pod); 0 = one ad, unless PodMaxAds is above 1',
      }),
      PodMaxAds: intUpTo(podAdsMax, {
        help: `Most ads of a pod; 0 = ${podAdsMax}, or one ad without PodDuration`,
      }),
    }),
    PodSeparation: supply.PodSeparation,
    SetSchainComplete: supply.SetSchainComplete,
    ...section(
      'Protocol',
      {
        DisplayManager: text({
          help: 'imp.displaymanager of bid requests',
          explanation: 'What shows the ad, as buyers are told it',
          example: 'Example Player',
        }),
        Mimes: mimeTypes({ help: 'Content types that the player supports' }),
        SsaiServers: hiddenInArray(
          lines({
            help: 'Servers that insert ads into streams (SSAI), one IP address, range or beginning of a user agent per line: they are no bots, and ask for the device in X-Device-IP and X-Device-User-Agent',
            example: '192.0.2.0/24\nExampleStitcher/',
          }),
        ),
      },
      'advanced',
    ),
    AdPosition: supply.AdPosition,
    ...forOwner(
      section('Inventory', {
        Width: int({ unit: 'px', help: 'Width of the video in pixels', example: 640 }),
        Height: int({ unit: 'px', help: 'Height of the video in pixels', example: 360 }),
        Linearity: choice({
          codes: labelsOf(linearities),
          help: 'Whether the ad replaces the video',
        }),
        ...videoPlacement,
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
        ZoneUrls: regionUrls({ ZoneUrl: `{RegionUrl}/vast?zone={Id}&auth={Auth}${vastQuery}` }),
      }),
    }),
    ...statisticsUrls('StatsByDate', { path: '/api/ortb/stats/publisher/vast', parameter: 'zone' }),
    ...performance,
    ...accountManager,
    ...status,
  },
});
