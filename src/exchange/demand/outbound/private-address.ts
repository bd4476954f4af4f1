import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

/** Addresses of public ranges that lead to a cloud's internal services: Azure's virtual host. */
const hostServices = new Set(['168.63.129.16']);

const isPublicV4 = (address: IPv4) => address.range() === 'unicast' && !hostServices.has(address.toString());

/**
 * All IPv6 addresses given out so far (RFC 4291 section 2.4, IANA's registry); the library calls others unicast, too.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IPv6 address is public. One that embeds an IPv4 address for a translator (RFC 6052) is judged by that. */
function isPublicV6(address: IPv6): boolean {
  const range = address.range();
  if (range !== 'rfc6052') return range === 'unicast' && address.match(globalUnicast);
  const [a = 0, b = 0, c = 0, d = 0] = address.toByteArray().slice(12);
  return isPublic(`${a}.${b}.${c}.${d}`);
}

function isPublic(text: string): boolean {
  const address = ipaddr.process(text);
  return address.kind() === 'ipv4' ? isPublicV4(address as IPv4) : isPublicV6(address as IPv6);
}

/** The IP address that a URL's host is, without brackets and zone; undefined if the host is a name. */
export function addressLiteral(host: string): string | undefined {
  const bare = host.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  return ipaddr.isValid(bare) ? ipaddr.parse(bare).toString() : undefined;
}

/**
 * Whether an IP address is not on the public internet: loopback, private, link-local (where clouds serve metadata),
 * unique local, carrier-grade NAT, multicast, reserved, or an address that tunnels to one of them. A text that is no
 * address counts as private.
 */
export function isPrivateAddress(text: string): boolean {
  const literal = addressLiteral(text);
  return literal === undefined || !isPublic(literal);
}
