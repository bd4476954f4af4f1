import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Enforcement,
  type LegalBasis,
  legalBasis,
  specialFeatureBasis,
  type VendorRights,
} from '../../../src/protocols/consent/legal-basis.ts';
import { readTcf } from '../../../src/protocols/consent/read-tcf.ts';
import type { Restriction } from '../../../src/protocols/consent/restrictions.ts';
import { purposeBit, specialFeatureBit, type TcfString } from '../../../src/protocols/consent/tcf-string.ts';
import { readVendorList } from '../../../src/protocols/consent/vendor-list.ts';

const vendor = 755;
const mask = (purposes: readonly number[]) => purposes.reduce((bits, each) => bits | purposeBit(each), 0);

interface Said {
  readonly consents?: readonly number[];
  readonly interests?: readonly number[];
  readonly vendorConsent?: boolean;
  readonly vendorInterest?: boolean;
  readonly disclosed?: boolean;
  readonly restriction?: Restriction;
  readonly treatment?: string;
  readonly features?: number;
  readonly policyVersion?: number;
}
const template = readTcf('CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA');
assert.ok(template);
const tcfOf = (said: Said): TcfString => ({
  ...template,
  policyVersion: said.policyVersion ?? 5,
  purposeConsents: mask(said.consents ?? []),
  purposeLegitimateInterests: mask(said.interests ?? []),
  hasVendorConsent: (id) => id === vendor && said.vendorConsent === true,
  hasVendorLegitimateInterest: (id) => id === vendor && said.vendorInterest === true,
  isVendorDisclosed:
    said.disclosed === undefined ? undefined : (id) => id === vendor && said.disclosed === true,
  restrictionOf: (_, id) => (id === vendor ? said.restriction : undefined),
  hasPurposeOneTreatment: said.treatment !== undefined,
  publisherCountry: said.treatment ?? 'AA',
  specialFeatures: said.features === undefined ? 0 : specialFeatureBit(said.features),
});

interface Declared {
  readonly purposes?: readonly number[];
  readonly legIntPurposes?: readonly number[];
  readonly flexiblePurposes?: readonly number[];
  readonly specialFeatures?: readonly number[];
  readonly deletedDate?: string;
  readonly id?: number;
}
const listOf = ({ id = vendor, ...declared }: Declared) =>
  readVendorList(
    JSON.stringify({
      gvlSpecificationVersion: 3,
      vendorListVersion: 1,
      tcfPolicyVersion: 5,
      vendors: {
        [id]: {
          id,
          purposes: [],
          legIntPurposes: [],
          flexiblePurposes: [],
          specialFeatures: [],
          ...declared,
        },
      },
    }),
  );

const consent = { purposes: [1, 2, 3] };
const interest = { legIntPurposes: [2, 7] };
const flexibleInterest = { legIntPurposes: [2], flexiblePurposes: [2] };
const flexibleConsent = { purposes: [2, 3], flexiblePurposes: [2, 3] };
const given = { consents: [1, 2, 3], vendorConsent: true };
const notified = { interests: [2, 3, 7], vendorInterest: true };

