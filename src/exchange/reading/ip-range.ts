import type { IpAddress } from '../opportunity.ts';
import { parseIpAddress } from './ip-address.ts';

export interface IpRange {
  readonly version: 4 | 6;
  readonly low: Uint8Array;
  readonly high: Uint8Array;
}

const mappedBits = 96;

/** As IPv4-mapped IPv6. */
function mapped(bytes: Uint8Array): Uint8Array {
  return Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...bytes);
}

/** Sets all bits from `bits` on. */
function filled(bytes: Uint8Array, bits: number, one: 0 | 1): Uint8Array {
  return bytes.map((byte, index) => {
    const host = 0xff >>> Math.min(Math.max(bits - index * 8, 0), 8);
    return one ? byte | host : byte & ~host;
  });
}

function block(version: 4 | 6, bytes: Uint8Array, bits: number): IpRange {
  return { version, low: filled(bytes, bits, 0), high: filled(bytes, bits, 1) };
}

function cidr(text: string, bits: number): IpRange | undefined {
  const address = parseIpAddress(text);
  if (address === undefined) return undefined;
  const { version, bytes } = address;
  if (version === 6 || !text.includes(':')) return block(version, bytes, bits);
  return bits < mappedBits ? block(6, mapped(bytes), bits) : block(4, bytes, bits - mappedBits);
}

function fromTo(from: string, to: string): IpRange | undefined {
  const low = parseIpAddress(from);
  const high = parseIpAddress(to);
  if (low === undefined || high === undefined) return undefined;
  if (low.version === high.version) return { version: low.version, low: low.bytes, high: high.bytes };
  const [first = low.bytes, last = high.bytes] = [low, high].map(({ version, bytes }) =>
    version === 4 ? mapped(bytes) : bytes,
  );
  return { version: 6, low: first, high: last };
}

/** An address, a CIDR or `a-b`; undefined for other text. */
export function ipRangeOf(line: string): IpRange | undefined {
  const slash = line.indexOf('/');
  if (slash !== -1) return cidr(line.slice(0, slash), Number(line.slice(slash + 1)));
  const dash = line.indexOf('-');
  if (dash !== -1) return fromTo(line.slice(0, dash), line.slice(dash + 1));
  return fromTo(line, line);
}

export const isInRange = (range: IpRange, { version, bytes }: IpAddress): boolean =>
  version === range.version &&
  Buffer.compare(range.low, bytes) <= 0 &&
  Buffer.compare(bytes, range.high) <= 0;
