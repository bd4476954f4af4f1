import assert from 'node:assert/strict';
import {
  Base64Url,
  type GVL,
  IntEncoder,
  PurposeRestriction,
  Segment,
  SegmentEncoder,
  TCModel,
  TCString,
} from '@iabtechlabtcf/core';
import fc from 'fast-check';
import { readTcf } from '../../../src/protocols/consent/read-tcf.ts';
import { purposeBit, specialFeatureBit, type TcfString } from '../../../src/protocols/consent/tcf-string.ts';

const int = (max: number, min = 0) => fc.integer({ min, max });
const maskBits = 30;
const bitsIn = (mask: number, first: number) =>
  Array.from({ length: maskBits }, (_, at) => first + at).filter((_, at) => (mask & (1 << at)) !== 0);

/** Few, many, in rows and with gaps, low and high. Masks draw them fast, since a million strings have each some ten sets. */
const vendorIds = fc
  .tuple(
    int(2 ** maskBits - 1),
    int(2 ** maskBits - 1),
    fc.oneof({ weight: 60, arbitrary: int(1500, 1) }, { weight: 1, arbitrary: int(65_000, 1) }),
    fc.constantFrom('none', 'one', 'some', 'some', 'row', 'two rows'),
  )
  .map(([mask, other, first, form]) => {
    const row = Array.from({ length: mask % 300 }, (_, at) => first + at);
    const forms = {
      none: [],
      one: [first],
      some: [...bitsIn(mask & other, 1), ...bitsIn(mask, first + maskBits)],
      row,
      'two rows': [...row, ...bitsIn(other, first + 301)],
    };
    return forms[form];
  });
const purposeIds = int(2 ** 24 - 1).map((mask) => bitsIn(mask, 1));

const drawnModel = fc.record({
  day: int(40_000),
  cmpId: int(4095, 2),
  cmpVersion: int(4095, 1),
  consentScreen: int(63),
  language: fc.constantFrom('EN', 'DE', 'FR'),
  vendorListVersion: int(4095),
  policyVersion: fc.constantFrom(2, 3, 4, 5),
  isServiceSpecific: fc.boolean(),
  useNonStandardTexts: fc.boolean(),
  purposeOneTreatment: fc.boolean(),
  publisherCountry: fc.constantFrom('AA', 'DE', 'FR', 'ZZ'),
  specialFeatures: int(2 ** 12 - 1).map((mask) => bitsIn(mask, 1)),
  purposeConsents: purposeIds,
  purposeLegitimateInterests: purposeIds,
  vendorConsents: vendorIds,
  vendorLegitimateInterests: vendorIds,
  listed: vendorIds,
  restrictions: fc.array(fc.record({ purpose: int(24, 1), type: int(2), vendors: vendorIds }), {
    maxLength: 4,
  }),
  disclosed: vendorIds,
  allowed: vendorIds,
  segments: fc.shuffledSubarray([Segment.VENDORS_DISCLOSED, Segment.VENDORS_ALLOWED, Segment.PUBLISHER_TC]),
});
type Drawn = typeof drawnModel extends fc.Arbitrary<infer Value> ? Value : never;

const dayMs = 86_400_000;

