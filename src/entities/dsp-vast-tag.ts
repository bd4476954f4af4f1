import { accountManager, identity, pace, performance, status } from '../fields/derived.ts';
import { forOwner } from '../fields/field.ts';
import { flightOrder } from '../fields/flights.ts';
import { cpm } from '../fields/number.ts';
import { section } from '../fields/section.ts';
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
import { pacing, planWarnings } from './pacing.ts';
import { schedule } from './schedule.ts';
import { traffic } from './traffic.ts';

const { Name, Tags, ...rules } = targeted(traffic('D'));

const macros = [
  'width',
  'height',
  'cb',
  'ua',
  'ip',
  'app_name',
  'app_bundle',
  'device_model',
  'device_make',
  'app_store_url',
  'country',
  'lat',
  'lon',
  'buyeruid',
  ...privacyMacroNames,
];

/** Fetched for an auction. Its wrapper is the DSP RTB EP's. */
export const dspVastTag = defineEntity({
  key: 'DspVastTag',
  title: 'DSP VAST Tag',
  help: "an advertiser's VAST tag, whose URL is fetched for an auction and returns an ad",
  wrapper: 'DspRtbEp',
  path: 'ortb/dspvasttag',
  owner: advertiserOwner,
  exchange: {
    side: 'demand',
    plural: 'DspVastTags',
    serves: ['VastTag', 'RtbEp'],
    medium: 'video',
    price: { field: 'FixedCpm', isOptional: true },
    amountDaily: 'RevenueDailyLimit',
    impressionsTotal: 'ImpressionsTotalLimit',
    deals: 'named',
  },
  documented: ['add', 'deactivate', 'get'],
  check: flightOrder,
  warnings: [...planWarnings, ...syncWarnings, withoutUrls('ZoneUrl')],
  fields: {
    ...identity,
    AdvertiserId: demand.AdvertiserId,
    AdvertiserName: demand.AdvertiserName,
    Name,
    Tags,
    ...rules,
    ...regionalUrls('ZoneUrl', macros),
    ...advertiserStatistics,
    Currency: demand.Currency,
    ...forOwner(
      section('Price', {
        FixedCpm: cpm({ help: 'Fixed price in CPM; 0 = the price in the answer' }),
      }),
    ),
    RevenueDailyLimit: demand.RevenueDailyLimit,
    ...pacing,
    MaxBidfloor: demand.MaxBidfloor,
    MinTmax: demand.MinTmax,
    GvlId: demand.GvlId,
    ...userSync,
    PubIdListMode: demand.PubIdListMode,
    PubIdList: demand.PubIdList,
    ...schedule,
    ...performance,
    ...forOwner(pace),
    ...accountManager,
    ...status,
  },
});
