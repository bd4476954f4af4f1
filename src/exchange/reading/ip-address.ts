import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { IpAddress } from '../opportunity.ts';

const ipv6LengthMax = 45;
const dot = 46;
const zero = 48;

/**
 * The four parts of a dotted IPv4 address; undefined for any other text, also with a leading zero, which some read as
 * octal. Without the library, as it runs for each line of a list: its patterns take microseconds.
 */
function ipv4Bytes(text: string): Uint8Array | undefined {
  if (!isIPv4(text)) return undefined;
  const bytes = new Uint8Array(4);
  let part = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === dot) part += 1;
    else bytes[part] = (bytes[part] ?? 0) * 10 + code - zero;
  }
  return bytes;
}

/**
 * Keeps from the library what it reads wrongly: octal parts in the IPv4 end of an address, and `::192.0.2.1`, which it
 * takes for an IPv4-mapped one.
 */
function ipv6Of(text: string): ipaddr.IPv6 | undefined {
  if (text.length > ipv6LengthMax || text.includes('%')) return undefined;
  const end = text.slice(text.lastIndexOf(':') + 1);
  if (end.includes('.') && ipv4Bytes(end) === undefined) return undefined;
  const whole = text.replace(/^::(?=\d+\.)/, '::0:');
  return ipaddr.IPv6.isValid(whole) ? ipaddr.IPv6.parse(whole) : undefined;
}

function ipv4(bytes: Uint8Array): IpAddress {
  return { text: bytes.join('.'), version: 4, bytes };
}

/**
 * An address from its text: IPv4 in four decimal parts or IPv6 (RFC 4291) without a zone; an IPv4-mapped one is the
 * IPv4 address. Undefined for any other text.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (!text.includes(':')) {
    const bytes = ipv4Bytes(text);
    return bytes && { text, version: 4, bytes };
  }
  const address = ipv6Of(text);
  if (address === undefined) return undefined;
  const bytes = Uint8Array.from(address.toByteArray());
  if (address.isIPv4MappedAddress()) return ipv4(bytes.slice(12));
  return { text: address.toRFC5952String(), version: 6, bytes };
}

const forwardedCharactersMax = 256;
/** As proxies write addresses (RFC 7239 section 6): IPv6 in brackets, a port behind, the next proxy behind a comma. */
const forwardedAddress =
  /^\s*(?:\[([\da-f:.]+)\](?::\d+)?|((?:\d+\.){3}\d+)(?::\d+)?|([\da-f:.]+))\s*(?:,|$)/i;

/**
 * An address as servers forward it: the first of several, with or without brackets and a port. Undefined for other
 * text.
 */
export function parseForwardedAddress(text: string): IpAddress | undefined {
  const address = parseIpAddress(text);
  if (address !== undefined || text.length > forwardedCharactersMax) return address;
  const [, bracketed, withPort, bare] = forwardedAddress.exec(text) ?? [];
  return parseIpAddress(bracketed ?? withPort ?? bare ?? '');
}

/** Bytes of an address that tell its network but not its user: /24 of IPv4, /48 of IPv6. */
const subnetBytes = { 4: 3, 6: 6 } as const;

/** The first address of the network that an address is in. */
export function subnetOf({ version, bytes }: IpAddress): IpAddress {
  const first = bytes.slice().fill(0, subnetBytes[version]);
  return version === 4
    ? ipv4(first)
    : { text: ipaddr.fromByteArray([...first]).toString(), version, bytes: first };
}

const prefixBytes = 8;

/** The address that limits count by: IPv4 as it is, of IPv6 the first one of its /64 (reference, "Limits"). */
export function countedAddress({ text, version, bytes }: IpAddress): string {
  if (version === 4) return text;
  const prefix = [...bytes.subarray(0, prefixBytes), ...new Array<number>(prefixBytes).fill(0)];
  return ipaddr.fromByteArray(prefix).toString();
}
