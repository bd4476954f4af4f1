import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readGppSections } from '../../../src/protocols/consent/read-gpp.ts';
import { readTcf, readTcfCanada } from '../../../src/protocols/consent/read-tcf.ts';
import { seeded } from '../../support/seed.ts';
import { assertGrowsEvenly } from '../../support/work-bound.ts';
import { assertAgrees, drawnTcf, vendorsToAsk } from './drawn-tcf.ts';
import { tcfStrings } from './tcf-strings.ts';

/** Answers everything that a string can be asked. */
function askAll(text: string): void {
  for (const tcf of [readTcf(text), readTcfCanada(text)]) {
    for (const vendor of [0, 1, 755, 65_535]) {
      tcf?.hasVendorConsent(vendor);
      tcf?.hasVendorLegitimateInterest(vendor);
      tcf?.isVendorDisclosed?.(vendor);
      tcf?.restrictionOf(2, vendor);
    }
  }
  readGppSections(text, [2, 5, 6, 7, 8, 24]);
}

const nothingAllowed = 'CQuPXIAQuPXIAEsABBENAwFgAAAAAAAAAAYgAAAAAAAA.IaAQAQAaAAAA.YAAAAAAAAAAA';

test('a string of TCF 2.3 that allows nothing', () => {
  const tcf = readTcf(nothingAllowed);
  assert.ok(tcf);
  const { policyVersion, isServiceSpecific, purposeConsents, purposeLegitimateInterests, publisherCountry } =
    tcf;
  assert.deepEqual(
    { policyVersion, isServiceSpecific, purposeConsents, purposeLegitimateInterests, publisherCountry },
    {
      policyVersion: 5,
      isServiceSpecific: true,
      purposeConsents: 0,
      purposeLegitimateInterests: 0,
      publisherCountry: 'DE',
    },
  );
  assert.deepEqual(
    [52, 755].map((vendor) => tcf.hasVendorConsent(vendor)),
    [false, false],
  );
  assert.deepEqual(
    [51, 52, 53, 755].map((vendor) => tcf.isVendorDisclosed?.(vendor)),
    [false, true, false, false],
  );
});

describe('strings of others', () => {
  for (const text of tcfStrings) test(text.slice(0, 60), () => void assertAgrees(text, vendorsToAsk(text)));
});

const [core = '', disclosed = '', publisher = ''] = nothingAllowed.split('.');
const unreadable: Readonly<Record<string, string>> = {
  empty: '',
  'a string of TCF 1': 'BOEFEAyOEFEAyAHABDENAI4AAAB9vABAASA',
  'a string of TCF Canada': 'BPSG_8APSG_8AAAAAAENAACAAAAAAAAAAAAAAAAAAA.YAAAAAAAAAA',
  'a later version': `D${core.slice(1)}`,
  'a US privacy string': '1YNN',
  'a GPP string': `DBABMA~${core}`,
  'a macro': '\x24{GDPR_CONSENT_755}',
  'another alphabet': core.replace('Q', '+'),
  padding: `${core}==`,
  spaces: ` ${core}`,
  'the version alone': 'C',
  'a core cut within its fixed part': core.slice(0, 30),
  'a core without its last character': 'CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAA',
  'a disclosure without its last vendor': `${core}.${disclosed.slice(0, 7)}`,
  'bits of fewer vendors than it says':
    'CLSYjTaOngnCIAOABBENAXCMAGOAABBAAA7IA5n-m7fP6_3fbqVv6E__PoA5Aqff3aJx8tv_1967rfnQEQoAIAAQCrwkAEABAcACABIMACAAuApEVABABUSABgBCAVSAtIoACACIArYQAHACgAFgAVwBJgDcAI7AWgMAAgBiKgAgBMgFfKQAQBRkQAQA4AFiBAAoA-AEVAJlAVgAtYcACAJcAr4eABAK8OgBgFzAOmAqwgABAWyA.IFukWSQh',
  'an empty segment': `${core}..${publisher}`,
  'a dot at the end': `${core}.`,
  'more than 16,384 characters': `${core}.${'Y'.repeat(16_384)}`,
};
describe('texts that are no such strings', () => {
  for (const [name, text] of Object.entries(unreadable)) {
    test(name, () => assert.equal(readTcf(text), undefined));
  }
});

test('every beginning of a string is unreadable, or a string of fewer segments', () => {
  for (const text of tcfStrings) {
    const end = text.indexOf('.') < 0 ? text.length : text.indexOf('.');
    // The last characters may be padding.
    for (let length = 0; length < end - 4; length += 1)
      assert.equal(readTcf(text.slice(0, length)), undefined);
  }
});

test('what is drawn is read as by the official library', () => {
  fc.assert(
    fc.property(drawnTcf, ({ text, vendors }) => void assertAgrees(text, vendors)),
    seeded(5000),
  );
});

test('a string without its end is unreadable', () => {
  // The official library fills the end with at most three characters.
  const withoutEnd = (text: string) =>
    [...text.split('.').keys()].map((cut) =>
      text
        .split('.')
        .map((segment, at) => (at === cut ? segment.slice(0, -4) : segment))
        .join('.'),
    );
  const isAsked = (text: string, at: number) => at === 0 || /^[I-P]/.test(text.split('.')[at] ?? '');
  fc.assert(
    fc.property(drawnTcf, ({ text }) => {
      for (const [at, cut] of withoutEnd(text).entries()) {
        if (isAsked(text, at)) assert.equal(readTcf(cut), undefined, cut);
      }
    }),
    seeded(2000),
  );
});

test('a restriction of a type that is not defined is none', () => {
  const type3 = 'CPfMKEAPfMKEAAAAAAENCgCAAAAAAAAAAAAAAQAAAAAAAIAAAAAAAGDgAgAgCwAQAQB4AIAIAAAA';
  const type0 = type3.replace('GDgAgAgCwAQAQB4', 'GCAAgAgCAAQAQBg');
  assert.deepEqual(
    [type0, type3].map((text) => readTcf(text)?.restrictionOf(2, 32) ?? 'none'),
    [0, 'none'],
  );
  assert.ok(readTcf(type3));
});

test('no text makes a reader throw', () => {
  const altered = fc
    .tuple(fc.constantFrom(...tcfStrings), fc.nat(), fc.stringMatching(/^[\w.~-]{0,5}$/), fc.nat({ max: 3 }))
    .map(([text, at, inserted, dropped]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + inserted + text.slice(place + dropped);
    });
  const anyText = fc.oneof(altered, fc.string({ unit: 'binary' }), fc.stringMatching(/^[BCD][\w.~-]*$/));
  fc.assert(fc.property(anyText, askAll), seeded(20_000));
});

test('absurd counts make no work', () => {
  const fixed = core.slice(0, 35);
  const hostile = [
    // 4,095 ranges from 1 to 65,535, as far as there are characters.
    `${fixed}${'_'.repeat(16_300)}`,
    `${fixed}${'gAH_'.repeat(4000)}`,
    `${fixed}AAAAA${'_'.repeat(16_300)}`,
    `B${fixed.slice(1)}${'_'.repeat(16_300)}`,
    `DBP_${'_'.repeat(16_300)}`,
    `DB_wY${'B'.repeat(16_300)}`,
    `${core}${'.IaAQAQAaAAAA'.repeat(1200)}`,
  ];
  assertGrowsEvenly(() => {
    for (let round = 0; round < 100; round += 1) hostile.forEach(askAll);
  }, 'reading hostile texts');
});
