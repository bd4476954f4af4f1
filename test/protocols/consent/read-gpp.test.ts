import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GppModel, RangeEntry } from '@iabgpp/cmpapi';
import fc from 'fast-check';
import { type GppSection, readGpp, readGppSections } from '../../../src/protocols/consent/read-gpp.ts';
import { readUsPrivacy } from '../../../src/protocols/consent/read-us-privacy.ts';
import { purposeBit, specialFeatureBit, type TcfString } from '../../../src/protocols/consent/tcf-string.ts';
import type { UsChoices } from '../../../src/protocols/consent/us-sections.ts';
import { seeded } from '../../support/seed.ts';

const none: UsChoices = { optOuts: [], hasKnownChild: false, hasGpc: false };
const choices = (id: number, made: Partial<UsChoices>): GppSection => ({
  id,
  kind: 'choices',
  choices: { ...none, ...made },
});
const both = { optOuts: ['sale', 'targeted_advertising'] } as const;
const all = { optOuts: ['sale', 'sharing', 'targeted_advertising'] } as const;

interface Case {
  readonly name: string;
  readonly gpp: string;
  readonly sids: readonly number[];
  /** Undefined: the string is unreadable. */
  readonly read?: readonly GppSection[];
}
const cases: readonly Case[] = [
  { name: 'sale and targeting, GPC', gpp: 'DBABLA~CAARAAAAAABA.YA', sids: [7], read: [choices(7, { ...both, hasGpc: true })] },
  { name: 'sections that gpp_sid does not name', gpp: 'DBABLA~CAARAAAAAABA.YA', sids: [], read: [] },
  { name: 'gpp_sid that says no section applies', gpp: 'DBABLA~CAARAAAAAABA.YA', sids: [-1], read: [] },
  { name: 'a section that the string lacks', gpp: 'DBABLA~CAARAAAAAABA.YA', sids: [8], read: [{ id: 8, kind: 'unreadable', fault: 'absent' }] },
  { name: 'a section of the future', gpp: 'DBABLA~CAARAAAAAABA.YA', sids: [99], read: [{ id: 99, kind: 'unreadable', fault: 'unknown' }] },
  { name: 'a section cut off', gpp: 'DBABLA~CAAR', sids: [7], read: [{ id: 7, kind: 'unreadable', fault: 'broken' }] },
  { name: 'a section of a later version', gpp: 'DBABLA~DAARAAAAAABA.YA', sids: [7], read: [{ id: 7, kind: 'unreadable', fault: 'broken' }] },
  { name: 'nothing chosen', gpp: 'DBABLA~CAAAAAAAAABA.QA', sids: [7], read: [choices(7, {})] },
  { name: 'national, version 1 of 60 bits', gpp: 'DBABLA~BVQqAAAAAgA.QA', sids: [7], read: [choices(7, {})] },
  { name: 'national, version 1 of 70 bits', gpp: 'DBABLA~BVVVkkkkkpFY', sids: [7], read: [choices(7, { ...all, hasKnownChild: true })] },
  { name: 'US privacy in GPP', gpp: 'DBABTA~1YYN', sids: [6], read: [choices(6, { optOuts: ['sale'] })] },
  { name: 'US privacy without an opt-out', gpp: 'DBABTA~1---', sids: [6], read: [choices(6, {})] },
  { name: 'a header with a range', gpp: 'DBABjw~BPSG_8APSG_8AAAAAAENAACAAAAAAAAAAAAAAAAAAA.YAAAAAAAAAA~1YNN', sids: [6], read: [choices(6, {})] },
  { name: 'empty', gpp: '', sids: [7] },
  { name: 'a TCF string', gpp: 'CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA', sids: [2] },
  { name: 'fewer sections than the header names', gpp: 'DBACNYA~1YNN', sids: [6] },
  { name: 'more sections than the header names', gpp: 'DBABLA~CAARAAAAAABA.YA~1YNN', sids: [7] },
  { name: 'an empty section', gpp: 'DBACOeA~~1YNN', sids: [6] },
  { name: 'a later version of GPP', gpp: 'DCABLA~CAARAAAAAABA.YA', sids: [7] },
  { name: 'a macro', gpp: '\x24{GPP_STRING_755}', sids: [7] },
]; // biome-ignore format: a table

describe('what a GPP string says', () => {
  for (const { name, gpp, sids, read } of cases) {
    test(name, () => assert.deepEqual(readGppSections(gpp, sids), read));
  }
});

