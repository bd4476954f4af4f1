import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { DemandKindName, SupplyKind } from '../../../src/entities/kinds.ts';
import { createListRegistry } from '../../../src/exchange/lists/list-registry.ts';
import { cpmMicrosOf } from '../../../src/exchange/money.ts';
import type { Media, Opportunity, Software } from '../../../src/exchange/opportunity.ts';
import type { Reason } from '../../../src/exchange/reasons.ts';
import { compileChecks } from '../../../src/exchange/targeting/compile-checks.ts';
import { neverMatch } from '../../../src/exchange/targeting/never-match.ts';
import { demandRules, supplyRules } from '../../../src/exchange/targeting/rules.ts';
import { seeded } from '../../support/seed.ts';
import { opportunityWith } from '../unrestricted.ts';
import { objectWith } from './samples.ts';

type Values = Readonly<Record<string, unknown>>;
type Side<K> = readonly [entity: K, values?: Values];
type Row = readonly [
  what: string,
  supply: Side<SupplyKind>,
  demand: Side<DemandKindName>,
  reason: Reason | undefined,
  field?: string,
];

const nowMs = Date.UTC(2027, 5, 15, 12);
const android = (Major: string, Minor = '') => [{ Family: 'Android', Versions: [{ Major, Minor }] }];

const manySizes = (height: number, count: number) => ({
  SizesListMode: 1,
  SizesList: Array.from({ length: count }, (_, at) => `${at + 1}x${height}`),
});

