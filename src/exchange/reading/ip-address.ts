import ipaddr from 'ipaddr.js';
import type { IpAddress } from '../opportunity.ts';

const ipv6LengthMax = 45;
const dot = 46;
const zero = 48;

/**
 * The four parts of a dotted IPv4 address; undefined for any other text, also with a leading zero, which some read
 * as octal. By hand, as it runs for each line of a list and each request: the library's patterns take microseconds.
 */
function ipv4Bytes(text: string): Uint8Array | undefined {
  if (text.length > 15) return undefined;
  const bytes = new Uint8Array(4);
  let part = 0;
  let value = -1;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at === text.length ? dot : text.charCodeAt(at);
    if (code === dot) {
      if (value === -1 || part === 4) return undefined;
      bytes[part] = value;
      part += 1;
      value = -1;
    } else {
      if (code < zero || code > zero + 9 || value === 0) return undefined;
      value = (value === -1 ? 0 : value * 10) + code - zero;
      if (value > 255) return undefined;
    }
  }
  return part === 4 ? bytes : undefined;
}

/** The library takes octal parts in the IPv4 end of an address, and `::192.0.2.1` for an IPv4-mapped one. */
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
