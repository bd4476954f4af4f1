import type { IpAddress } from '../opportunity.ts';
import { ipRangeOf } from '../reading/ip-range.ts';
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

/** On memory that this or another thread has compiled. */
export function ipsOn(memory: IpMemory): IpMatcher {
  const sets = { 4: rangeSetOn(memory[4]), 6: rangeSetOn(memory[6]) };
  return { memory, size: sets[4].size + sets[6].size, has: ({ version, bytes }) => sets[version].has(bytes) };
}

/** Addresses, CIDRs and `a-b`. IPv4-mapped ranges are IPv4; other IPv6 ranges never hold IPv4, not even `::/0`. */
export async function compileIps(parts: AsyncIterable<string>): Promise<IpMatcher> {
  const builders = { 4: createRangeSetBuilder(4), 6: createRangeSetBuilder(16) };
  await readLines(parts, (line) => {
    const range = ipRangeOf(line);
    if (range) builders[range.version].add(range.low, range.high);
  });
  return ipsOn({ 4: builders[4].build(), 6: builders[6].build() });
}
