import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

/** In public ranges, but a cloud's internal services: Azure's virtual host. */
const hostServices = new Set(['168.63.129.16']);

const isPublicV4 = (address: IPv4) => address.range() === 'unicast' && !hostServices.has(address.toString());

/** All IPv6 given out so far (RFC 4291 section 2.4); the library calls others unicast too. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** An address that embeds IPv4 for a translator (RFC 6052) is judged by that. */
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

/** Without brackets and zone; undefined if the host is a name. */
export function addressLiteral(host: string): string | undefined {
  const bare = host.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  return ipaddr.isValid(bare) ? ipaddr.parse(bare).toString() : undefined;
}

/** Whether an address is not on the public internet, or tunnels to one that is not. Other text is private. */
export function isPrivateAddress(text: string): boolean {
  const literal = addressLiteral(text);
  return literal === undefined || !isPublic(literal);
}
