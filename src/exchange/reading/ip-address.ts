import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { IpAddress } from '../opportunity.ts';

const ipv6LengthMax = 45;
const dot = 46;
const zero = 48;

/** Dotted IPv4 without leading zeros, which some read as octal. The library would take microseconds per line. */
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

/** The library misreads octal parts in an IPv4 end, and takes `::192.0.2.1` for IPv4-mapped. */
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

/** IPv4, or IPv6 (RFC 4291) without a zone; IPv4-mapped is IPv4. Undefined for other text. */
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
/** As proxies write it (RFC 7239 section 6): brackets, port, further proxies after a comma. */
const forwardedAddress =
  /^\s*(?:\[([\da-f:.]+)\](?::\d+)?|((?:\d+\.){3}\d+)(?::\d+)?|([\da-f:.]+))\s*(?:,|$)/i;

/** The first address of a forwarding header, with or without brackets and port. */
export function parseForwardedAddress(text: string): IpAddress | undefined {
  const address = parseIpAddress(text);
  if (address !== undefined || text.length > forwardedCharactersMax) return address;
  const [, bracketed, withPort, bare] = forwardedAddress.exec(text) ?? [];
  return parseIpAddress(bracketed ?? withPort ?? bare ?? '');
}

/** Identify the network but not the user: /24 of IPv4, /48 of IPv6. */
const subnetBytes = { 4: 3, 6: 6 } as const;

export function subnetOf({ version, bytes }: IpAddress): IpAddress {
  const first = bytes.slice().fill(0, subnetBytes[version]);
  return version === 4
    ? ipv4(first)
    : { text: ipaddr.fromByteArray([...first]).toString(), version, bytes: first };
}

const prefixBytes = 8;

/** The address that limits count by: IPv4, or the first of an IPv6's /64 (reference, "Limits"). */
export function countedAddress({ text, version, bytes }: IpAddress): string {
  if (version === 4) return text;
  const prefix = [...bytes.subarray(0, prefixBytes), ...new Array<number>(prefixBytes).fill(0)];
  return ipaddr.fromByteArray(prefix).toString();
}
