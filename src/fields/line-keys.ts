import ipaddr from 'ipaddr.js';

/** Keys by which lines that hold a text are found without reading the others. */
export interface LineKeys {
  readonly of: (line: string) => string;
  /** Keys whose lines may hold a text, nearest first; at most 129. */
  readonly holding: (text: string) => readonly string[];
  /** Whether a line with such a key holds the text; absent = always. */
  readonly isHeld?: (text: string, line: string) => boolean;
}

const keysMax = 129;

/** The text itself if it is no URL. */
function hostOf(text: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? (URL.parse(text)?.hostname ?? '') : text;
}

/** A line holds itself and its subdomains. `ascii` gives the stored form. */
export function domainKeys(ascii: (text: string) => string | undefined): LineKeys {
  return {
    of: (line) => line,
    holding(text) {
      const labels = ascii(hostOf(text))?.split('.') ?? [];
      return labels
        .slice(0, -1)
        .map((_, from) => labels.slice(from).join('.'))
        .slice(0, keysMax);
    },
  };
}

const folded = (text: string) => text.normalize('NFC').toLowerCase().trim().split(/\s+/).join(' ');

/** A line holds itself; case and the width of spaces do not count. */
export const textKeys: LineKeys = { of: folded, holding: (text) => [folded(text)] };

/** Addresses of one version, from the first to the last. */
interface Range {
  readonly bits: 32 | 128;
  readonly low: bigint;
  readonly high: bigint;
}

const mappedPrefix = 0xffffn;
const lowBits = (count: number) => (1n << BigInt(count)) - 1n;

function numberOf(bytes: readonly number[]): bigint {
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

/** The address with the bits that the network fixes; IPv4-mapped is IPv4. */
function networkOf(text: string, prefix: number | undefined): Range {
  // The package reads `::192.0.2.1` as `::ffff:192.0.2.1` unless the zero is written out.
  const bytes = ipaddr.parse(text.replace(/^::(?=\d+\.)/, '::0:')).toByteArray();
  const number = numberOf(bytes);
  const isMapped = bytes.length === 16 && number >> 32n === mappedPrefix && (prefix ?? 128) >= 96;
  const bits = bytes.length === 4 || isMapped ? 32 : 128;
  const fixed = prefix === undefined ? bits : prefix - (isMapped ? 96 : 0);
  const free = lowBits(bits - fixed);
  const low = (isMapped ? number & lowBits(32) : number) & ~free;
  return { bits, low, high: low | free };
}

/** An address, a CIDR or `a-b`. */
function rangeOf(line: string): Range {
  const slash = line.indexOf('/');
  if (slash !== -1) return networkOf(line.slice(0, slash), Number(line.slice(slash + 1)));
  const [from = '', to = from] = line.split('-');
  const [first, last] = [networkOf(from, undefined), networkOf(to, undefined)];
  if (first.bits === last.bits) return { ...first, high: last.high };
  const wide = ({ bits, low }: Range) => (bits === 32 ? (mappedPrefix << 32n) | low : low);
  return { bits: 128, low: wide(first), high: wide(last) };
}

const keyOf = ({ bits, low }: Range, fixed: number) =>
  `${bits}:${(low >> BigInt(bits - fixed)).toString(36)}/${fixed}`;

/** First bits that all its addresses share. */
function sharedBits({ bits, low, high }: Range): number {
  const different = low ^ high;
  return different === 0n ? bits : bits - different.toString(2).length;
}

const plainIpv4 = /^\d+\.\d+\.\d+\.\d+(?:\/\d+)?$/;

/** Ten times as fast as by bytes; most lines are IPv4. */
function ipv4Key(line: string): string {
  const [address = '', bits = '32'] = line.split('/');
  let number = 0;
  for (const part of address.split('.')) number = number * 256 + Number(part);
  return `32:${Math.floor(number / 2 ** (32 - Number(bits))).toString(36)}/${bits}`;
}

/** A line holds what lies within it; filed under its smallest enclosing network. `clean` gives the stored form. */
export function addressKeys(clean: (text: string) => string | undefined): LineKeys {
  return {
    of(line) {
      if (plainIpv4.test(line)) return ipv4Key(line);
      if (clean(line) === undefined) return line;
      const range = rangeOf(line);
      return keyOf(range, sharedBits(range));
    },
    holding(text) {
      const line = clean(text);
      if (line === undefined) return [];
      const range = rangeOf(line);
      const fixed = sharedBits(range);
      return Array.from({ length: fixed + 1 }, (_, wider) => keyOf(range, fixed - wider));
    },
    isHeld(text, line) {
      const [inner, outer] = [rangeOf(clean(text) ?? text), rangeOf(line)];
      return inner.bits === outer.bits && outer.low <= inner.low && inner.high <= outer.high;
    },
  };
}
