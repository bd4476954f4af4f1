import { connection } from '../fields/connection.ts';
import { dealFigures, dealState, identity, pace, status } from '../fields/derived.ts';
import type { Fault } from '../fields/fault.ts';
import {
  forDelivery,
  hiddenInArray,
  omittedAs,
  onlyIf,
  onlyIfSet,
  required,
  writeOnly,
} from '../fields/field.ts';
import { flightOrder } from '../fields/flights.ts';
import { codes } from '../fields/list.ts';
import { amount, choice, cpm, flag, int, intFrom, usd } from '../fields/number.ts';
import { placed, section } from '../fields/section.ts';
import { currency, domain, headerLines, text, time, url } from '../fields/text.ts';
import { endsBefore } from '../fields/time-order.ts';
import { adTypes } from '../reference/ad-types.ts';
import { priorities } from '../reference/priorities.ts';
import { demand } from './demand.ts';
import { defineEntity } from './entity.ts';
import { frequency } from './frequency.ts';
import { planWarnings, spreading } from './pacing.ts';
import { schedule } from './schedule.ts';
import { needs, whereEmpty } from './setting-warning.ts';
import { lineList, shared } from './traffic.ts';

/** CurationFeeType: of the codes, those whose fee is taken from what the buyer pays. */
const percentOfSpend = 1;
const percentMax = 100;
/** Type. */
const guaranteed = 4;

function orderOfTimes(values: Readonly<Record<string, unknown>>): readonly Fault[] {
  const { StartTime = '', EndTime = '', TimeZone } = values;
  if (!endsBefore(String(EndTime), String(StartTime), String(TimeZone || 'UTC'))) return [];
  return [{ Path: 'EndTime', Code: 'out_of_range', Message: `must not be before StartTime (${StartTime})` }];
}

function feeInPercent({ CurationFeeType, CurationFee }: Readonly<Record<string, unknown>>): readonly Fault[] {
  if (CurationFeeType !== percentOfSpend || Number(CurationFee ?? 0) <= percentMax) return [];
  return [{ Path: 'CurationFee', Code: 'out_of_range', Message: `must be at most ${percentMax} percent` }];
}

/** Everybody who may read the deal sees its URL. */
function credentialsInUrl({ PushUrl }: Readonly<Record<string, unknown>>): readonly Fault[] {
  const { username, password } = URL.parse(String(PushUrl ?? '')) ?? { username: '', password: '' };
  if (username === '' && password === '') return [];
  const Message = 'must not contain a user or password; put them into PushHeaders, as Authorization';
  return [{ Path: 'PushUrl', Code: 'format', Message }];
}