/** By IAB's own tests: a core with every opt-out chosen. */
const states: readonly (readonly [id: number, section: string, chosen: Partial<UsChoices>])[] = [
  [8, 'BVWSSSVY.YA', { optOuts: ['sale', 'sharing'], hasKnownChild: true, hasGpc: true }],
  [9, 'BVWSSVY', { ...both, hasKnownChild: true }],
  [24, 'BVVU.YA', { ...both, hasGpc: true }],
  [25, 'BVVV.kkk', { ...both, hasKnownChild: true }],
  // The same behind the header of the specification.
  [24, 'YBACwg.BVVU.YA', { ...both, hasGpc: true }],
];

/** The header of a string with one section. */
function headerFor(id: number): string {
  const model = new GppModel();
  model.setFieldValueBySectionId(id, 'SaleOptOut', 1);
  return model.encode().split('~')[0] ?? '';
}

describe('sections of states', () => {
  for (const [id, section, chosen] of states) {
    test(`${id}: ${section}`, () => {
      assert.deepEqual(readGppSections(`${headerFor(id)}~${section}`, [id]), [choices(id, chosen)]);
    });
  }
});

const usIds = Array.from({ length: 21 }, (_, at) => at + 7);

/** A value of the kind that a field has: IAB's encoder takes 0 to 2 for two bits. */
function drawnValue(name: string, value: unknown): fc.Arbitrary<unknown> | undefined {
  const twoBits = fc.integer({ min: name === 'MspaCoveredTransaction' ? 1 : 0, max: 2 });
  if (/Version$|SegmentType$/.test(name)) return undefined;
  if (typeof value === 'boolean') return fc.boolean();
  if (Array.isArray(value)) return fc.tuple(...value.map(() => fc.oneof(fc.constant(0), twoBits)));
  return twoBits;
}

function emptySection(id: number): Record<string, unknown> {
  const model = new GppModel();
  model.setFieldValueBySectionId(id, 'SaleOptOut', 0);
  return Object.values(model.toObject())[0] as Record<string, unknown>;
}
const drawnSection = fc.constantFrom(...usIds).chain((id) => {
  const fields = Object.entries(emptySection(id)).flatMap(([name, value]) => {
    const drawn = drawnValue(name, value);
    return drawn === undefined ? [] : [[name, drawn] as const];
  });
  const hasGpc = fields.some(([name]) => name === 'Gpc');
  const included = hasGpc ? [['GpcSegmentIncluded', fc.boolean()] as const] : [];
  return fc.record(Object.fromEntries([...fields, ...included])).map((values) => ({ id, values }));
});

/** What IAB's decoder finds. */
function choicesOf(model: GppModel, id: number): UsChoices {
  const value = (name: string): unknown =>
    model.hasFieldBySectionId(id, name) ? model.getFieldValueBySectionId(id, name) : undefined;
  const isChosen = (name: string) => value(name) === 1;
  return {
    optOuts: [
      ...(isChosen('SaleOptOut') ? (['sale'] as const) : []),
      ...(isChosen('SharingOptOut') ? (['sharing'] as const) : []),
      ...(isChosen('TargetedAdvertisingOptOut') ? (['targeted_advertising'] as const) : []),
    ],
    hasKnownChild: [value('KnownChildSensitiveDataConsents') ?? 0].flat().some((consent) => consent !== 0),
    hasGpc: value('Gpc') === true,
  };
}

test('what is drawn for the United States is read as by the official library', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(drawnSection, { minLength: 1, maxLength: 4, selector: ({ id }) => id }),
      (drawn) => {
        const model = new GppModel();
        for (const { id, values } of drawn) {
          for (const [name, value] of Object.entries(values)) model.setFieldValueBySectionId(id, name, value);
        }
        const text = model.encode();
        const decoded = new GppModel(text);
        const ids = drawn.map(({ id }) => id);
        assert.deepEqual(
          readGppSections(text, ids),
          ids.map((id) => choices(id, choicesOf(decoded, id))),
          text,
        );
      },
    ),
    seeded(3000),
  );
});

const vendors = fc.uniqueArray(fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 3000 })), {
  maxLength: 40,
});
const flags = (length: number) => fc.array(fc.boolean(), { minLength: length, maxLength: length });
const drawnCanada = fc.record({
  SpecialFeatureExpressConsent: flags(12),
  PurposesExpressConsent: flags(24),
  PurposesImpliedConsent: flags(24),
  VendorExpressConsent: vendors,
  VendorImpliedConsent: vendors,
  DisclosedVendors: vendors,
  CmpId: fc.integer({ min: 0, max: 4095 }),
});
const drawnRestrictions = fc.array(
  fc.record({
    key: fc.integer({ min: 1, max: 24 }),
    type: fc.integer({ min: 0, max: 2 }),
    ids: fc.uniqueArray(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 20 }),
  }),
  { maxLength: 4 },
);

