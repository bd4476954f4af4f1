import { isConnectionHeader } from '../reference/connection-headers.ts';
import { isCountryCode } from '../reference/countries.ts';
import { isIabCategory } from '../reference/iab-categories.ts';
import { isMailAddress } from '../reference/mail-address.ts';
import { isBrowserFamily, isOsFamily } from '../reference/user-agent-families.ts';
import { asciiDomain } from './line-codecs.ts';

/** A rule for strings that JSON Schema has no word for: its test, and the end of "<path> ..." when it fails. */
export interface Format {
  readonly test: (value: string) => boolean;
  readonly wants: string;
  /** The same for a value that fails, where more can be told of it. */
  readonly explain?: (value: string) => string | undefined;
  /** What everything in the format matches, and `""`, as a regular expression that validators of all kinds know. */
  readonly pattern?: string;
}

/** Demands a host right behind the two slashes: `URL` itself also accepts more slashes, and backslashes. */
const absoluteHttpUrl = /^https?:\/\/[^\s\p{Cc}/\\?#]+(?:[/?#][^\s\p{Cc}]*)?$/iu;

/** True for text that the wire and both databases carry unchanged: no NUL, no half of a surrogate pair. */
export function isStorableText(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}

/** Names in `{braces}` in a URL template, in order. */
export function macrosIn(template: string): string[] {
  return Array.from(template.matchAll(/\{([^{}]*)\}/g), (match) => match[1] ?? '');
}

function isHttpUrl(value: string): boolean {
  return absoluteHttpUrl.test(value) && URL.canParse(value.replaceAll(/\{[^{}]*\}/g, 'x'));
}

function isDate(value: string): boolean {
  const time = Date.parse(`${value}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(value) && new Date(time).toJSON()?.slice(0, 10) === value;
}

/** A header as HTTP carries it: a token, a colon, and text without control characters in Latin-1. */
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
    wants: 'must be an absolute http or https URL, as https://example.com/path',
    pattern: String.raw`^$|^[Hh][Tt][Tt][Pp][Ss]?://[^\s/\\?#]\S*$`,
  },
  mail: {
    test: isMailAddress,
    wants: 'must be an e-mail address, as name@example.com',
    pattern: String.raw`^$|^[^\s@]{1,64}@[^\s@]{1,253}$`,
  },
  domain: {
    test: (value) => asciiDomain(value.toLowerCase()) !== undefined,
    wants: 'must be a domain, as example.com',
  },
  day: { test: isDate, wants: 'must be a day as YYYY-MM-DD', pattern: String.raw`^$|^\d{4}-\d{2}-\d{2}$` },
  country: {
    test: isCountryCode,
    wants: 'is no country code of /api/info/countries (upper case, as "US")',
    pattern: '^$|^[A-Z][A-Z0-9]$',
  },
  'iab-category': {
    test: isIabCategory,
    pattern: String.raw`^$|^IAB\d{1,2}(-\d{1,2})?$`,
    wants: 'is no category name of /api/info/iabcategories (as "IAB1" or "IAB1-2")',
  },
  'os-family': { test: isOsFamily, wants: 'is no operating system of /api/info/os' },
  'browser-family': { test: isBrowserFamily, wants: 'is no browser of /api/info/browsers' },
  'header-lines': {
    test: isHeaderLines,
    wants: 'must be lines of "Name: value"',
    explain: explainHeaders,
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;
