import { isConnectionHeader } from '../reference/connection-headers.ts';
import { isCountryCode } from '../reference/countries.ts';
import { isCurrencyCode } from '../reference/currencies.ts';
import { isIabCategory } from '../reference/iab-categories.ts';
import { isMailAddress } from '../reference/mail-address.ts';
import { isBrowserFamily, isOsFamily } from '../reference/user-agent-families.ts';
import { isWeekHours } from '../reference/week-hours.ts';
import { knownZone, zonedTime } from '../shared/zoned-time.ts';
import { asciiDomain } from './line-codecs.ts';
import { dateTimePattern, isDay, momentWants, readMoment } from './moment.ts';

/** A rule that JSON Schema cannot express: its test, and the end of "<path> ...". */
export interface Format {
  readonly test: (value: string) => boolean;
  readonly wants: string;
  /** A more precise message for a failing value. */
  readonly explain?: (value: string) => string | undefined;
  /** A regular expression for other validators, which also matches `""`. */
  readonly pattern?: string;
}

/** The host must follow two slashes: `URL` also accepts more slashes, and backslashes. */
const absoluteHttpUrl = /^https?:\/\/[^\s\p{Cc}/\\?#]+(?:[/?#][^\s\p{Cc}]*)?$/iu;

/** Whether the wire and both databases keep it unchanged: no NUL, no lone surrogate. */
export function isStorableText(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}

/** `{braces}`, in order. */
export function macrosIn(template: string): string[] {
  return Array.from(template.matchAll(/\{([^{}]*)\}/g), (match) => match[1] ?? '');
}

function isHttpUrl(value: string): boolean {
  return absoluteHttpUrl.test(value) && URL.canParse(value.replaceAll(/\{[^{}]*\}/g, 'x'));
}

/** Token, colon, and Latin-1 text without control characters. */
const header = /^[!#$%&'*+.^_`|~\w-]+:[\t -~\xa0-\xff]*$/;

const headerLinesOf = (value: string) =>
  value
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The name of the first header that is not for anybody to set. */
const connectionHeaderIn = (value: string) =>
  headerLinesOf(value)
    .map((line) => line.split(':', 1)[0] ?? '')
    .find(isConnectionHeader);

function isHeaderLines(value: string): boolean {
  return headerLinesOf(value).every((line) => header.test(line)) && connectionHeaderIn(value) === undefined;
}

function explainHeaders(value: string): string | undefined {
  const name = connectionHeaderIn(value);
  return (
    name &&
    `must not set ${name}: that header belongs to the connection, and Bourse sends its own; leave it out`
  );
}

/** The formats by name, as the kinds of field use them in their schemas. Every one admits `""`, which clears. */
export const formats = {
  url: {
    test: isHttpUrl,
    wants: 'must be an absolute http or https URL, like https://example.com/path',
    pattern: String.raw`^$|^[Hh][Tt][Tt][Pp][Ss]?://[^\s/\\?#]\S*$`,
  },
  mail: {
    test: isMailAddress,
    wants: 'must be an e-mail address, like name@example.com',
    pattern: String.raw`^$|^[^\s@]{1,64}@[^\s@]{1,253}$`,
  },
  domain: {
    test: (value) => asciiDomain(value.toLowerCase()) !== undefined,
    wants: 'must be a domain, like example.com',
  },
  day: {
    test: isDay,
    wants: 'must be a day in the form YYYY-MM-DD',
    pattern: String.raw`^$|^\d{4}-\d{2}-\d{2}$`,
  },
  time: {
    test: (value) => zonedTime(value, 'UTC') !== undefined,
    wants:
      'must be a day like 2027-01-31, or a time like 2027-01-31T12:00:00 (in TimeZone) or 2027-01-31T12:00:00Z',
    pattern: String.raw`^$|^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})?)?$`,
  },
  moment: {
    test: (value) => readMoment(value) !== undefined,
    wants: momentWants,
    pattern: String.raw`^$|^\d{4}-\d{2}-\d{2}$|^${dateTimePattern}$`,
  },
  'time-zone': {
    test: (value) => knownZone(value) !== undefined,
    wants: 'must be a time zone of the IANA database, like Europe/Berlin',
  },
  'week-hours': {
    test: isWeekHours,
    wants:
      'must be 168 digits, one for each hour of the week from Monday 00:00 on: 1 = open, 0 = closed; or "" for always',
    pattern: '^$|^[01]{168}$',
  },
  country: {
    test: isCountryCode,
    wants: 'is not a country code of /api/info/countries (upper case, like "US")',
    pattern: '^$|^[A-Z][A-Z0-9]$',
  },
  currency: {
    test: isCurrencyCode,
    wants: 'is not a currency code of ISO 4217 (upper case, like "EUR")',
    pattern: '^$|^[A-Z]{3}$',
  },
  'iab-category': {
    test: isIabCategory,
    pattern: String.raw`^$|^IAB\d{1,2}(-\d{1,2})?$`,
    wants: 'is not a category name of /api/info/iabcategories (like "IAB1" or "IAB1-2")',
  },
  'os-family': { test: isOsFamily, wants: 'is not an operating system of /api/info/os' },
  'browser-family': { test: isBrowserFamily, wants: 'is not a browser of /api/info/browsers' },
  'header-lines': {
    test: isHeaderLines,
    wants: 'must be lines of the form "Name: value"',
    explain: explainHeaders,
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;