function canadaOf(text: string): TcfString {
  const [section] = readGppSections(text, [5]) ?? [];
  assert.equal(section?.kind, 'tcf', text);
  return section.tcf;
}
const maskOf = (set: readonly boolean[], bitOf: (id: number) => number) =>
  set.reduce((mask, isSet, at) => mask | (isSet ? bitOf(at + 1) : 0), 0);

test('what is drawn for Canada is read as by the official library', () => {
  fc.assert(
    fc.property(drawnCanada, drawnRestrictions, (drawn, restrictions) => {
      const model = new GppModel();
      for (const [name, value] of Object.entries(drawn)) model.setFieldValue('tcfcav1', name, value);
      model.setFieldValue(
        'tcfcav1',
        'PubRestrictions',
        restrictions.map(({ key, type, ids }) => new RangeEntry(key, type, ids)),
      );
      const text = model.encode();
      const tcf = canadaOf(text);
      assert.equal(tcf.cmpId, drawn.CmpId);
      assert.equal(tcf.specialFeatures, maskOf(drawn.SpecialFeatureExpressConsent, specialFeatureBit));
      assert.equal(tcf.purposeConsents, maskOf(drawn.PurposesExpressConsent, purposeBit));
      assert.equal(tcf.purposeLegitimateInterests, maskOf(drawn.PurposesImpliedConsent, purposeBit));
      for (let vendor = 1; vendor <= 100; vendor += 1) {
        assert.equal(tcf.hasVendorConsent(vendor), drawn.VendorExpressConsent.includes(vendor), text);
        assert.equal(
          tcf.hasVendorLegitimateInterest(vendor),
          drawn.VendorImpliedConsent.includes(vendor),
          text,
        );
        const disclosed =
          drawn.DisclosedVendors.length > 0 ? drawn.DisclosedVendors.includes(vendor) : undefined;
        assert.equal(tcf.isVendorDisclosed?.(vendor), disclosed, text);
        const types = restrictions
          .filter(({ key, ids }) => key === 2 && ids.includes(vendor))
          .map(({ type }) => type);
        assert.equal(tcf.restrictionOf(2, vendor), types.length > 0 ? Math.min(...types) : undefined, text);
      }
    }),
    seeded(2000),
  );
});

/** Of `iabgpp-es`, each written by its encoder before and after version 3.2. */
const canadian: readonly (readonly [section: string, express: readonly number[]])[] = [
  ['BPSG_8APSG_8AAyACAENGdCgf_gfgAfgfgBhADVqxGAD0AILVgAA.fHHHA4444ao', [12, 24, 48]],
  ['BPSG_8APSG_8AAyACAENGdCgf_gfgAfgfgBgABABAAABAB4AACACAAA.fHHHA4444ao', [12, 24, 48]],
];
describe("Canada's two encodings", () => {
  for (const [section, express] of canadian) {
    test(section, () => {
      const tcf = canadaOf(`DBABD~${section}`);
      const named = Array.from({ length: 100 }, (_, at) => at).filter((vendor) =>
        tcf.hasVendorConsent(vendor),
      );
      assert.deepEqual(named, express);
    });
  }
});

test('the header names sections by Fibonacci codes', () => {
  const named = (gpp: string) => [...(readGpp(gpp)?.keys() ?? [])];
  assert.deepEqual(named('DBABM~x'), [2]);
  assert.deepEqual(named('DBACNY~x~x'), [2, 6]);
  assert.deepEqual(named('DBABjw~x~x'), [5, 6]);
  assert.deepEqual(named(`DBACOcGA${'~x'.repeat(24)}`), [
    2,
    ...Array.from({ length: 23 }, (_, at) => at + 5),
  ]);
});

test('US privacy strings, in either case', () => {
  const read = (text: string) => readUsPrivacy(text)?.optsOut;
  for (const text of ['1YYN', '1yyn', '1-Y-', '1NYY']) assert.equal(read(text), true, text);
  for (const text of ['1YNN', '1---', '1ynn']) assert.equal(read(text), false, text);
  for (const text of ['', '2YYN', '1YY', '1YYNN', '1YXN', ' 1YYN', '1YYN\n'])
    assert.equal(read(text), undefined, text);
});
