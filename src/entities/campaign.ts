import { accountManager, identity, pace, performance, status } from '../fields/derived.ts';
import type { Fault } from '../fields/fault.ts';
import { forDelivery, forOwner, hiddenInArray, omittedAs, onlyIf } from '../fields/field.ts';
import { flightOrder } from '../fields/flights.ts';
import { creativeAttributes } from '../fields/list.ts';
import { choice, cpm, int, intFrom, usd } from '../fields/number.ts';
import { section } from '../fields/section.ts';
import { date, domain, iabCategory, mime, text, url } from '../fields/text.ts';
import { priorities, usualWeight } from '../reference/priorities.ts';
import { advertiserOwner, demand, targeted } from './demand.ts';
import { defineEntity } from './entity.ts';
import { pacing, planWarnings } from './pacing.ts';
import { schedule } from './schedule.ts';
import { needs } from './setting-warning.ts';
import { traffic } from './traffic.ts';

const { Name, Tags, ...rules } = targeted(traffic('D'));

function orderOfDates(values: Readonly<Record<string, unknown>>): readonly Fault[] {
  const { StartDate, EndDate } = values;
  if (!StartDate || !EndDate || String(StartDate) <= String(EndDate)) return [];
  return [{ Path: 'EndDate', Code: 'out_of_range', Message: `must not be before StartDate (${StartDate})` }];
}

/** With its own creative (reference, "Resources"). */
export const campaign = defineEntity({
  key: 'Campaign',
  title: 'Campaign',
  help: "an advertiser's ad with its price, days and budget, which is shown without calling anybody",
  wrapper: 'Campaign',
  path: 'campaign',
  owner: advertiserOwner,
  exchange: {
    side: 'demand',
    plural: 'Campaigns',
    serves: ['VastTag', 'RtbEp', 'PopFeed', 'BannerEp'],
    medium: { field: 'Type', codes: { 1: 'video', 2: 'banner', 3: 'pop' } },
    price: { field: 'Cpm', isOptional: false },
    amountDaily: 'SpendDailyLimit',
    amountTotal: 'SpendTotalLimit',
    impressionsTotal: 'ImpressionsTotalLimit',
    deals: 'named',
  },
  documented: [],
  check: (values) => [...orderOfDates(values), ...flightOrder(values)],
  warnings: [
    ...planWarnings,
    needs(['Cpm'], 'is 0: the campaign pays nothing, so any other bid wins; set a price in CPM'),
    needs(
      ['MediaUrl'],
      'is empty: a video campaign without a media file shows nothing; set its URL',
      ({ Type }) => Type === 1,
    ),
    needs(
      ['Html'],
      'is empty: a banner campaign without markup shows nothing; set its markup',
      ({ Type }) => Type === 2,
    ),
    needs(
      ['ClickUrl'],
      'is empty: a pop campaign without a page shows nothing; set the page to open',
      ({ Type }) => Type === 3,
    ),
  ],
  fields: {
    ...identity,
    AdvertiserId: demand.AdvertiserId,
    AdvertiserName: demand.AdvertiserName,
    Name,
    Tags,
    ...forOwner(
      section('General', {
        Type: forDelivery(
          omittedAs(1, choice({ codes: { 1: 'Video', 2: 'Banner', 3: 'Pop' }, help: 'Kind of ad' })),
        ),
      }),
    ),
    Currency: demand.Currency,
    ...forOwner(
      section('Price', {
        Cpm: cpm({ help: 'Bid in CPM' }),
      }),
    ),
    ...section('Price', {
      Priority: omittedAs(
        priorities.open,
        intFrom(priorities.first, priorities.last, {
          help: 'Bids with a lower number win over others, whatever their price; open bids have 10, deals their own',
        }),
      ),
      Weight: omittedAs(
        usualWeight,
        intFrom(1, 1000, {
          help: 'Of equal bids with the same priority, each wins as often as its part of their weights; other bids have 100',
        }),
      ),
    }),
    ...forOwner(
      section('Limits', {
        StartDate: date({ help: 'First day, by TimeZone; "" = open', example: '2027-01-01' }),
        EndDate: date({ help: 'Last day, by TimeZone, inclusive; "" = open' }),
        SpendDailyLimit: usd({ unit: 'USD/day', help: 'Maximum spend per day, in USD; 0 = unlimited' }),
        SpendTotalLimit: usd({ help: 'Maximum total spend, in USD; 0 = unlimited', example: 10_000 }),
      }),
    ),
    ...pacing,
    ...forOwner(
      section('Creative', {
        MediaUrl: onlyIf(
          'Type',
          [1],
          url({ help: 'URL of the media file', example: 'https://cdn.example.com/ad.mp4' }),
        ),
        Mime: onlyIf('Type', [1], mime({ help: 'MIME type of the media file' })),
        Duration: onlyIf(
          'Type',
          [1],
          int({ unit: 's', help: 'Length of the video in seconds', example: 15 }),
        ),
        Width: int({ unit: 'px', help: 'Width in pixels', example: 640 }),
        Height: int({ unit: 'px', help: 'Height in pixels', example: 360 }),
        ClickUrl: url({ help: 'Where a click leads', example: 'https://brand.example/offer' }),
        Html: onlyIf(
          'Type',
          [2],
          text({ max: 262_144, help: 'Markup of a banner', example: '<p>Hello</p>' }),
        ),
        AdDomain: domain({ help: "The advertiser's domain", example: 'brand.example' }),
        IabCategory: iabCategory({ help: 'IAB category of the ad' }),
        Attributes: hiddenInArray(creativeAttributes({ help: 'Creative attributes (AdCOM) of the ad' })),
      }),
    ),
    ...rules,
    ...schedule,
    ...performance,
    ...forOwner(pace),
    ...accountManager,
    ...status,
  },
});
