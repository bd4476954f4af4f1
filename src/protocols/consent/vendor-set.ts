import { bitAt, numberAt } from './bits.ts';

const countWidth = 12;
const vendorWidth = 16;
const vendorsEnd = 2 ** vendorWidth;

/** Ranges of vendor IDs as a string encodes them. */
export interface EncodedRanges {
  /** The place of the first bit behind them. */
  readonly end: number;
  /** Each as first * 65,536 + last. */
  readonly read: () => number[];
}

/** Undefined if the ranges do not end within so many bits, or are of another encoding. */
export type RangeReader = (
  text: string,
  at: number,
  bits: number,
  last?: number,
) => EncodedRanges | undefined;

function readFixed(text: string, at: number, count: number): number[] {
  const ranges: number[] = [];
  let place = at;
  for (let done = 0; done < count; done += 1) {
    const first = numberAt(text, place + 1, vendorWidth);
    const isSingle = bitAt(text, place) === 0;
    const last = isSingle ? first : numberAt(text, place + 1 + vendorWidth, vendorWidth);
    ranges.push(first * vendorsEnd + last);
    place += isSingle ? 1 + vendorWidth : 1 + 2 * vendorWidth;
  }
  return ranges;
}

/** Numbers of 16 bits: only their places are looked at before somebody asks for them. */
export const fixedRanges: RangeReader = (text, at, bits) => {
  const count = numberAt(text, at, countWidth);
  const first = at + countWidth;
  let end = first;
  for (let done = 0; done < count && end < bits; done += 1) {
    end += bitAt(text, end) === 0 ? 1 + vendorWidth : 1 + 2 * vendorWidth;
  }
  const isWhole = end <= bits && (count === 0 || bits - first >= count * (1 + vendorWidth));
  return isWhole ? { end, read: () => readFixed(text, first, count) } : undefined;
};

/** Fibonacci numbers that make up all IDs below 65,536. */
const fibonacci = [
  1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, 2584, 4181, 6765, 10_946,
];
fibonacci.push(17_711, 28_657, 46_368);

/** Ranges whose numbers are Fibonacci codes of the distance from the number before (GPP, "Range (Fibonacci)"). */
export const fibonacciRanges: RangeReader = (text, at, bits, lastExpected) => {
  const count = numberAt(text, at, countWidth);
  const ranges: number[] = [];
  let place = at + countWidth;
  let id = 0;
  /** Adds the number at the place; whether there is one. */
  const advance = (): boolean => {
    let isBefore = false;
    for (const value of fibonacci) {
      const isSet = bitAt(text, place) === 1;
      place += 1;
      if (isSet && isBefore) return place <= bits && id < vendorsEnd;
      if (isSet) id += value;
      isBefore = isSet;
    }
    place += 1;
    return isBefore && bitAt(text, place - 1) === 1 && place <= bits && id < vendorsEnd;
  };
  for (let done = 0; done < count; done += 1) {
    const isRange = bitAt(text, place) === 1;
    place += 1;
    if (!advance()) return undefined;
    const first = id;
    if (isRange && !advance()) return undefined;
    ranges.push(first * vendorsEnd + id);
  }
  const isExpected = lastExpected === undefined || lastExpected === id;
  return place <= bits && isExpected ? { end: place, read: () => ranges } : undefined;
};

export type HasVendor = (vendor: number) => boolean;

function createSearch(ranges: number[]): HasVendor {
  const count = ranges.length;
  if (ranges.some((range, at) => at > 0 && range < (ranges[at - 1] ?? 0)))
    ranges.sort((one, other) => one - other);
  const firsts = new Uint16Array(count);
  /** The highest ID of all ranges up to this one: ranges may overlap. */
  const lasts = new Uint16Array(count);
  let highest = 0;
  for (let at = 0; at < count; at += 1) {
    const range = ranges[at] ?? 0;
    highest = Math.max(highest, range % vendorsEnd);
    firsts[at] = range / vendorsEnd;
    lasts[at] = highest;
  }
  return (vendor) => {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((firsts[middle] ?? 0) <= vendor) low = middle + 1;
      else high = middle;
    }
    return low > 0 && (lasts[low - 1] ?? 0) >= vendor;
  };
}

/** Vendors that a string names. */
export interface VendorSet {
  readonly has: HasVendor;
  /** The place of the first bit behind it. */
  readonly end: number;
}

/** Undefined if the set does not end within so many bits. */
export type SetReader = (text: string, at: number, bits: number) => VendorSet | undefined;

function setOf({ end, read }: EncodedRanges): VendorSet {
  let has: HasVendor | undefined;
  return {
    end,
    has(vendor) {
      has ??= createSearch(read());
      return has(vendor);
    },
  };
}

/** Ranges alone. */
export const rangeSets =
  (readRanges: RangeReader): SetReader =>
  (text, at, bits) => {
    const ranges = readRanges(text, at, bits);
    return ranges && setOf(ranges);
  };

/** The highest ID, then a bit for each ID or ranges. */
export const vendorSets =
  (readRanges: RangeReader): SetReader =>
  (text, at, bits) => {
    const last = numberAt(text, at, vendorWidth);
    const first = at + vendorWidth + 1;
    if (bitAt(text, first - 1) === 1) {
      const ranges = readRanges(text, first, bits, last);
      return ranges && setOf(ranges);
    }
    const end = first + last;
    const has: HasVendor = (vendor) => vendor >= 1 && vendor <= last && bitAt(text, first + vendor - 1) === 1;
    return end <= bits ? { end, has } : undefined;
  };
