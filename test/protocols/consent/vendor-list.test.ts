import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { purposeBit, specialFeatureBit } from '../../../src/protocols/consent/tcf-string.ts';
import {
  declarationOf,
  readVendorList,
  UnreadableVendorList,
} from '../../../src/protocols/consent/vendor-list.ts';

const vendor = {
  id: 755,
  purposes: [1, 3],
  legIntPurposes: [2],
  flexiblePurposes: [2],
  specialFeatures: [1],
};
const list = {
  gvlSpecificationVersion: 3,
  vendorListVersion: 48,
  tcfPolicyVersion: 5,
  vendors: { 755: vendor },
};

test('a list says what its vendors declare', () => {
  const deleted = { ...vendor, id: 8, deletedDate: '2020-06-28T00:00:00Z' };
  for (const gvlSpecificationVersion of [2, 3]) {
    const read = readVendorList(
      JSON.stringify({ ...list, gvlSpecificationVersion, vendors: { 755: vendor, 8: deleted } }),
    );
    const { specificationVersion, version, policyVersion, vendors } = read;
    assert.deepEqual(
      [specificationVersion, version, policyVersion, vendors],
      [gvlSpecificationVersion, 48, 5, 2],
    );
    const expected = {
      purposes: purposeBit(1) | purposeBit(3),
      legitimateInterests: purposeBit(2),
      flexiblePurposes: purposeBit(2),
      specialFeatures: specialFeatureBit(1),
    };
    assert.deepEqual(declarationOf(read, 755), { ...expected, isDeleted: false });
    assert.deepEqual(declarationOf(read, 8), { ...expected, isDeleted: true });
    for (const unknown of [0, 7, 754, 756, 70_000]) assert.equal(declarationOf(read, unknown), undefined);
  }
});

const changed = (change: object) => JSON.stringify({ ...list, vendors: { 755: { ...vendor, ...change } } });
const faults: readonly (readonly [name: string, text: string, told: RegExp])[] = [
  ['no JSON', '<html>', /it is no JSON object/],
  ['an array', '[]', /it is no JSON object/],
  ['a list of TCF 1', '{"vendorListVersion":1,"vendors":[]}', /gvlSpecificationVersion must be 2 or 3, but is missing/],
  ['a later format', JSON.stringify({ ...list, gvlSpecificationVersion: 4 }), /must be 2 or 3, but is 4/],
  ['no version', JSON.stringify({ ...list, vendorListVersion: undefined }), /vendorListVersion must be a whole number/],
  ['no policy version', JSON.stringify({ ...list, tcfPolicyVersion: '5' }), /tcfPolicyVersion .* but is "5"/],
  ['vendors as an array', JSON.stringify({ ...list, vendors: [vendor] }), /vendors must be an object, but is \[/],
  ['no vendors', JSON.stringify({ ...list, vendors: {} }), /vendors is empty/],
  ['a vendor that is none', JSON.stringify({ ...list, vendors: { 755: null } }), /vendors\.755 must be an object, but is null/],
  ['an ID unlike its key', changed({ id: 756 }), /vendors\.755\.id must be 755, but is 756/],
  ['an ID that is too high', JSON.stringify({ ...list, vendors: { 65536: { ...vendor, id: 65_536 } } }), /id must be a whole number from 1 to 65535/],
  ['purposes that are missing', changed({ purposes: undefined }), /vendors\.755\.purposes must be an array, but is missing/],
  ['a purpose that does not exist', changed({ legIntPurposes: [25] }), /vendors\.755\.legIntPurposes\[\] .* 1 to 24, but is 25/],
  ['a special feature as text', changed({ specialFeatures: ['1'] }), /specialFeatures\[\] .* but is "1"/],
  ['a purpose on two bases', changed({ legIntPurposes: [1] }), /vendors\.755 has a purpose in both/],
  ['a date that is none', changed({ deletedDate: 'soon' }), /vendors\.755\.deletedDate must be a date, but is "soon"/],
  ['too many characters', ' '.repeat(2 ** 25 + 1), /more than 33554432 characters/],
]; // biome-ignore format: a table

describe('a file that is no list', () => {
  for (const [name, text, told] of faults) {
    test(name, () =>
      assert.throws(
        () => readVendorList(text),
        (error) => error instanceof UnreadableVendorList && told.test(error.message),
      ),
    );
  }
});