interface Case {
  readonly name: string;
  readonly said: Said;
  readonly declared?: Declared;
  readonly purpose?: number;
  readonly id?: number;
  readonly enforcement?: Enforcement;
  /** By what it is permitted, or what is missing. */
  readonly expected: string;
}
const cases: readonly Case[] = [
  { name: 'purpose and vendor', said: given, expected: 'consent' },
  { name: 'purpose alone', said: { consents: [2] }, expected: 'vendor of consent' },
  { name: 'vendor alone', said: { vendorConsent: true }, expected: 'purpose of consent' },
  { name: 'a purpose that does not exist', said: given, purpose: 25, expected: 'purpose of consent' },
  { name: 'a partner without an ID', said: given, id: 0, expected: 'vendor_id' },
  { name: 'a vendor that was not disclosed', said: { ...given, disclosed: false }, expected: 'disclosed' },
  { name: 'a vendor that was disclosed', said: { ...given, disclosed: true }, expected: 'consent' },
  { name: 'another vendor', said: { ...given, disclosed: true }, id: 756, expected: 'disclosed' },
  { name: 'legitimate interest without a list', said: notified, expected: 'purpose of consent' },
  { name: 'legitimate interest that is declared', said: notified, declared: interest, expected: 'legitimate_interest' },
  { name: 'an objection to the purpose', said: { vendorInterest: true }, declared: interest, expected: 'purpose of legitimate_interest' },
  { name: 'an objection to the vendor', said: { interests: [2] }, declared: interest, expected: 'vendor of legitimate_interest' },
  { name: 'legitimate interest where consent is declared', said: notified, declared: consent, expected: 'purpose of consent' },
  { name: 'consent where legitimate interest is declared', said: given, declared: interest, expected: 'purpose of legitimate_interest' },
  { name: 'flexible, without a restriction', said: given, declared: flexibleInterest, expected: 'purpose of legitimate_interest' },
  { name: 'consent that is declared', said: given, declared: consent, expected: 'consent' },
  { name: 'a purpose that is not declared', said: given, declared: { purposes: [3] }, expected: 'declared' },
  { name: 'a vendor that is not on the list', said: given, declared: { ...consent, id: 9 }, expected: 'listed' },
  { name: 'a vendor that was deleted', said: given, declared: { ...consent, deletedDate: '2024-01-01T00:00:00Z' }, expected: 'listed' },
  { name: 'not allowed by the publisher', said: { ...given, restriction: 0 }, expected: 'restriction' },
  { name: 'not allowed, though declared', said: { ...given, ...notified, restriction: 0 }, declared: flexibleInterest, expected: 'restriction' },
  { name: 'consent demanded and declared', said: { ...given, restriction: 1 }, declared: consent, expected: 'consent' },
  { name: 'consent demanded of legitimate interest', said: { ...given, ...notified, restriction: 1 }, declared: interest, expected: 'restriction' },
  { name: 'consent demanded of the flexible', said: { ...given, restriction: 1 }, declared: flexibleInterest, expected: 'consent' },
  { name: 'consent demanded and not given', said: { ...notified, restriction: 1 }, declared: flexibleInterest, expected: 'purpose of consent' },
  { name: 'interest demanded and declared', said: { ...notified, restriction: 2 }, declared: interest, expected: 'legitimate_interest' },
  { name: 'interest demanded of consent', said: { ...given, restriction: 2 }, declared: consent, expected: 'restriction' },
  { name: 'interest demanded of the flexible', said: { ...notified, restriction: 2 }, declared: flexibleConsent, expected: 'legitimate_interest' },
  { name: 'consent demanded, without a list', said: { ...given, restriction: 1 }, expected: 'consent' },
  { name: 'interest demanded, without a list', said: { ...given, restriction: 2 }, expected: 'restriction' },
  { name: 'interest for a profile since TCF 2.2', said: { ...notified, restriction: 2 }, declared: flexibleConsent, purpose: 3, expected: 'purpose of legitimate_interest' },
  { name: 'interest for a profile in TCF 2.0', said: { ...notified, restriction: 2, policyVersion: 2 }, declared: flexibleConsent, purpose: 3, expected: 'legitimate_interest' },
  { name: 'purpose 1 by interest', said: { interests: [1], vendorInterest: true }, declared: { legIntPurposes: [1] }, purpose: 1, expected: 'purpose of legitimate_interest' },
  { name: 'purpose 1 undisclosed in a country that asks no consent', said: { treatment: 'DE' }, purpose: 1, expected: 'purpose_one_treatment' },
  { name: 'purpose 1 undisclosed in another country', said: { treatment: 'FR' }, purpose: 1, expected: 'purpose of consent' },
  { name: 'purpose 1 undisclosed, not allowed by the publisher', said: { treatment: 'DE', restriction: 0 }, purpose: 1, expected: 'restriction' },
  { name: 'purpose 2 with purpose 1 undisclosed', said: { treatment: 'DE' }, expected: 'purpose of consent' },
  { name: 'basic: the purpose alone', said: { consents: [2] }, id: 0, enforcement: 'basic', expected: 'consent' },
  { name: 'basic: legitimate interest for ads', said: { interests: [2] }, id: 0, enforcement: 'basic', expected: 'legitimate_interest' },
  { name: 'basic: legitimate interest for measurement', said: { interests: [7] }, id: 0, purpose: 7, enforcement: 'basic', expected: 'purpose of consent' },
  { name: 'basic: nothing', said: { vendorConsent: true }, enforcement: 'basic', expected: 'purpose of consent' },
  { name: 'off', said: {}, id: 0, enforcement: 'off', expected: 'not_enforced' },
]; // biome-ignore format: a table

const rightsOf = ({ said, declared, id = vendor }: Case): VendorRights => ({
  tcf: tcfOf(said),
  vendor: id,
  list: declared && listOf(declared),
  purposeOneCountries: new Set(['DE']),
});
const told = (basis: LegalBasis) => {
  if (basis.permitted) return basis.by;
  return basis.basis === undefined ? basis.missing : `${basis.missing} of ${basis.basis}`;
};

describe('whether a vendor may act for a purpose', () => {
  for (const each of cases) {
    const { name, purpose = 2, enforcement = 'full', expected } = each;
    test(name, () => assert.equal(told(legalBasis(rightsOf(each), purpose, enforcement)), expected));
  }
});

const features: readonly Case[] = [
  { name: 'opted in', said: { features: 1 }, expected: 'opt_in' },
  { name: 'not opted in', said: { features: 2 }, expected: 'special_feature' },
  { name: 'opted in and declared', said: { features: 1 }, declared: { specialFeatures: [1] }, expected: 'opt_in' },
  { name: 'opted in, not declared', said: { features: 1 }, declared: {}, expected: 'declared' },
  { name: 'not disclosed', said: { features: 1, disclosed: false }, expected: 'disclosed' },
  { name: 'without an ID', said: { features: 1 }, id: 0, expected: 'vendor_id' },
  { name: 'basic', said: { features: 1 }, id: 0, enforcement: 'basic', expected: 'opt_in' },
  { name: 'basic, not opted in', said: {}, id: 0, enforcement: 'basic', expected: 'special_feature' },
  { name: 'off', said: {}, enforcement: 'off', expected: 'not_enforced' },
]; // biome-ignore format: a table

describe('whether a vendor may use the exact place', () => {
  for (const each of features) {
    const { name, enforcement = 'full', expected } = each;
    test(name, () => assert.equal(told(specialFeatureBasis(rightsOf(each), 1, enforcement)), expected));
  }
});

test('a refusal names purpose, vendor and bit', () => {
  const rights = rightsOf({ name: '', said: { consents: [2] }, expected: '' });
  assert.deepEqual(legalBasis(rights, 2, 'full'), {
    permitted: false,
    purpose: 2,
    vendor,
    missing: 'vendor',
    basis: 'consent',
  });
  assert.deepEqual(specialFeatureBasis(rights, 1, 'full'), {
    permitted: false,
    specialFeature: 1,
    vendor,
    missing: 'special_feature',
  });
});
