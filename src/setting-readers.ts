import { passwordLength } from './reference/password-length.ts';

/* Each reader answers undefined for invalid text. */

export interface Setting<T> {
  readonly name: string;
  /** In a word or two. */
  readonly type: string;
  /** When unset or empty: text to read, or words in parentheses, for undefined. */
  readonly standard: string;
  readonly help: string;
  /** The end of "<name> ..." when the text is invalid. */
  readonly wants: string;
  /** Whether messages must not repeat its text. */
  readonly secret?: true;
  /** Undefined if invalid. */
  readonly read: (text: string) => T | undefined;
}

export const setting = <T>(row: Setting<T>): Setting<T> => row;

/** Its zones are reached by the URL. */
export interface Region {
  readonly name: string;
  readonly url: string;
}

export function matching(pattern: RegExp): (text: string) => string | undefined {
  return (text) => (pattern.test(text) ? text : undefined);
}

export function wholeUpTo(max: number): (text: string) => number | undefined {
  return (text) => (/^\d{1,6}$/.test(text) && Number(text) <= max ? Number(text) : undefined);
}

/** Up to six decimals. */
export function decimalUpTo(max: number): (text: string) => number | undefined {
  return (text) => (/^\d{1,4}(\.\d{1,6})?$/.test(text) && Number(text) <= max ? Number(text) : undefined);
}

export function oneTo(max: number): (text: string) => number | undefined {
  return (text) => wholeUpTo(max)(text) || undefined;
}

/** Absolute http or https, without query, fragment and last slash, so that paths can be appended. */
export function readUrl(text: string): string | undefined {
  if (!/^https?:\/\/[^\s?#]+$/i.test(text) || !URL.canParse(text)) return undefined;
  return text.replace(/\/+$/, '');
}

/** An SQLite file, or a PostgreSQL server. */
export function readDatabaseUrl(text: string): string | undefined {
  const isServer = /^postgres(ql)?:\/\/[^\s\0]+$/.test(text) && URL.canParse(text);
  return isServer || /^sqlite:[^\0]+$/.test(text) ? text : undefined;
}

export function readSmtpUrl(text: string): string | undefined {
  const url = URL.parse(text);
  return url && /^smtps?:$/.test(url.protocol) && url.hostname !== '' ? text : undefined;
}

export function readPassword(text: string): string | undefined {
  return text.length >= passwordLength.min && text.length <= passwordLength.max ? text : undefined;
}

export function readFlag(text: string): boolean | undefined {
  return text === '0' || text === '1' ? text === '1' : undefined;
}

/** As `name=URL,…`, each name once. */
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

/** The host of the console's URL, if URLs of ads lead there too, although it is to serve none. */
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
