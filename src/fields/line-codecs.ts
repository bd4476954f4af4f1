import ipaddr from 'ipaddr.js';
import { addressKeys, domainKeys, type LineKeys, textKeys } from './line-keys.ts';

export type LinePart = 'entries' | 'ranges';

/** Of one kind of list (reference, "Lists"). */
export interface LineCodec {
  /** What to send, as the end of "send ...", and what people often send instead. */
  readonly wants: string;
  /** Finds a header line that `clean` would take for an entry. */
  readonly header?: RegExp;
  readonly example: string;
  /** Of a trimmed, non-empty line; undefined if it is malformed. */
  readonly clean: (line: string) => string | undefined;
  /** The count that a stored line belongs to. */
  readonly part: (line: string) => LinePart;
  readonly keys: LineKeys;
}

const asciiDomainPattern =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+(?:[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)$/;
const beyondAscii = /[^\0-\x7f]/;

function hostnameOf(line: string): string {
  if (/[\s/?#@:\\%]/.test(line)) return '';
  return URL.canParse(`http://${line}`) ? new URL(`http://${line}`).hostname : '';
}

/** ASCII form (IDNA); undefined if it is no domain. */
export function asciiDomain(line: string): string | undefined {
  const ascii = beyondAscii.test(line) ? hostnameOf(line) : line.toLowerCase();
  return asciiDomainPattern.test(ascii) ? ascii : undefined;
}

const applicationPattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,254}$/;
const ipv4Pattern = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

/** Without leading zeros, which some programs read as octal. */
function isIpv4(text: string): boolean {
  return ipv4Pattern.test(text) && !/(^|\.)0\d/.test(text);
}

function isIpv6(text: string): boolean {
  // The package also accepts octal and hexadecimal parts in an IPv4 end (`::ffff:0x1.2.3.4`).
  const end = text.slice(text.lastIndexOf(':') + 1);
  return !text.includes('%') && ipaddr.IPv6.isValid(text) && (!end.includes('.') || isIpv4(end));
}

function isAddress(text: string): boolean {
  return text.includes(':') ? isIpv6(text) : isIpv4(text);
}

function bytesOf(address: string): number[] {
  // The package reads `::192.0.2.1` as `::ffff:192.0.2.1` unless the zero is written out.
  return ipaddr.parse(address.replace(/^::(?=\d+\.)/, '::0:')).toByteArray();
}

function isOrdered(from: string, to: string): boolean {
  const low = bytesOf(from);
  const high = bytesOf(to);
  const at = low.findIndex((byte, index) => byte !== high[index]);
  return low.length === high.length && (at === -1 || (low[at] ?? 0) < (high[at] ?? 0));
}

function isCidr(line: string, slash: number): boolean {
  const address = line.slice(0, slash);
  const bits = line.slice(slash + 1);
  return (
    /^(?:0|[1-9]\d{0,2})$/.test(bits) &&
    isAddress(address) &&
    Number(bits) <= (address.includes(':') ? 128 : 32)
  );
}

function cleanIp(line: string): string | undefined {
  const lower = line.toLowerCase();
  const slash = lower.indexOf('/');
  if (slash !== -1) return isCidr(lower, slash) ? lower : undefined;
  const dash = lower.indexOf('-');
  if (dash === -1) return isAddress(lower) ? lower : undefined;
  const from = lower.slice(0, dash).trim();
  const to = lower.slice(dash + 1).trim();
  return isAddress(from) && isAddress(to) && isOrdered(from, to) ? `${from}-${to}` : undefined;
}

const entries = (): LinePart => 'entries';

/** Lower-case ASCII. */
export const domainLines: LineCodec = {
  wants: 'one bare domain per line, like example.com, without a header, columns, commas, https:// or a path',
  example: 'example.com',
  clean: asciiDomain,
  part: entries,
  keys: domainKeys(asciiDomain),
};

/** Package names, bundle IDs or the stores' numbers. */
export const applicationLines: LineCodec = {
  wants:
    'one application identifier per line, like com.example.game or 1207472156, without a header, columns, commas or the URL of a store',
  // No store has such identifiers, while exported tables begin with them.
  header:
    /^"?(?:apps?|(?:app|application)[ _-]?(?:id|identifier|name|bundle)s?|bundles?(?:[ _-]?ids?)?|packages?(?:[ _-]?names?)?)"?$/i,
  example: 'com.example.game',
  clean: (line) => (applicationPattern.test(line) ? line : undefined),
  part: entries,
  keys: textKeys,
};

/** IPv4 and IPv6, and ranges as CIDR or `a-b`. */
export const ipLines: LineCodec = {
  wants:
    'one IP address or range per line, like 192.0.2.1, 192.0.2.0/24 or 192.0.2.1-192.0.2.9, without a header, columns, commas or a port',
  example: '192.0.2.0/24',
  clean: cleanIp,
  part: (line) => (line.includes('/') || line.includes('-') ? 'ranges' : 'entries'),
  keys: addressKeys(cleanIp),
};

/** Code points, as the wire counts. */
function charactersIn(line: string): number {
  return line.length <= 255 || line.length > 510 ? line.length : Array.from(line).length;
}

/** One line of up to 255 characters. */
export const keywordLines: LineCodec = {
  wants: 'one keyword or phrase per line, with at most 255 characters',
  example: 'cheap flights',
  clean: (line) => (charactersIn(line) <= 255 ? line : undefined),
  part: entries,
  keys: textKeys,
};