function encode(drawn: Drawn): string {
  const model = new TCModel();
  model.cmpId = drawn.cmpId;
  model.cmpVersion = drawn.cmpVersion;
  model.consentScreen = drawn.consentScreen;
  model.consentLanguage = drawn.language;
  model.vendorListVersion = drawn.vendorListVersion;
  model.policyVersion = drawn.policyVersion;
  model.isServiceSpecific = drawn.isServiceSpecific;
  model.useNonStandardTexts = drawn.useNonStandardTexts;
  model.purposeOneTreatment = drawn.purposeOneTreatment;
  model.publisherCountryCode = drawn.publisherCountry;
  model.created = new Date(drawn.day * dayMs);
  model.lastUpdated = new Date((drawn.day + 1) * dayMs);
  model.specialFeatureOptins.set(drawn.specialFeatures);
  model.purposeConsents.set(drawn.purposeConsents);
  model.purposeLegitimateInterests.set(drawn.purposeLegitimateInterests);
  model.vendorConsents.set(drawn.vendorConsents);
  model.vendorLegitimateInterests.set(drawn.vendorLegitimateInterests);
  model.vendorsDisclosed.set(drawn.disclosed);
  model.vendorsAllowed.set(drawn.allowed);
  for (const { purpose, type, vendors } of drawn.restrictions) {
    for (const vendor of vendors) {
      model.publisherRestrictions.add(vendor, new PurposeRestriction(purpose, type));
    }
  }
  // The encoder asks nothing else of the list: IDs that it lacks may be inside a range.
  model.publisherRestrictions.gvl = { vendorIds: new Set(drawn.listed) } as unknown as GVL;
  return [Segment.CORE, ...drawn.segments].map((segment) => SegmentEncoder.encode(model, segment)).join('.');
}

const number = (value: number, width: number) => IntEncoder.encode(value, width);
type Range = readonly [first: number, last: number | undefined];
const rangesText = (ranges: readonly Range[]) =>
  number(ranges.length, 12) +
  ranges
    .map(([first, last]) =>
      last === undefined ? `0${number(first, 16)}` : `1${number(first, 16)}${number(last, 16)}`,
    )
    .join('');
const id = int(400, 1);
/** In any order, and one over another. */
const anyRanges = fc.array(fc.tuple(id, fc.option(id, { nil: undefined })), { maxLength: 12 });
const orderedRanges = anyRanges.map((ranges) =>
  ranges.map(([first, last]): Range => [first, last === undefined ? last : Math.max(first, last)]),
);
const anySet = fc.oneof(
  fc
    .array(fc.boolean(), { maxLength: 60 })
    .map((bits) => `${number(bits.length, 16)}0${bits.map(Number).join('')}`),
  fc.tuple(int(500), anyRanges).map(([last, ranges]) => `${number(last, 16)}1${rangesText(ranges)}`),
);

/** Strings that no encoder writes, but that say something. */
const unusual = fc
  .tuple(
    // With an ID of the consent platform and a country that the official library takes.
    fc
      .stringMatching(/^[01]{194}$/)
      .map((bits) => `000010${bits.slice(0, 72)}1${bits.slice(72)}000011000100`),
    anySet,
    anySet,
    fc.array(fc.tuple(int(24, 1), int(2), orderedRanges), { maxLength: 5 }),
    fc.option(anySet),
  )
  .map(([fixed, consents, interests, restrictions, disclosed]) => {
    const records = restrictions.map(
      ([purpose, type, ranges]) => number(purpose, 6) + number(type, 2) + rangesText(ranges),
    );
    const core = fixed + consents + interests + number(records.length, 12) + records.join('');
    const segments = [core, ...(disclosed === null ? [] : [`001${disclosed}`])];
    return segments.map((bits) => Base64Url.encode(bits)).join('.');
  });

/** A string, and vendors at the edges of what it names. */
export interface DrawnTcf {
  readonly text: string;
  readonly vendors: readonly number[];
}

const around = (vendors: readonly number[]) =>
  [...new Set(vendors.flatMap((vendor) => [vendor - 1, vendor, vendor + 1]))].filter(
    (vendor) => vendor >= 1 && vendor <= 65_535,
  );
function edgesOf(drawn: Drawn): readonly number[] {
  const { vendorConsents, vendorLegitimateInterests, disclosed, restrictions } = drawn;
  const sets = [
    vendorConsents,
    vendorLegitimateInterests,
    disclosed,
    ...restrictions.map(({ vendors }) => vendors),
  ];
  return around(sets.flatMap((set) => [...set.slice(0, 2), ...set.slice(-1)]));
}

export const drawnTcf: fc.Arbitrary<DrawnTcf> = fc.oneof(
  { weight: 3, arbitrary: drawnModel.map((drawn) => ({ text: encode(drawn), vendors: edgesOf(drawn) })) },
  {
    weight: 1,
    arbitrary: fc.tuple(unusual, fc.array(id)).map(([text, vendors]) => ({ text, vendors: around(vendors) })),
  },
);

