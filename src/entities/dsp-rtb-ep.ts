import { accountManager, identity, performance, state, statisticsUrls } from '../fields/derived.ts';
import { omittedAs } from '../fields/field.ts';
import { pathValues } from '../fields/list.ts';
import { choice, flag, int } from '../fields/number.ts';
import { advertiserOwner, advertiserStatistics, demand, regionalUrls, supplyConnections } from './demand.ts';
import { defineEntity } from './entity.ts';
import { lineList, traffic } from './traffic.ts';

const { Name, Tags, ...rules } = traffic('D');

/** An advertiser's OpenRTB endpoint. */
export const dspRtbEp = defineEntity({
  key: 'DspRtbEp',
  title: 'DSP RTB EP',
  wrapper: 'DspRtbEp',
  path: 'ortb/dsprtbep',
  owner: advertiserOwner,
  documented: [],
  fields: {
    ...identity,
    AdvertiserId: demand.AdvertiserId,
    AdvertiserName: demand.AdvertiserName,
    Name,
    Tags,
    ...rules,
    ...regionalUrls('ZoneUrl', []),
    ...advertiserStatistics,
    ExpiryWindow: int({ help: 'Minutes between auction and impression; 0 = 60', example: 60 }),
    AddSchainNode: flag({ help: '1 = our node is added to the schain' }),
    DiscardSchain: flag({ help: '1 = no schain is sent' }),
    Gzip: flag({ help: '1 = bid requests are compressed' }),
    RevenueDailyLimit: demand.RevenueDailyLimit,
    BannerEnabled: flag({ example: 1, help: '1 = takes part for banner impressions' }),
    VideoEnabled: flag({ example: 1, help: '1 = takes part for video impressions' }),
    AudioEnabled: flag({ help: '1 = takes part for audio impressions' }),
    NativeEnabled: flag({ help: '1 = takes part for native impressions' }),
    PopEnabled: flag({ help: '1 = takes part for pop impressions' }),
    MaxBidfloor: demand.MaxBidfloor,
    MinTmax: demand.MinTmax,
    MaxSchainNodes: int({ help: 'Stays out of auctions with a longer schain; 0 = unlimited' }),
    AuctionType: omittedAs(
      1,
      choice({
        codes: [0, 1, 2],
        help: "0 = the supply's, 1 = First Price, 2 = Second Price Plus; omitted = 1",
      }),
    ),
    PubIdListMode: demand.PubIdListMode,
    PubIdList: demand.PubIdList,
    CompleteSchain: flag({ help: '1 = only requests with a complete schain' }),
    CridListMode: lineList.mode('the creative IDs'),
    CridList: lineList.lines('Creative IDs, one a line'),
    SeatListMode: lineList.mode('the seats'),
    SeatList: lineList.lines('Seats, one a line'),
    CustomParams: pathValues({ help: 'Values set in the bid request, by dotted OpenRTB path' }),
    ...statisticsUrls('StatsByDate', '/api/ortb/stats/advertiser/rtb', 'zone'),
    ...supplyConnections('DspRtbEps'),
    ...performance,
    ...accountManager,
    ...state,
  },
});
