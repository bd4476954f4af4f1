import { connection } from '../fields/connection.ts';
import { identity, status } from '../fields/derived.ts';
import { hiddenInArray, omittedAs } from '../fields/field.ts';
import { codes } from '../fields/list.ts';
import { cpm, flag, intFrom, percent } from '../fields/number.ts';
import { section } from '../fields/section.ts';
import { currency } from '../fields/text.ts';
import { adTypes } from '../reference/ad-types.ts';
import { defineEntity } from './entity.ts';
import { schedule } from './schedule.ts';
import { whereEmpty } from './setting-warning.ts';
import { lineList, shared } from './traffic.ts';

/** Whose floors a rule sets, by the kind that its array names; none listed = all of the team. */
const of = (to: string, what: string) => connection({ to, help: `IDs of ${what}` });

export const floorRule = defineEntity({
  key: 'FloorRule',
  title: 'Floor Rule',
  help: 'a bidfloor for some of the traffic, which replaces the Bidfloor of tags and feeds there',
  wrapper: 'FloorRule',
  path: 'floorrule',
  exchange: { side: 'floor', plural: 'FloorRules' },
  documented: [],
  warnings: [
    whereEmpty(
      ['Floor'],
      'is 0: the rule lowers the bidfloor to what the request asks; set its floor, or deactivate it',
    ),
    {
      field: 'SkipPercent',
      when: ({ SkipPercent }) => SkipPercent === 100,
      message: 'is 100: every request is in the control group, so the rule sets no floor',
    },
  ],
  fields: {
    ...identity,
    Name: shared.Name,
    Tags: shared.Tags,
    ...section('Price', {
      Floor: cpm({ help: 'Lowest bid in CPM; a higher bidfloor of the request holds' }),
      Currency: currency({ help: 'Currency of the floor; "" = USD' }),
      Net: flag({
        help: "1 = what the publisher gets at least: bidders are asked for as much as leaves the publisher that, by PublisherProfitShare of the supply object. 0 = what bidders pay at least; the publisher's part is counted from the bidfloor that would hold without the rule",
        explanation:
          "The floor is what the publisher gets at least, after your part. Otherwise it is what bidders pay at least, and the publisher's part is counted from the bidfloor without the rule",
      }),
      Priority: omittedAs(
        10,
        intFrom(1, 20, {
          help: 'The rule with the lowest number decides; of equals, that with the lowest ID',
        }),
      ),
      SkipPercent: percent({
        example: 10,
        help: 'Share of requests for which the rule is skipped: the control group that shows what it brings',
      }),
    }),
    ...section('Connections', {
      Publishers: of(
        'Publisher',
        'the publishers whose supply it is for; if no supply is named, all of the team is',
      ),
      VastTags: of('VastTag', 'the VAST Tags that it is for'),
      RtbEps: of('RtbEp', 'the RTB EPs that it is for'),
      BannerEps: of('BannerEp', 'the Banner EPs that it is for'),
      PopFeeds: of('PopFeed', 'the Pop Feeds that it is for'),
      DspRtbEps: of('DspRtbEp', 'the DSP RTB EPs whose bids it is for; none = all bids'),
    }),
    ...schedule,
    AdvertiserDomains: lineList.lines(
      'Advertiser domains whose bids it is for, one per line; none = all bids',
    ),
    ...section('Targeting', {
      AdTypes: hiddenInArray(
        codes({
          of: Object.fromEntries(Object.entries(adTypes).map(([code, { name }]) => [code, name])),
          list: 'AdTypes (1 to 4)',
          help: 'Kinds of ad that it is for; none = all',
        }),
      ),
      Countries: shared.Countries,
      Os: shared.Os,
      Browsers: shared.Browsers,
      DeviceTypes: shared.DeviceTypes,
      IabCategories: shared.IabCategories,
    }),
    DomainsBrandsListMode: omittedAs(1, shared.DomainsBrandsListMode),
    DomainsBrandsList: shared.DomainsBrandsList,
    SizesListMode: omittedAs(1, shared.SizesListMode),
    SizesList: shared.SizesList,
    ...status,
  },
});
