import { passwordLength } from './reference/password-length.ts';

/* How texts of settings are read: each answers undefined for a text that is wrong. */

/** A setting: how it is told of, and how it is read. */
export interface Setting<T> {
  readonly name: string;
  /** Kind of value, in a word or two. */
  readonly type: string;
  /** The value when it is unset or empty: as text to read; or in words in parentheses, for undefined. */
  readonly standard: string;
  readonly help: string;
  /** The end of "<name> ..." when the text is wrong. */
  readonly wants: string;
  /** Whether messages must not repeat its text. */
  readonly secret?: true;
  /** The value of a text, or undefined when it is wrong. */
  readonly read: (text: string) => T | undefined;
}

/** A setting, with the type of its value. */
export const setting = <T>(row: Setting<T>): Setting<T> => row;

/** A region of the installation and the URL that its zones are reached by. */
export interface Region {
  readonly name: string;
  readonly url: string;
}

export function matching(pattern: RegExp): (text: string) => string | undefined {
  return (text) => (pattern.test(text) ? text : undefined);
}

/** Reads a whole number from 0 to a bound. */
export function wholeUpTo(max: number): (text: string) => number | undefined {
  return (text) => (/^\d{1,6}$/.test(text) && Number(text) <= max ? Number(text) : undefined);
}

/** Reads a number from 0 to a bound, with up to six places. */
export function decimalUpTo(max: number): (text: string) => number | undefined {
  return (text) => (/^\d{1,4}(\.\d{1,6})?$/.test(text) && Number(text) <= max ? Number(text) : undefined);
}

/** Reads a whole number from 1 to a bound. */
export function oneTo(max: number): (text: string) => number | undefined {
  return (text) => wholeUpTo(max)(text) || undefined;
}

/** An absolute http or https URL to which paths are appended: without query, fragment and the last slash. */
export function readUrl(text: string): string | undefined {
  if (!/^https?:\/\/[^\s?#]+$/i.test(text) || !URL.canParse(text)) return undefined;
  return text.replace(/\/+$/, '');
}

/** The URL of a database: a file of SQLite, or a PostgreSQL server. */
export function readDatabaseUrl(text: string): string | undefined {
  const isServer = /^postgres(ql)?:\/\/[^\s\0]+$/.test(text) && URL.canParse(text);
  return isServer || /^sqlite:[^\0]+$/.test(text) ? text : undefined;
}

export function readSmtpUrl(text: string): string | undefined {
  const url = URL.parse(text);
  return url && /^smtps?:$/.test(url.protocol) && url.hostname !== '' ? text : undefined;
}

/** A password of a length that is allowed. */
export function readPassword(text: string): string | undefined {
  return text.length >= passwordLength.min && text.length <= passwordLength.max ? text : undefined;
}

/** A flag: 0 or 1. */
export function readFlag(text: string): boolean | undefined {
  return text === '0' || text === '1' ? text === '1' : undefined;
}

/** Regions as `name=URL,…`, each name once. */
export function readRegions(text: string): readonly Region[] | undefined {
  const regions: Region[] = [];
  for (const part of text.split(',')) {
    const [, name, address = ''] = /^([a-z0-9-]{1,32})=(.+)$/.exec(part.trim()) ?? [];
    const url = readUrl(address);
    if (name === undefined || url === undefined) return undefined;
    regions.push({ name, url });
  }
  return new Set(regions.map(({ name }) => name)).size === regions.length ? regions : undefined;
}

/** The host of the console's URL where URLs of ads lead there, too, though it is to serve none. */
export function sharedHost(config: {
  readonly consoleUrl: string | undefined;
  readonly baseUrl: string | undefined;
  readonly regions: readonly Region[] | undefined;
  readonly host: string;
}): string | undefined {
  const { consoleUrl, baseUrl, regions = [], host } = config;
  const ofAds = [baseUrl ?? `http://${host}`, ...regions.map(({ url }) => url)];
  const hostname = consoleUrl && new URL(consoleUrl).hostname;
  return ofAds.some((url) => URL.parse(url)?.hostname === hostname) ? hostname : undefined;
}
