import { accountManager, identity, pace, performance, statisticsUrls, status } from '../fields/derived.ts';
import { forOwner, onlyIfSet } from '../fields/field.ts';
import { flightOrder } from '../fields/flights.ts';
import { choice, cpc, flag } from '../fields/number.ts';
import { section } from '../fields/section.ts';
import { url } from '../fields/text.ts';
import { privacyMacroNames } from '../reference/privacy-macros.ts';
import {
  advertiserOwner,
  advertiserStatistics,
  demand,
  regionalUrls,
  syncWarnings,
  targeted,
  userSync,
  withoutUrls,
} from './demand.ts';
import { defineEntity } from './entity.ts';
import { frequency } from './frequency.ts';
import { pacing, planWarnings } from './pacing.ts';
import { schedule } from './schedule.ts';
import { shared } from './traffic.ts';

const macros = [
  'ip',
  'ua',
  'url',
  'query',
  'subid',
  'uid',
  'country',
  'lang',
  'cb',
  'buyeruid',
  ...privacyMacroNames,
];

export const dspPopFeed = defineEntity({
  key: 'DspPopFeed',
  title: 'XML DSP Pop Feed',
  help: "an advertiser's feed of pop ads, which is called at its feed URLs and answers with XML or JSON that has a price and a URL",
  wrapper: 'DspPopFeed',
  path: 'xml/dsppopfeed',
  owner: advertiserOwner,
  exchange: {
    side: 'demand',
    plural: 'DspPopFeeds',
    serves: ['RtbEp', 'PopFeed'],
    medium: 'pop',
    amountDaily: 'RevenueDailyLimit',
    impressionsTotal: 'ImpressionsTotalLimit',
  },
  documented: ['deactivate'],
  check: flightOrder,
  warnings: [...planWarnings, ...syncWarnings, withoutUrls('FeedUrl', ({ DirectUrl }) => DirectUrl === '')],
  fields: {
    ...identity,
    AdvertiserId: demand.AdvertiserId,
    AdvertiserName: demand.AdvertiserName,
    Name: shared.Name,
    Tags: shared.Tags,
    ...regionalUrls('FeedUrl', macros),
    ...advertiserStatistics,
    ...section('Calls', {
      DirectUrl: url({ macros, help: 'Where direct links may redirect, at the price FixedSpendCpc' }),
    }),
    Currency: demand.Currency,
    ...section('Price', {
      FixedSpendCpc: onlyIfSet(
        'DirectUrl',
        cpc({ help: 'Paid to the publisher for a click on a direct link', example: 0.002 }),
      ),
      PriceImp1000: choice({
        codes: { 0: '1 impression', 1: '1,000 impressions' },
        help: 'What the received price is for',
      }),
    }),
    MaxQps: shared.MaxQps,
    AutoOptimize: shared.AutoOptimize,
    ...section('Protocol', {
      SendOriginalSite: flag({
        help: "Which site it is sent: 1 = the publisher's own, 0 = the platform's",
        explanation: "It is sent the publisher's site; off: the platform's",
      }),
    }),
    RequestsDailyLimit: shared.RequestsDailyLimit,
    BidsDailyLimit: shared.BidsDailyLimit,
    ImpressionsDailyLimit: shared.ImpressionsDailyLimit,
    ImpressionsLimitPerIp: shared.ImpressionsLimitPerIp,
    ...frequency,
    RevenueDailyLimit: demand.RevenueDailyLimit,
    ...pacing,
    MaxBidfloor: demand.MaxBidfloor,
    MaxIvt: shared.MaxIvt,
    MinTmax: demand.MinTmax,
    GvlId: demand.GvlId,
    ...userSync,
    DomainsBrandsListMode: shared.DomainsBrandsListMode,
    DomainsBrandsList: shared.DomainsBrandsList,
    PubIdListMode: demand.PubIdListMode,
    PubIdList: demand.PubIdList,
    IpBlacklists: shared.IpBlacklists,
    NonEmptyReferer: shared.NonEmptyReferer,
    RefererMatch: shared.RefererMatch,
    IpMatch: shared.IpMatch,
    UaMatch: shared.UaMatch,
    AllowIpV6: shared.AllowIpV6,
    CheckSiteLive: shared.CheckSiteLive,
    ...section(
      'Quality',
      {
        JsCheck: flag({ help: '1 = a page checks the visitor with JavaScript before the redirect' }),
      },
      'advanced',
    ),
    IabCategories: shared.IabCategories,
    ...targeted({
      Countries: shared.Countries,
      Os: shared.Os,
      Browsers: shared.Browsers,
      DeviceTypes: shared.DeviceTypes,
    }),
    ...statisticsUrls('StatsByDate', { path: '/api/xml/stats/advertiser/pop', parameter: 'feed' }),
    ...schedule,
    ...performance,
    ...forOwner(pace),
    ...accountManager,
    ...status,
  },
});