const rows: readonly Row[] = [
  ['nothing restricts', ['VastTag'], ['DspVastTag'], undefined],
  [
    'disjoint countries',
    ['VastTag', { Countries: ['DE'] }],
    ['DspVastTag', { Countries: ['US', 'FR'] }],
    'country_not_targeted',
    'Countries',
  ],
  ['a country in common', ['VastTag', { Countries: ['DE', 'US'] }], ['DspVastTag', { Countries: ['US'] }], undefined],
  ['countries on one side', ['VastTag'], ['DspVastTag', { Countries: ['US'] }], undefined],
  ['a floor above the maximum', ['VastTag', { Bidfloor: 2.01 }], ['DspVastTag', { MaxBidfloor: 2 }], 'floor_above_maximum', 'MaxBidfloor'],
  ['a floor at the maximum', ['VastTag', { Bidfloor: 2 }], ['DspVastTag', { MaxBidfloor: 2 }], undefined],
  ['the least floor that an endpoint admits', ['RtbEp', { VideoEnabled: 1, MinBidfloor: 3 }], ['DspVastTag', { MaxBidfloor: 2 }], 'floor_above_maximum', 'MaxBidfloor'],
  ['too little time', ['VastTag', { Tmax: 99 }], ['DspVastTag', { MinTmax: 100 }], 'insufficient_time', 'MinTmax'],
  ['too little time by default', ['VastTag'], ['DspVastTag', { MinTmax: 301 }], 'insufficient_time', 'MinTmax'],
  ['time by default', ['VastTag'], ['DspVastTag', { MinTmax: 300 }], undefined],
  ['time that the requests of an endpoint tell', ['RtbEp', { VideoEnabled: 1 }], ['DspVastTag', { MinTmax: 900 }], undefined],
  ['a banner for a VAST Tag', ['VastTag'], ['Campaign', { Type: 2 }], 'media_not_enabled', 'Type'],
  ['a bidder without video for a VAST Tag', ['VastTag'], ['DspRtbEp', { BannerEnabled: 1 }], 'media_not_enabled', 'VideoEnabled'],
  ['a video for a Pop Feed', ['PopFeed'], ['Campaign', { Type: 1 }], 'media_not_enabled', 'Type'],
  ['a video for an endpoint of banners', ['RtbEp', { BannerEnabled: 1 }], ['DspVastTag'], 'media_not_enabled'],
  ['a campaign that is over', ['VastTag'], ['Campaign', { Type: 1, EndDate: '2027-06-14' }], 'out_of_flight', 'EndDate'],
  ['a campaign of today', ['VastTag'], ['Campaign', { Type: 1, EndDate: '2027-06-15' }], undefined],
  ['a campaign to come', ['VastTag'], ['Campaign', { Type: 1, StartDate: '2030-01-01' }], undefined],
  ['another version', ['VastTag', { Os: android('13') }], ['DspVastTag', { Os: android('14') }], 'os_not_targeted', 'Os'],
  ['a minor of the version', ['VastTag', { Os: android('14') }], ['DspVastTag', { Os: android('14', '1') }], undefined],
  ['a minor of any version', ['VastTag', { Os: android('', '1') }], ['DspVastTag', { Os: android('14') }], undefined],
  ['the family', ['VastTag', { Os: [{ Family: 'Android' }] }], ['DspVastTag', { Os: android('14') }], undefined],
  ['another browser', ['VastTag', { Browsers: [{ Family: 'Chrome' }] }], ['DspVastTag', { Browsers: [{ Family: 'Safari' }] }], 'browser_not_targeted', 'Browsers'],
  ['a phone and a tablet', ['VastTag', { DeviceTypes: [4] }], ['DspVastTag', { DeviceTypes: [5] }], 'device_type_not_targeted', 'DeviceTypes'],
  ['a phone and what covers it', ['VastTag', { DeviceTypes: [4] }], ['DspVastTag', { DeviceTypes: [1] }], undefined],
  ['a size that is blocked', ['VastTag', { SizesListMode: 1, SizesList: ['640x360'] }], ['DspVastTag', { SizesList: ['640x360', '1x1'] }], 'size_not_targeted', 'SizesList'],
  ['other sizes', ['VastTag', { SizesListMode: 1, SizesList: ['640x360'] }], ['DspVastTag', { SizesListMode: 1, SizesList: ['1x1'] }], 'size_not_targeted', 'SizesList'],
  ['other sizes, of which an impression of OpenRTB may take both', ['RtbEp', { VideoEnabled: 1, SizesListMode: 1, SizesList: ['640x360'] }], ['DspVastTag', { SizesListMode: 1, SizesList: ['1x1'] }], undefined],
  ['one of two sizes blocked', ['VastTag', { SizesListMode: 1, SizesList: ['640x360', '2x2'] }], ['DspVastTag', { SizesList: ['640x360'] }], undefined],
  ['as many sizes as are compared', ['VastTag', manySizes(1, 500)], ['DspVastTag', manySizes(2, 500)], 'size_not_targeted', 'SizesList'],
  ['more sizes than are compared', ['VastTag', manySizes(1, 501)], ['DspVastTag', manySizes(2, 500)], undefined],
  ['categories, which only describe a tag', ['VastTag', { IabCategories: ['IAB1'] }], ['DspVastTag', { IabCategories: ['IAB2'] }], undefined],
  ['another publisher', ['VastTag'], ['DspVastTag', { PubIdListMode: 1, PubIdList: 'pub-2' }], 'publisher_blocked', 'PubIdList'],
  ['the publisher', ['VastTag'], ['DspVastTag', { PubIdListMode: 1, PubIdList: 'pub-2\n pub-1' }], undefined],
  ['a blocked publisher', ['VastTag'], ['DspVastTag', { PubIdList: 'pub-1' }], 'publisher_blocked', 'PubIdList'],
  ['a chain that no player sends', ['VastTag'], ['DspRtbEp', { VideoEnabled: 1, CompleteSchain: 1 }], 'incomplete_schain', 'CompleteSchain'],
  ['a chain that requests carry', ['RtbEp', { VideoEnabled: 1 }], ['DspRtbEp', { VideoEnabled: 1, CompleteSchain: 1 }], undefined],
  ['sites here and apps there', ['VastTag', { AppEnabled: 0 }], ['DspVastTag', { WebEnabled: 0 }], undefined],
]; // biome-ignore format: a table

function verdict(
  [supplyKind, supplyValues]: Side<SupplyKind>,
  [demandKind, demandValues]: Side<DemandKindName>,
) {
  const supply = { ...objectWith(supplyKind, supplyValues), sellerId: 'pub-1', nowMs };
  return neverMatch(supply, objectWith(demandKind, demandValues));
}

describe('a pair that can never match', () => {
  for (const [what, supply, demand, reason, field] of rows) {
    test(`${what}: ${reason ?? 'may match'}`, () => {
      const refusal = verdict(supply, demand);
      assert.deepEqual([refusal?.reason, refusal?.field], [reason, field]);
    });
  }

  const told: readonly (readonly [supply: Side<SupplyKind>, demand: Side<DemandKindName>, wanted: unknown, met: unknown])[] = [
    [['VastTag', { Countries: ['DE'] }], ['DspVastTag', { Countries: ['US', 'FR'] }], ['US', 'FR'], ['DE']],
    [['VastTag', { Tmax: 99 }], ['DspVastTag', { MinTmax: 100 }], 100, 99],
    [['VastTag', { Bidfloor: 2.5 }], ['DspVastTag', { MaxBidfloor: 2 }], 2, 2.5],
    [['VastTag'], ['Campaign', { Type: 1, EndDate: '2027-06-14' }], '2027-06-14', '2027-06-15'],
    [['VastTag'], ['DspRtbEp', { VideoEnabled: 1, CompleteSchain: 1 }], ['complete'], undefined],
  ]; // biome-ignore format: a table
  for (const [supply, demand, wanted, met] of told) {
    test(`tells what the one wants and the other has: ${JSON.stringify([wanted, met])}`, () => {
      const refusal = verdict(supply, demand);
      assert.deepEqual([refusal?.wanted, refusal?.met], [wanted, met]);
    });
  }
});

