import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countries, countryAlpha3, countryName, isCountryCode } from '../../src/reference/countries.ts';
import { isoCountries } from '../../src/reference/iso-countries.ts';

const outsideIso = ['A1', 'A2', 'AN', 'AP', 'EU', 'FX', 'O1', 'XK'];
const codes = countries.map(({ CC }) => CC);
const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Two-letter regions that CLDR names and ISO 3166-1 does not list: reserved, withdrawn, groups, tests. */
const cldrOnly = new Set(
  'AC BU CP CQ CS DD DG DY EA EZ HV IC NH NT QO RH SU TA TP UK UN VD XA XB YD YU ZR ZZ'.split(' '),
);

/** Countries whose name in CLDR shares no word with ours. */
const namedOtherwise = new Set(['BQ', 'CV', 'PS']);

function words(name: string): string[] {
  return (
    name
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/\p{L}{3,}/gu) ?? []
  ).filter((word) => !['and', 'the', 'islands', 'republic', 'saint', 'south', 'north', 'new'].includes(word));
}

function everyPairOfLetters(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters.flatMap((first) => letters.map((second) => first + second));
}

test('249 countries of ISO 3166-1 and 8 codes outside it, each once and named once', () => {
  assert.equal(isoCountries.length, 249);
  assert.equal(countries.length, 257);
  assert.equal(new Set(codes).size, 257);
  assert.equal(new Set(countries.map(({ Country }) => Country)).size, 257);
  const iso = new Set(isoCountries.map(([alpha2]) => alpha2));
  assert.deepEqual(codes.filter((code) => !iso.has(code)).sort(), outsideIso);
});

test('codes are upper case, names are trimmed', () => {
  for (const { CC, Country } of countries) {
    assert.match(CC, /^[A-Z][A-Z0-9]$/);
    assert.equal(Country, Country.trim().normalize('NFC'));
    assert.ok(Country.length > 1, CC);
  }
});

test('the list holds just the regions that Intl knows', () => {
  const known = everyPairOfLetters().filter((code) => regions.of(code) !== undefined);
  const missing = known.filter((code) => !isCountryCode(code) && !cldrOnly.has(code));
  assert.deepEqual(missing, [], 'known to Intl and not listed');
  const strange = isoCountries.map(([alpha2]) => alpha2).filter((code) => !known.includes(code));
  assert.deepEqual(strange, [], 'listed as ISO and not known to Intl');
});

test('each name shares a word with the name that Intl gives the code', () => {
  const differing = isoCountries
    .filter(([alpha2, , name]) => {
      const theirs = words(regions.of(alpha2) ?? '');
      return !words(name).some((word) => theirs.includes(word));
    })
    .map(([alpha2]) => alpha2);
  assert.deepEqual(
    differing.filter((code) => !namedOtherwise.has(code)),
    [],
  );
});

const named: readonly (readonly [code: string, name: string | undefined])[] = [
  ['DE', 'Germany'],
  ['US', 'United States'],
  ['AS', 'American Samoa'],
  ['CD', 'Democratic Republic of the Congo'],
  ['CG', 'Republic of the Congo'],
  ['GN', 'Guinea'],
  ['GW', 'Guinea-Bissau'],
  ['KP', 'North Korea'],
  ['KR', 'South Korea'],
  ['MF', 'Saint Martin'],
  ['SX', 'Sint Maarten'],
  ['VG', 'British Virgin Islands'],
  ['VI', 'U.S. Virgin Islands'],
  ['WS', 'Samoa'],
  ['XK', 'Kosovo'],
  ['AP', 'Asia/Pacific Region'],
  ['A1', 'Anonymous Proxy'],
  ['UK', undefined],
  ['us', undefined],
  ['USA', undefined],
  ['ZZ', undefined],
  ['', undefined],
  ['__proto__', undefined],
  ['constructor', undefined],
];

for (const [code, name] of named) {
  test(`'${code}' is ${name ?? 'no country'}`, () => {
    assert.equal(countryName(code), name);
    assert.equal(isCountryCode(code), name !== undefined);
  });
}

test('every alpha-3 code is unique', () => {
  assert.equal(new Set(isoCountries.map(([, alpha3]) => alpha3)).size, 249);
  for (const [alpha2, alpha3] of isoCountries) {
    assert.match(alpha3, /^[A-Z]{3}$/);
    assert.ok(isCountryCode(alpha2));
  }
});

const alpha3: readonly (readonly [code: string, alpha3: string | undefined])[] = [
  ['DE', 'DEU'],
  ['US', 'USA'],
  ['XK', 'XKX'],
  ['AN', 'ANT'],
  ['EU', undefined],
  ['A1', undefined],
  ['de', undefined],
  ['', undefined],
  ['constructor', undefined],
];

for (const [code, expected] of alpha3) {
  test(`the alpha-3 code of '${code}' is ${expected}`, () => assert.equal(countryAlpha3(code), expected));
}
