import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

/** Public by its range, and yet the way to a cloud's own services: Azure's virtual host. */
const hostServices = new Set(['168.63.129.16']);

const isPublicV4 = (address: IPv4) => address.range() === 'unicast' && !hostServices.has(address.toString());

/** All of IPv6 that was ever given out (RFC 4291 section 2.4, IANA's registry); the library calls unicast what is not. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** An address that carries an IPv4 address through a translator (RFC 6052) is what it carries. */
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

/** The address of a URL's host where it is one, without brackets and zone; undefined where it is a name. */
export function addressLiteral(host: string): string | undefined {
  const bare = host.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  return ipaddr.isValid(bare) ? ipaddr.parse(bare).toString() : undefined;
}

/**
 * Whether an IP address is none of the public internet: loopback, private, link-local (where clouds serve metadata),
 * unique local, carrier-grade NAT, multicast, reserved and what tunnels to any of them. What is no address at all
 * counts as private.
 */
export function isPrivateAddress(text: string): boolean {
  const literal = addressLiteral(text);
  return literal === undefined || !isPublic(literal);
}