const some = <T>(items: readonly T[]) => fc.subarray([...items]);
const oneOf = <T>(items: readonly T[]) => fc.constantFrom(...items);
const version = oneOf(['', '1', '14']);
const family = fc.record({
  Family: oneOf(['Android', 'iOS']),
  Versions: fc.array(fc.record({ Major: version, Minor: version }), { maxLength: 2 }),
});

/** Fields that both sides may have; few values, so that pairs are often disjoint. */
const targeted = {
  Countries: some(['US', 'DE']),
  Os: fc.array(family, { maxLength: 2 }),
  DeviceTypes: some([1, 2, 4, 5]),
  SizesListMode: oneOf([0, 1]),
  SizesList: some(['640x360', '300x250']),
  WebEnabled: oneOf([0, 1]),
  AppEnabled: oneOf([0, 1]),
  AllowIpV6: oneOf([0, 1]),
};
const supplyValues = fc.record({
  ...targeted,
  Bidfloor: oneOf([0, 1, 2]),
  Tmax: oneOf([0, 100, 400]),
});
const demandValues = fc.record({
  ...targeted,
  MaxBidfloor: oneOf([0, 1.5]),
  MinTmax: oneOf([0, 200, 301]),
  PubIdListMode: oneOf([0, 1]),
  PubIdList: oneOf(['', 'pub-1', 'pub-2']),
});

const software: fc.Arbitrary<Software> = fc
  .record({ family: oneOf(['', 'Android', 'iOS']), major: version, minor: version })
  .map(({ family: name, major, minor }) => ({
    family: name,
    major: name === '' ? '' : major,
    minor: name === '' || major === '' ? '' : minor,
  }));

/** What a request to a VAST Tag with that floor and tmax can become. */
const requests = fc.record({
  country: oneOf(['', 'US', 'DE', 'FR']),
  os: software,
  types: oneOf<readonly number[]>([[], [1], [1, 4], [1, 5], [2]]),
  size: oneOf([[0, 0], [640, 360], [300, 250], [1, 1]] as const), // biome-ignore format: pairs
  environment: oneOf(['web', 'app', ''] as const),
  toldFloor: oneOf([0, 1.2, 3]),
});

test('whatever request comes, a pair with a warning never matches, and the rules are the ones of the auction', () => {
  const lists = createListRegistry();
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(
      supplyValues,
      demandValues,
      fc.array(requests, { minLength: 8, maxLength: 24, size: 'max' }),
      (supplied, demanded, met) => {
        const supply = objectWith('VastTag', supplied);
        const demand = objectWith('DspVastTag', demanded);
        const refusal = neverMatch({ ...supply, sellerId: 'pub-1', nowMs }, demand);
        const verdictName = refusal?.reason ?? 'may match';
        seen.set(verdictName, (seen.get(verdictName) ?? 0) + 1);
        if (!refusal) return;
        const checks = [
          ...compileChecks(supply, supplyRules, lists),
          ...compileChecks(demand, demandRules, lists),
        ];
        for (const { os, types, size, environment, toldFloor, country } of met) {
          const opportunity: Opportunity = opportunityWith({
            country,
            inventory: { environment },
            device: { os, types },
            media: 'video' satisfies Media,
            width: size[0],
            height: size[1],
            sellerId: 'pub-1',
            timeMs: nowMs,
            floorCpmMicros: cpmMicrosOf(Math.max(supplied.Bidfloor, toldFloor)),
            tmaxMs: supplied.Tmax || 300,
          });
          assert.ok(
            checks.some((check) => check(opportunity)),
            `${verdictName} was told, and yet it matches`,
          );
        }
      },
    ),
    seeded(3000),
  );
  for (const reason of [
    'may match',
    'country_not_targeted',
    'os_not_targeted',
    'device_type_not_targeted',
    'size_not_targeted',
    'publisher_blocked',
    'floor_above_maximum',
    'insufficient_time',
  ]) {
    assert.ok(seen.has(reason), `${reason} was never told`);
  }
});
