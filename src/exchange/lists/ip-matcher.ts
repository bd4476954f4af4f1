import type { IpAddress } from '../opportunity.ts';
import { parseIpAddress } from '../reading/ip-address.ts';
import { readLines } from './line-reader.ts';
import { createRangeSetBuilder, type RangeMemory, rangeSetOn } from './range-set.ts';

export interface IpMatcher {
  /** A single address counts as one, and so do ranges that overlap. */
  readonly size: number;
  readonly memory: IpMemory;
  has(ip: IpAddress): boolean;
}

/** In memory that threads share. */
export interface IpMemory {
  readonly 4: RangeMemory;
  readonly 6: RangeMemory;
}

interface Range {
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

function block(version: 4 | 6, bytes: Uint8Array, bits: number): Range {
  return { version, low: filled(bytes, bits, 0), high: filled(bytes, bits, 1) };
}

function cidr(text: string, bits: number): Range | undefined {
  const address = parseIpAddress(text);
  if (address === undefined) return undefined;
  const { version, bytes } = address;
  if (version === 6 || !text.includes(':')) return block(version, bytes, bits);
  return bits < mappedBits ? block(6, mapped(bytes), bits) : block(4, bytes, bits - mappedBits);
}

function fromTo(from: string, to: string): Range | undefined {
  const low = parseIpAddress(from);
  const high = parseIpAddress(to);
  if (low === undefined || high === undefined) return undefined;
  if (low.version === high.version) return { version: low.version, low: low.bytes, high: high.bytes };
  const [first = low.bytes, last = high.bytes] = [low, high].map(({ version, bytes }) =>
    version === 4 ? mapped(bytes) : bytes,
  );
  return { version: 6, low: first, high: last };
}

function rangeOf(line: string): Range | undefined {
  const slash = line.indexOf('/');
  if (slash !== -1) return cidr(line.slice(0, slash), Number(line.slice(slash + 1)));
  const dash = line.indexOf('-');
  if (dash !== -1) return fromTo(line.slice(0, dash), line.slice(dash + 1));
  return fromTo(line, line);
}

/** On memory that this or another thread has compiled. */
export function ipsOn(memory: IpMemory): IpMatcher {
  const sets = { 4: rangeSetOn(memory[4]), 6: rangeSetOn(memory[6]) };
  return { memory, size: sets[4].size + sets[6].size, has: ({ version, bytes }) => sets[version].has(bytes) };
}

/** Addresses, CIDRs and `a-b`. IPv4-mapped ranges are IPv4; other IPv6 ranges never hold IPv4, not even `::/0`. */
export async function compileIps(parts: AsyncIterable<string>): Promise<IpMatcher> {
  const builders = { 4: createRangeSetBuilder(4), 6: createRangeSetBuilder(16) };
  await readLines(parts, (line) => {
    const range = rangeOf(line);
    if (range) builders[range.version].add(range.low, range.high);
  });
  return ipsOn({ 4: builders[4].build(), 6: builders[6].build() });
}
