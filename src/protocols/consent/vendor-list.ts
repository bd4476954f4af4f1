import { isObject, parseJson } from '../json.ts';
import { purposeBit, purposesMax, specialFeatureBit, specialFeaturesMax } from './tcf-string.ts';

/** A text for people: which member is wrong, and how. @internal */
export class UnreadableVendorList extends Error {}

/** What a Global Vendor List declares, in numbers alone, so that threads can share it. */
export interface VendorList {
  readonly specificationVersion: number;
  readonly version: number;
  readonly policyVersion: number;
  readonly vendors: number;
  /** Four words for each vendor ID from 0. */
  readonly words: Uint32Array;
}

/** Masks of `purposeBit` and `specialFeatureBit`. */
export interface VendorDeclaration {
  readonly purposes: number;
  readonly legitimateInterests: number;
  readonly flexiblePurposes: number;
  readonly specialFeatures: number;
  readonly isDeleted: boolean;
}

/** IAB's lists have half a million, and grow. */
const charactersMax = 32 * 2 ** 20;
const vendorIdMax = 2 ** 16 - 1;
const wordsPerVendor = 4;
const listed = 2 ** 31;
const deleted = 2 ** 30;
const masks = 2 ** 24 - 1;

function fail(text: string): never {
  throw new UnreadableVendorList(`The vendor list cannot be read: ${text}`);
}

type Members = Readonly<Record<string, unknown>>;

const shown = (value: unknown) => (value === undefined ? 'missing' : JSON.stringify(value).slice(0, 40));

function wholeNumber(value: unknown, name: string, max: number): number {
  const isRight = Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max;
  return isRight
    ? Number(value)
    : fail(`${name} must be a whole number from 1 to ${max}, but is ${shown(value)}`);
}

function mask(value: unknown, name: string, max: number, bitOf: (id: number) => number): number {
  if (!Array.isArray(value)) return fail(`${name} must be an array, but is ${shown(value)}`);
  return value.reduce((bits: number, id: unknown) => bits | bitOf(wholeNumber(id, `${name}[]`, max)), 0);
}

function isDeleted(value: unknown, name: string): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'string' && Number.isFinite(Date.parse(value))) return true;
  return fail(`${name} must be a date, but is ${shown(value)}`);
}

function wordsOf(vendor: Members, name: string): readonly number[] {
  const purposes = (member: string, value: unknown) =>
    mask(value, `${name}.${member}`, purposesMax, purposeBit);
  const consents = purposes('purposes', vendor.purposes);
  const interests = purposes('legIntPurposes', vendor.legIntPurposes);
  if ((consents & interests) !== 0) fail(`${name} has a purpose in both purposes and legIntPurposes`);
  const deletedFlag = isDeleted(vendor.deletedDate, `${name}.deletedDate`) ? deleted : 0;
  return [
    consents + listed + deletedFlag,
    interests,
    purposes('flexiblePurposes', vendor.flexiblePurposes),
    mask(vendor.specialFeatures, `${name}.specialFeatures`, specialFeaturesMax, specialFeatureBit),
  ];
}

/** A Global Vendor List of TCF 2. Throws `UnreadableVendorList`. */
export function readVendorList(text: string): VendorList {
  if (text.length > charactersMax) fail(`it has more than ${charactersMax} characters`);
  const file = parseJson(text);
  if (!isObject(file)) return fail('it is no JSON object');
  const { gvlSpecificationVersion: specificationVersion, vendors } = file;
  if (specificationVersion !== 2 && specificationVersion !== 3) {
    return fail(`gvlSpecificationVersion must be 2 or 3, but is ${shown(specificationVersion)}`);
  }
  if (!isObject(vendors)) return fail(`vendors must be an object, but is ${shown(vendors)}`);
  const rows = Object.entries(vendors).map(([key, vendor]) => {
    const name = `vendors.${key.slice(0, 10)}`;
    if (!isObject(vendor)) return fail(`${name} must be an object, but is ${shown(vendor)}`);
    const id = wholeNumber(vendor.id, `${name}.id`, vendorIdMax);
    if (String(id) !== key) fail(`${name}.id must be ${key.slice(0, 10)}, but is ${id}`);
    return { id, words: wordsOf(vendor, name) };
  });
  if (rows.length === 0) fail('vendors is empty');
  const highest = rows.reduce((id, row) => Math.max(id, row.id), 0);
  const words = new Uint32Array((highest + 1) * wordsPerVendor);
  for (const row of rows) words.set(row.words, row.id * wordsPerVendor);
  return {
    specificationVersion,
    version: wholeNumber(file.vendorListVersion, 'vendorListVersion', 2 ** 16),
    policyVersion: wholeNumber(file.tcfPolicyVersion, 'tcfPolicyVersion', 63),
    vendors: rows.length,
    words,
  };
}

/** Undefined if the vendor is not on the list. */
export function declarationOf({ words }: VendorList, vendor: number): VendorDeclaration | undefined {
  const at = vendor * wordsPerVendor;
  const head = words[at] ?? 0;
  if ((head & listed) === 0) return undefined;
  return {
    purposes: head & masks,
    legitimateInterests: words[at + 1] ?? 0,
    flexiblePurposes: words[at + 2] ?? 0,
    specialFeatures: words[at + 3] ?? 0,
    isDeleted: (head & deleted) !== 0,
  };
}