const purposes = Array.from({ length: 24 }, (_, at) => at + 1);
const features = purposes.slice(0, 12);
const bitsOf = (ids: readonly number[], has: (id: number) => boolean, bitOf: (id: number) => number) =>
  ids.reduce((mask, each) => mask | (has(each) ? bitOf(each) : 0), 0);

const cmpIdAt = 13;
/** The official library refuses the ID 0, which tests like to use: then it is asked with another one. */
const decode = (text: string) =>
  TCString.decode(
    text.slice(cmpIdAt, cmpIdAt + 2) === 'AA'
      ? `${text.slice(0, cmpIdAt)}AC${text.slice(cmpIdAt + 2)}`
      : text,
  );

/** Asks both readers everything about the fixed members and some vendors. */
export function assertAgrees(text: string, vendors: readonly number[]): TcfString {
  const model = decode(text);
  const tcf = readTcf(text);
  assert.ok(tcf, text);
  const { hasVendorConsent, hasVendorLegitimateInterest, isVendorDisclosed, restrictionOf, ...others } = tcf;
  const { restrictionCount: _, ...members } = others;
  const hasDisclosed = text.split('.').some((segment) => /^[I-P]/.test(segment));
  assert.deepEqual(
    // The official library writes what is no letter as one.
    { ...members, publisherCountry: members.publisherCountry.toUpperCase() },
    {
      framework: 'eu',
      createdMs: model.created.getTime(),
      lastUpdatedMs: model.lastUpdated.getTime(),
      cmpId: text.slice(cmpIdAt, cmpIdAt + 2) === 'AA' ? 0 : Number(model.cmpId),
      cmpVersion: model.cmpVersion,
      vendorListVersion: model.vendorListVersion,
      policyVersion: model.policyVersion,
      isServiceSpecific: model.isServiceSpecific,
      hasPurposeOneTreatment: model.purposeOneTreatment,
      publisherCountry: model.publisherCountryCode,
      specialFeatures: bitsOf(features, (each) => model.specialFeatureOptins.has(each), specialFeatureBit),
      purposeConsents: bitsOf(purposes, (each) => model.purposeConsents.has(each), purposeBit),
      purposeLegitimateInterests: bitsOf(
        purposes,
        (each) => model.purposeLegitimateInterests.has(each),
        purposeBit,
      ),
    },
    text,
  );
  const restricted = [2, ...model.publisherRestrictions.getPurposes()];
  for (const vendor of vendors) {
    const ours = [
      hasVendorConsent(vendor),
      hasVendorLegitimateInterest(vendor),
      isVendorDisclosed?.(vendor),
      ...restricted.map((purpose) => restrictionOf(purpose, vendor)),
    ];
    const theirs = [
      model.vendorConsents.has(vendor),
      model.vendorLegitimateInterests.has(vendor),
      hasDisclosed ? model.vendorsDisclosed.has(vendor) : undefined,
      ...restricted.map((purpose) => model.publisherRestrictions.getRestrictionType(vendor, purpose)),
    ];
    assert.deepEqual(ours, theirs, `${text} vendor ${vendor}`);
  }
  return tcf;
}

/** Vendors at the edges of what a string names, and some others. */
export function vendorsToAsk(text: string): readonly number[] {
  const model = decode(text);
  const sets = [model.vendorConsents, model.vendorLegitimateInterests, model.vendorsDisclosed];
  const named = sets.flatMap((set) => [...set].flatMap(([vendor, isNamed]) => (isNamed ? [vendor] : [])));
  const edges = named.filter((_, at) => at % (1 + Math.floor(named.length / 12)) === 0);
  const restricted = model.publisherRestrictions.getVendors();
  return around([1, 7, 755, 65_535, ...edges, ...restricted.slice(0, 4), ...restricted.slice(-4)]);
}
