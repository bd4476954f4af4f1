import { accountManager, identity, pace, performance, statisticsUrls, status } from '../fields/derived.ts';
import { forOwner, onlyIf } from '../fields/field.ts';
import { flightOrder } from '../fields/flights.ts';
import { pathValues } from '../fields/list.ts';
import { choice, flag, int } from '../fields/number.ts';
import { section } from '../fields/section.ts';
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
import { needs } from './setting-warning.ts';
import { lineList, traffic } from './traffic.ts';

const { Name, Tags, ...rules } = targeted(traffic('D'));

export const dspRtbEp = defineEntity({
  key: 'DspRtbEp',
  title: 'DSP RTB EP',
  help: "an advertiser's OpenRTB endpoint, which receives bid requests and answers with bids",
  wrapper: 'DspRtbEp',
  path: 'ortb/dsprtbep',
  owner: advertiserOwner,
  exchange: {
    side: 'demand',
    plural: 'DspRtbEps',
    serves: ['VastTag', 'RtbEp', 'PopFeed', 'BannerEp'],
    amountDaily: 'RevenueDailyLimit',
    impressionsTotal: 'ImpressionsTotalLimit',
    deals: 'offered',
  },
  documented: [],
  check: flightOrder,
  warnings: [
    ...planWarnings,
    ...syncWarnings,
    withoutUrls('ZoneUrl'),
    needs(
      ['BannerEnabled', 'VideoEnabled', 'AudioEnabled', 'NativeEnabled', 'PopEnabled'],
      'is 0, and so is every other medium: it is never asked for a bid; allow at least one',
    ),
  ],
  fields: {
    ...identity,
    AdvertiserId: demand.AdvertiserId,
    AdvertiserName: demand.AdvertiserName,
    Name,
    Tags,
    ...rules,
    ...regionalUrls('ZoneUrl', []),
    ...advertiserStatistics,
    ...section(
      'Protocol',
      {
        ExpiryWindow: int({
          unit: 'min',
          help: 'Maximum minutes between auction and impression; 0 = 60',
          example: 60,
        }),
      },
      'advanced',
    ),
    ...section(
      'Supply chain',
      {
        AddSchainNode: onlyIf('DiscardSchain', [0], flag({ help: '1 = our node is added to the schain' })),
        DiscardSchain: flag({ help: '1 = no schain is sent' }),
      },
      'advanced',
    ),
    ...section(
      'Protocol',
      {
        Gzip: flag({ help: '1 = bid requests are compressed' }),
      },
      'advanced',
    ),
    RevenueDailyLimit: demand.RevenueDailyLimit,
    ...pacing,
    ...forOwner(
      section('Targeting', {
        BannerEnabled: flag({ example: 1, help: '1 = takes part for banner impressions' }),
        VideoEnabled: flag({ example: 1, help: '1 = takes part for video impressions' }),
        AudioEnabled: flag({ help: '1 = takes part for audio impressions' }),
        NativeEnabled: flag({ help: '1 = takes part for native impressions' }),
        PopEnabled: flag({ help: '1 = takes part for pop impressions' }),
      }),
    ),
    MaxBidfloor: demand.MaxBidfloor,
    MinTmax: demand.MinTmax,
    GvlId: demand.GvlId,
    ...userSync,
    ...section(
      'Supply chain',
      {
        MaxSchainNodes: int({ help: 'Takes no part in auctions with a longer schain; 0 = unlimited' }),
      },
      'advanced',
    ),
    Currency: demand.Currency,
    ...section('Price', {
      AuctionType: choice({
        codes: { 0: "The supply's", 1: 'First Price', 2: 'Second Price Plus' },
        help: 'How the price is determined if it wins',
      }),
    }),
    PubIdListMode: demand.PubIdListMode,
    PubIdList: demand.PubIdList,
    ...section(
      'Supply chain',
      {
        CompleteSchain: flag({ help: '1 = only requests with a complete schain' }),
      },
      'advanced',
    ),
    CridListMode: lineList.mode('the creative IDs', 'CridList'),
    CridList: lineList.lines('Creative IDs, one per line'),
    SeatListMode: lineList.mode('the seats', 'SeatList'),
    SeatList: lineList.lines('Seats, one per line'),
    ...section(
      'Protocol',
      {
        CustomParams: pathValues({ help: 'Values to set in the bid request, by dotted OpenRTB path' }),
      },
      'advanced',
    ),
    ...statisticsUrls('StatsByDate', {
      path: '/api/ortb/stats/advertiser/rtb',
      parameter: 'zone',
      isExtension: true,
    }),
    ...schedule,
    ...performance,
    ...forOwner(pace),
    ...accountManager,
    ...status,
  },
});
