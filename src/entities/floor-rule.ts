import { Type } from 'typebox';
import { connection } from '../fields/connection.ts';
import { identity, status } from '../fields/derived.ts';
import type { Fault } from '../fields/fault.ts';
import { derivedField, hiddenInArray, omittedAs, onlyIf } from '../fields/field.ts';
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

/** With `Auto` 1. */
function boundsOfAuto(values: Readonly<Record<string, unknown>>): readonly Fault[] {
  const [least, most] = [Number(values.AutoMin ?? 0), Number(values.AutoMax ?? 0)];
  if (values.Auto !== 1 || (most > 0 && least <= most)) return [];
  const [Path, Message] =
    most === 0
      ? ['AutoMax', 'must be above 0 if Auto is 1: the floor never rises above it']
      : ['AutoMin', `must not be above AutoMax (${most})`];
  return [{ Path, Code: 'out_of_range', Message }];
}

export const floorRule = defineEntity({
  key: 'FloorRule',
  title: 'Floor Rule',
  help: 'a bidfloor for some of the traffic, which replaces the Bidfloor of tags and feeds there',
  wrapper: 'FloorRule',
  path: 'floorrule',
  exchange: { side: 'floor', plural: 'FloorRules' },
  documented: [],
  check: boundsOfAuto,
  warnings: [
    whereEmpty(
      ['Floor'],
      'is 0: the rule lowers the bidfloor to what the request asks; set its floor, or deactivate it',
      ({ Auto }) => Auto !== 1,
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
      Auto: flag({
        help: '1 = the floor that earns most by the bids of the last seven days, found anew each hour and never outside AutoMin and AutoMax; Floor, within these, until enough bids are known',
        explanation:
          'The floor that earns most by the bids of the last seven days, found anew each hour, never outside these bounds. Until enough bids are known, it is the floor above',
      }),
      AutoMin: onlyIf('Auto', [1], cpm({ help: 'Lowest floor that Auto may set, in CPM', example: 0.5 })),
      AutoMax: onlyIf('Auto', [1], cpm({ help: 'Highest floor that Auto may set, in CPM', example: 4 })),
      AutoFloor: onlyIf('Auto', [1], {
        ...derivedField(Type.Union([Type.Number(), Type.Null()]), {
          place: { kind: 'document' },
          help: 'What Auto has found, in CPM; null = not enough bids are known yet',
          explanation: 'What was found by the bids; empty until enough are known',
          example: 1.8,
          unit: 'CPM',
        }),
        omitted: null,
      }),
      FloorInForce: derivedField(Type.Number(), {
        place: { kind: 'floorInForce' },
        help: 'The floor that holds now, in CPM: with Auto 1 what it has found, else Floor',
        explanation: 'The floor that holds now: what was found by the bids, else the floor above',
        example: 1.8,
        unit: 'CPM',
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