/** Codes are those of the IAB's Deals API 1.0 where it has them. */
export const deal = defineEntity({
  key: 'Deal',
  title: 'Deal',
  help: 'terms agreed with buyers, who bid with its code: a price, inventory, and a place before open bids',
  wrapper: 'Deal',
  path: 'deal',
  exchange: {
    side: 'deal',
    plural: 'Deals',
    amountDaily: 'RevenueDailyLimit',
    amountTotal: 'TotalCost',
    impressionsTotal: 'Units',
  },
  documented: [],
  unique: { field: 'Code', within: 'team' },
  check: (values) => [
    ...orderOfTimes(values),
    ...flightOrder(values),
    ...feeInPercent(values),
    ...credentialsInUrl(values),
  ],
  warnings: [
    ...planWarnings,
    needs(
      ['Price'],
      'is 0: a deal at a fixed price sells for nothing; set its price',
      ({ PriceType }) => PriceType === 3,
    ),
    ...(['Units', 'EndTime'] as const).map((field) =>
      whereEmpty(
        [field],
        'is empty: a guaranteed deal without it is not paced; set Units and EndTime',
        ({ Type }) => Type === guaranteed,
      ),
    ),
  ],
  fields: {
    ...identity,
    Name: shared.Name,
    Tags: shared.Tags,
    ...section('General', {
      Code: required(
        forDelivery(text({ max: 64, help: 'Deal ID, with which buyers bid; unique', example: 'news-q1' })),
      ),
      Description: text({ max: 250, help: 'What buyers are told about it', example: 'News, first quarter' }),
      Type: forDelivery(
        omittedAs(
          2,
          choice({
            codes: { 1: 'Package', 2: 'Private auction', 3: 'Preferred', 4: 'Guaranteed' },
            help: 'Kind of deal',
          }),
        ),
      ),
    }),
    ...section('Price', {
      PriceType: choice({
        codes: { 0: "The auction's", 1: 'First price', 2: 'Second price', 3: 'Fixed price' },
        help: 'What the winner pays',
      }),
      Price: cpm({
        help: 'Lowest bid in CPM; with PriceType 3 also what is paid',
        explanation: 'Lowest bid in CPM; at a fixed price, also what is paid',
        example: 12.5,
      }),
      Currency: currency({ help: 'Currency of its prices; "" = USD' }),
      Curator: domain({
        help: 'Domain of the company that put the deal together',
        example: 'curator.example',
      }),
      CurationFeeType: choice({
        codes: {
          0: 'Undisclosed',
          1: 'Percentage of spend',
          2: 'Flat fee',
          3: 'CPM',
          4: 'None',
        },
        help: 'Kind of curation fee; a percentage and a CPM are taken from what the buyer pays',
      }),
      CurationFee: onlyIf(
        'CurationFeeType',
        [1, 2, 3],
        amount({ help: 'Curation fee, in percent or CPM', example: 10 }),
      ),
    }),
    MaxQps: shared.MaxQps,
    ImpressionsDailyLimit: shared.ImpressionsDailyLimit,
    ImpressionsLimitPerIp: shared.ImpressionsLimitPerIp,
    ...frequency,
    RevenueDailyLimit: demand.RevenueDailyLimit,
    ...section('Limits', {
      Units: int({
        help: 'Agreed number of impressions, which is never exceeded; a guaranteed deal spreads them over its time; 0 = unlimited',
        example: 1_000_000,
      }),
      TotalCost: usd({
        help: 'Agreed total price, in Currency; a guaranteed deal in USD never exceeds it; 0 = none',
        example: 10_000,
      }),
      StartTime: time({ help: 'Start, in TimeZone unless it names an offset; "" = open' }),
      EndTime: time({ help: 'End, in TimeZone unless it names an offset; a day is included; "" = open' }),
    }),
    ...spreading,
    ...schedule,
    ...section('Price', {
      Priority: omittedAs(
        priorities.ofDeal,
        intFrom(priorities.first, priorities.last, {
          help: 'Bids with a lower number win over others, whatever their price; open bids have 10',
        }),
      ),
    }),
    ...section('Connections', {
      DspRtbEps: connection({
        to: 'DspRtbEp',
        help: 'IDs of the DSP RTB EPs that are offered the deal; if no buyer is named, all connected ones are',
      }),
      DspVastTags: connection({ to: 'DspVastTag', help: 'IDs of the DSP VAST Tags whose ads it sells' }),
      Campaigns: connection({ to: 'Campaign', help: 'IDs of the campaigns whose ads it sells' }),
      VastTags: connection({
        to: 'VastTag',
        help: 'IDs of the VAST Tags that it is for; if no supply is named, all of the team is',
      }),
      RtbEps: connection({ to: 'RtbEp', help: 'IDs of the RTB EPs that it is for' }),
      BannerEps: connection({ to: 'BannerEp', help: 'IDs of the Banner EPs that it is for' }),
    }),
    SeatListMode: lineList.mode('the seats', 'SeatList'),
    SeatList: lineList.lines('Seats that may bid on it, or may not, one per line'),
    AdvertiserDomains: lineList.lines('Advertiser domains that may use it, one per line; none = all'),
    ...section('Targeting', {
      WebEnabled: shared.WebEnabled,
      AppEnabled: shared.AppEnabled,
      AdTypes: hiddenInArray(
        codes({
          of: Object.fromEntries(Object.entries(adTypes).map(([code, { name }]) => [code, name])),
          list: 'AdTypes (1 to 4)',
          help: 'Kinds of ad that it is for; none = all',
        }),
      ),
      IabCategories: shared.IabCategories,
      Countries: shared.Countries,
      Os: shared.Os,
      Browsers: shared.Browsers,
      DeviceTypes: shared.DeviceTypes,
    }),
    DomainsBrandsListMode: shared.DomainsBrandsListMode,
    DomainsBrandsList: shared.DomainsBrandsList,
    AppsListMode: shared.AppsListMode,
    AppsList: shared.AppsList,
    SizesListMode: shared.SizesListMode,
    SizesList: shared.SizesList,
    PubIdListMode: demand.PubIdListMode,
    PubIdList: demand.PubIdList,
    OverrideBlocks: placed(
      'Lists',
      flag({
        help: "1 = the publisher's blocks of domains, apps, categories and attributes do not apply to its ads",
      }),
    ),
    ...section(
      'Protocol',
      {
        UpstreamCode: text({
          max: 1024,
          help: 'Deal ID in the bid requests of an exchange; only impressions offered with it are sold, and its floor, seats and domains apply, too',
        }),
      },
      'advanced',
    ),
    ...section(
      'Sending',
      {
        PushUrl: url({ help: "Buyer's endpoint of the Deals API, which is sent the deal" }),
        PushHeaders: onlyIfSet(
          'PushUrl',
          writeOnly(headerLines({ help: 'Headers that it requires, one per line; no answer shows them' })),
        ),
      },
      'advanced',
    ),
    ...dealState,
    ...dealFigures,
    ...pace,
    ...status,
  },
});
