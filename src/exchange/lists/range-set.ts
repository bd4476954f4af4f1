import { sharedWords } from './shared-array.ts';

/** Sorted, without overlaps, in memory that threads share. Addresses are words of 32 bits. */
export interface RangeMemory {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly width: number;
}

export interface RangeSet {
  /** After overlapping ranges were merged. */
  readonly size: number;
  has(address: Uint8Array): boolean;
}

/** Both ends inclusive, in network order. */
export interface RangeSetBuilder {
  add(low: Uint8Array, high: Uint8Array): void;
  build(): RangeMemory;
}

/** Below 0, 0, above 0. Words of 32 bits, the highest first. */
function compare(a: Uint32Array, atA: number, b: Uint32Array, atB: number, width: number): number {
  for (let word = 0; word < width; word += 1) {
    const left = a[atA + word] as number;
    const right = b[atB + word] as number;
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

function writeWords(bytes: Uint8Array, into: Uint32Array, at: number): void {
  for (let byte = 0, word = at; byte < bytes.length; byte += 4, word += 1) {
    const high = ((bytes[byte] as number) << 8) | (bytes[byte + 1] as number);
    const low = ((bytes[byte + 2] as number) << 8) | (bytes[byte + 3] as number);
    into[word] = (high << 16) | low;
  }
}

/** One stable pass of the radix sort, by byte `digit`. */
function sortedByDigit(
  order: Uint32Array<ArrayBuffer>,
  addresses: Uint32Array,
  width: number,
  digit: number,
): Uint32Array<ArrayBuffer> {
  const word = digit >>> 2;
  const shift = 24 - (digit & 3) * 8;
  const digitOf = (index: number) => ((addresses[index * width + word] as number) >>> shift) & 255;
  const ends = new Uint32Array(257);
  for (const index of order) {
    const slot = digitOf(index) + 1;
    ends[slot] = (ends[slot] as number) + 1;
  }
  if (ends.includes(order.length, 1)) return order;
  for (let slot = 1; slot < 257; slot += 1) ends[slot] = (ends[slot] as number) + (ends[slot - 1] as number);
  const sorted = new Uint32Array(order.length);
  for (const index of order) {
    const slot = digitOf(index);
    const place = ends[slot] as number;
    sorted[place] = index;
    ends[slot] = place + 1;
  }
  return sorted;
}

function orderOf(addresses: Uint32Array, width: number): Uint32Array {
  let order = Uint32Array.from({ length: addresses.length / width }, (_, index) => index);
  for (let digit = width * 4 - 1; digit >= 0; digit -= 1)
    order = sortedByDigit(order, addresses, width, digit);
  return order;
}

/** Sorts and merges, so that only the last range that begins at or before an address can hold it. */
function merged(lows: Uint32Array, highs: Uint32Array, width: number): RangeMemory {
  const starts = new Uint32Array(lows.length);
  const ends = new Uint32Array(lows.length);
  let used = 0;
  for (const index of orderOf(lows, width)) {
    const at = index * width;
    const last = used - width;
    if (used > 0 && compare(lows, at, ends, last, width) <= 0) {
      if (compare(highs, at, ends, last, width) > 0) ends.set(highs.subarray(at, at + width), last);
      continue;
    }
    starts.set(lows.subarray(at, at + width), used);
    ends.set(highs.subarray(at, at + width), used);
    used += width;
  }
  return { starts: sharedWords(starts.subarray(0, used)), ends: sharedWords(ends.subarray(0, used)), width };
}

function doubled(words: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(words.length * 2);
  more.set(words);
  return more;
}

export function createRangeSetBuilder(bytes: 4 | 16): RangeSetBuilder {
  const width = bytes / 4;
  let lows = new Uint32Array(16 * width);
  let highs = new Uint32Array(16 * width);
  let used = 0;
  return {
    add(low, high) {
      if (used === lows.length) {
        lows = doubled(lows);
        highs = doubled(highs);
      }
      writeWords(low, lows, used);
      writeWords(high, highs, used);
      used += width;
    },
    build: () => merged(lows.subarray(0, used), highs.subarray(0, used), width),
  };
}

/** The index of the first sorted address in `from`…`to` above the address; `to` if there is none. */
function countUpTo(starts: Uint32Array, from: number, to: number, address: Uint32Array): number {
  const width = address.length;
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(starts, middle * width, address, 0, width) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Samples are searched first: they fit the processor's cache and leave few other starts to read. */
const sampleEvery = 64;

function samplesOf(starts: Uint32Array, width: number): Uint32Array {
  const samples = new Uint32Array(Math.ceil(starts.length / width / sampleEvery) * width);
  for (let at = 0; at < samples.length; at += width) {
    samples.set(starts.subarray(at * sampleEvery, at * sampleEvery + width), at);
  }
  return samples;
}

export function rangeSetOn({ starts, ends, width }: RangeMemory): RangeSet {
  const size = starts.length / width;
  const samples = samplesOf(starts, width);
  const address = new Uint32Array(width);
  return {
    size,
    has(bytes) {
      writeWords(bytes, address, 0);
      const block = countUpTo(samples, 0, samples.length / width, address) * sampleEvery;
      if (block === 0) return false;
      const found = countUpTo(starts, block - sampleEvery, Math.min(block, size), address) - 1;
      return compare(address, 0, ends, found * width, width) <= 0;
    },
  };
}
