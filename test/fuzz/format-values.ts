import fc from 'fast-check';
import type { FormatName } from '../../src/fields/formats.ts';
import { countries } from '../../src/reference/countries.ts';
import { iabCategories } from '../../src/reference/iab-categories.ts';
import { browsers, operatingSystems } from '../../src/reference/user-agent-families.ts';

const plainUrls = fc.oneof(
  fc.constantFrom('https://example.com/', 'http://a.example:8080/p?q=1#f', 'https://xn--bcher-kva.example/'),
  fc.webUrl({ withQueryParameters: true, withFragments: true }).map((url) => url.replaceAll(/[{}]/g, '')),
);

/** URLs, some with a macro that their field knows. */
export function urls(macros: readonly string[]): fc.Arbitrary<string> {
  if (macros.length === 0) return plainUrls;
  const withMacro = fc.constantFrom(...macros).map((macro) => `https://example.com/p?m={${macro}}`);
  return fc.oneof(plainUrls, withMacro);
}

const days = fc
  .date({ min: new Date('2026-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

/** Times as fields and parameters take them, around those of a test run and far from them. */
export const moments: fc.Arbitrary<string> = fc.oneof(
  days,
  fc
    .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.constantFrom('2029-02-28T23:59:59+14:00', '2030-06-30T12:00Z', '2031-01-01T00:00:00.123456789-11:30'),
);

/** Values of each format that a schema may name. */
const valuesByFormat: Readonly<Record<FormatName, fc.Arbitrary<string>>> = {
  url: plainUrls,
  mail: fc.oneof(fc.constantFrom('desk@example.com', 'a+b@xn--bcher-kva.example'), fc.emailAddress()),
  domain: fc.oneof(fc.constantFrom('example.com', 'Bücher.example'), fc.domain()),
  day: days,
  time: fc.oneof(
    days,
    fc.constantFrom('2027-01-31T12:00', '2027-01-31T12:00:30', '2027-01-31T12:00:00+02:00'),
  ),
  moment: moments,
  'time-zone': fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu'),
  'week-hours': fc.constantFrom('1'.repeat(168), '0'.repeat(9) + '1'.repeat(159), '01'.repeat(84)),
  country: fc.constantFrom(...countries.map(({ CC }) => CC)),
  currency: fc.constantFrom('USD', 'EUR', 'JPY', 'GBP', 'XOF'),
  'iab-category': fc.constantFrom(...iabCategories.map(({ Name }) => Name)),
  'os-family': fc.constantFrom(...operatingSystems.map(({ Family }) => Family)),
  'browser-family': fc.constantFrom(...browsers.map(({ Family }) => Family)),
  'header-lines': fc.constantFrom('X-Api-Key: 1234', 'X-A: b\nX-C: d e\n', 'x-y:'),
};

/** Strings of a format; undefined where we know none of that name. */
export function formatValues(format: string): fc.Arbitrary<string> | undefined {
  return Object.hasOwn(valuesByFormat, format) ? valuesByFormat[format as FormatName] : undefined;
}

const ipLine = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })).map(([ip, bits]) => `${ip}/${bits}`),
  fc.constantFrom('192.0.2.1-192.0.2.9', '2001:db8::1 - 2001:db8::ff'),
);
const keyword = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
const application = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,30}$/);
const lines: Readonly<Record<string, fc.Arbitrary<string>>> = {
  DomainList: fc.domain(),
  AppList: application,
  IpList: ipLine,
  KeywordList: keyword.map((text) => text.replaceAll(/[\r\n\0]/g, ' ')),
};

/** Texts of a list of that entity: lines, comments, empty and repeated ones, and all ways to end a line. */
export function listTexts(entity: string): fc.Arbitrary<string> {
  const line = fc.oneof(
    { weight: 8, arbitrary: lines[entity] ?? keyword },
    fc.constantFrom('', '# a comment', '  '),
  );
  const ending = fc.constantFrom('\n', '\r\n', '\n\n');
  return fc
    .tuple(fc.array(line, { maxLength: 8 }), ending, fc.boolean())
    .map(([all, end, isTwice]) => [...all, ...(isTwice ? all : [])].join(end));
}
