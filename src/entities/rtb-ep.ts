import { referenceOrNone } from '../fields/connection.ts';
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
import { choice, cpm, flag, int, percent } from '../fields/number.ts';
import { section } from '../fields/section.ts';
import { defineEntity } from './entity.ts';
import { frequency } from './frequency.ts';
import { needs, whereEmpty } from './setting-warning.ts';
import { publisherOwner, supply } from './supply.ts';
import { lineList, shared } from './traffic.ts';

const crawled = (file: string) =>
  choice({
    codes: { 0: 'No', 1: 'Yes, allow until it is crawled', 2: 'Yes, deny until it is crawled' },
    help: `Whether ${file} is checked`,
  });

export const rtbEp = defineEntity({
  key: 'RtbEp',
  title: 'RTB EP',
  help: "a publisher's OpenRTB endpoint, which takes bid requests and answers with bids",
  wrapper: 'RtbEp',
  path: 'ortb/rtbep',
  owner: publisherOwner,
  exchange: {
    side: 'supply',
    plural: 'RtbEps',
    request: 'OpenRtb',
    promises: 'offer',
    amountDaily: 'SpentDailyLimit',
  },
  documented: ['get'],
  warnings: [
    whereEmpty(
      ['PublisherProfitShare'],
      "is 0: bids to the publisher never exceed the bidfloor of the request; set the publisher's percentage of the profit",
      ({ MinBidfloor }) => Number(MinBidfloor) > 0,
    ),
    needs(
      ['PublisherProfitShare', 'MinBidfloor'],
      "is 0: bids to the publisher never exceed the bidfloor of the request, and are 0 if it has none; set the publisher's percentage of the profit, or a MinBidfloor",
    ),
    {
      field: 'MaxBidfloor',
      isBlocking: true,
      when: ({ MinBidfloor, MaxBidfloor }) =>
        Number(MaxBidfloor) > 0 && Number(MinBidfloor) > Number(MaxBidfloor),
      message: 'is below MinBidfloor: every request is refused; raise it, or set it to 0',
    },
    needs(
      ['VideoEnabled', 'BannerEnabled', 'AudioEnabled', 'NativeEnabled', 'PopEnabled'],
      'is 0, and so is every other medium: no request gets a bid; allow at least one',
    ),
  ],
  fields: {
    ...identity,
    PublisherId: supply.PublisherId,
    PublisherName: supply.PublisherName,
    Name: shared.Name,
    Tags: shared.Tags,
    Currency: supply.Currency,
    DspBidfloorMargin: supply.DspBidfloorMargin,
    PublisherProfitShare: supply.PublisherProfitShare,
    ...section('Price', {
      RevenueCountingMethod: choice({
        codes: { 0: 'Win notice', 1: 'Billing notice', 2: 'Display of the markup' },
        help: 'When revenue counts',
      }),
    }),
    ...section('Supply chain', {
      CheckAdsTxt: onlyIf('WebEnabled', [1], crawled('ads.txt')),
      CheckAppAdsTxt: onlyIf('AppEnabled', [1], crawled('app-ads.txt')),
      CheckSellersJson: crawled('sellers.json'),
    }),
    MaxQps: shared.MaxQps,
    ...section(
      'Calls',
      {
        TmaxAdjust: int({
          unit: 'ms',
          help: "Milliseconds to subtract from the publisher's tmax, for the network and the exchange's own work; 0 = 20",
          example: 20,
        }),
      },
      'advanced',
    ),
    AutoOptimize: shared.AutoOptimize,
    ...section(
      'Protocol',
      {
        HeaderBidJs: flag({ help: '1 = answers header-bidding scripts in browsers' }),
        PopAdmXml: onlyIf(
          'PopEnabled',
          [1],
          flag({
            help: '1 = adm of a pop bid is XML',
            explanation: 'The markup of a pop (adm) is XML',
          }),
        ),
      },
      'advanced',
    ),
    ...section(
      'Supply chain',
      {
        AddSchainNode: onlyIf('DiscardSchain', [0], flag({ help: '1 = our node is added to the schain' })),
        DiscardSchain: flag({ help: '1 = no schain is sent to demand' }),
      },
      'advanced',
    ),
    SetSchainComplete: onlyIf('DiscardSchain', [0], supply.SetSchainComplete),
    RequestsDailyLimit: shared.RequestsDailyLimit,
    BidsDailyLimit: shared.BidsDailyLimit,
    ImpressionsDailyLimit: shared.ImpressionsDailyLimit,
    ImpressionsLimitPerIp: shared.ImpressionsLimitPerIp,
    ...frequency,
    ConsentMode: supply.ConsentMode,
    SyncDomains: supply.SyncDomains,
    ...section(
      'Privacy',
      {
        BuyerUidOf: referenceOrNone({
          to: 'DspRtbEp',
          example: 0,
          help: 'ID of the DSP RTB EP whose user IDs the publisher sends as user.buyeruid: it gets them, and nobody else; 0 = nobody does',
          explanation: 'The DSP whose user IDs the publisher sends in user.buyeruid; nobody else gets them',
        }),
      },
      'advanced',
    ),
    SpentDailyLimit: supply.SpentDailyLimit,
    ...forOwner(
      section('Targeting', {
        BannerEnabled: flag({ example: 1, help: '1 = banner impressions are allowed' }),
        VideoEnabled: flag({ example: 1, help: '1 = video impressions are allowed' }),
        AudioEnabled: flag({ help: '1 = audio impressions are allowed' }),
        NativeEnabled: flag({ help: '1 = native impressions are allowed' }),
        PopEnabled: flag({ help: '1 = pop impressions are allowed' }),
      }),
    ),
    WebEnabled: shared.WebEnabled,
    AppEnabled: shared.AppEnabled,
    ...section('Targeting', {
      MinBidfloor: cpm({ help: 'Lowest bidfloor in CPM of an accepted request; 0 = any' }),
      MaxBidfloor: cpm({ help: 'Highest bidfloor in CPM of an accepted request; 0 = any' }),
    }),
    MaxIvt: shared.MaxIvt,
    ...section(
      'Supply chain',
      {
        MaxSchainNodes: int({ help: 'Longest schain of an accepted request, in nodes; 0 = unlimited' }),
      },
      'advanced',
    ),
    DomainsBrandsListMode: shared.DomainsBrandsListMode,
    DomainsBrandsList: shared.DomainsBrandsList,
    AppsListMode: shared.AppsListMode,
    AppsList: shared.AppsList,
    SizesListMode: shared.SizesListMode,
    SizesList: shared.SizesList,
    PubIdListMode: lineList.mode('the Pub IDs', 'PubIdList'),
    PubIdList: lineList.lines('Pub IDs, one per line'),
    IpBlacklists: shared.IpBlacklists,
    NonEmptyReferer: shared.NonEmptyReferer,
    RefererMatch: shared.RefererMatch,
    IpMatch: shared.IpMatch,
    UaMatch: shared.UaMatch,
    AllowIpV6: shared.AllowIpV6,
    CheckSiteLive: shared.CheckSiteLive,
    CheckAppStore: shared.CheckAppStore,
    ...section(
      'Supply chain',
      {
        Schain: flag({ help: '1 = only requests with an schain are accepted' }),
        CompleteSchain: flag({ help: '1 = only requests with a complete schain are accepted' }),
        PreventSchainLoop: flag({ help: '1 = requests whose schain already contains our node are refused' }),
      },
      'advanced',
    ),
    IabCategories: shared.IabCategories,
    BlockedAdIabCategories: supply.BlockedAdIabCategories,
    AdDomainsBrandsBlacklist: supply.AdDomainsBrandsBlacklist,
    AdAppsBlacklist: supply.AdAppsBlacklist,
    CridList: supply.CridList,
    CridListMode: supply.CridListMode,
    ...section('Protocol', {
      VastInlineOnly: flag({ help: '1 = only InLine VAST is accepted' }),
    }),
    PodSeparation: supply.PodSeparation,
    Countries: shared.Countries,
    Os: shared.Os,
    Browsers: shared.Browsers,
    DeviceTypes: shared.DeviceTypes,
    ...section(
      'Quality',
      {
        ThirdPartyPostbidEnable: flag({
          help: "1 = a third party measures ads: the MeasurementUrl of the team's settings is called when they are shown",
        }),
        ThirdPartyPercentage: onlyIf(
          'ThirdPartyPostbidEnable',
          [1],
          percent({ help: 'Percentage of the ads that are measured, chosen by the ID of the auction' }),
        ),
      },
      'advanced',
    ),
    ...section('Access', {
      Auth: forDelivery(secret('Credential of the zone URLs')),
      ...forOwner({ ZoneUrls: regionUrls({ ZoneUrl: '{RegionUrl}/rtb?zone={Id}&auth={Auth}' }) }),
    }),
    ...statisticsUrls('StatsByDate', { path: '/api/ortb/stats/publisher/rtb', parameter: 'zone' }),
    ...performance,
    ...accountManager,
    ...status,
  },
});
