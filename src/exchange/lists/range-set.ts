/** A set of ranges of addresses of one length. */
export interface RangeSet {
  /** How many ranges are left after those that overlap have become one. */
  readonly size: number;
  has(address: Uint8Array): boolean;
}

/** Collects ranges, both ends inclusive, in network order. */
export interface RangeSetBuilder {
  add(low: Uint8Array, high: Uint8Array): void;
  build(): RangeSet;
}

/** Which of two addresses comes first: below 0, 0, above 0. */
function compare(a: Uint8Array, atA: number, b: Uint8Array, atB: number, width: number): number {
  for (let byte = 0; byte < width; byte += 1) {
    const difference = (a[atA + byte] ?? 0) - (b[atB + byte] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** One pass of the radix sort: `order` by the byte `digit` of the addresses, stable. */
function sortedByDigit(
  order: Uint32Array<ArrayBuffer>,
  addresses: Uint8Array,
  width: number,
  digit: number,
): Uint32Array<ArrayBuffer> {
  const ends = new Uint32Array(257);
  for (const index of order) {
    const slot = (addresses[index * width + digit] ?? 0) + 1;
    ends[slot] = (ends[slot] ?? 0) + 1;
  }
  if (ends.includes(order.length, 1)) return order;
  for (let slot = 1; slot < 257; slot += 1) ends[slot] = (ends[slot] ?? 0) + (ends[slot - 1] ?? 0);
  const sorted = new Uint32Array(order.length);
  for (const index of order) {
    const slot = addresses[index * width + digit] ?? 0;
    const place = ends[slot] ?? 0;
    sorted[place] = index;
    ends[slot] = place + 1;
  }
  return sorted;
}

/** The indexes of the addresses in their order. */
function orderOf(addresses: Uint8Array, width: number): Uint32Array {
  let order = Uint32Array.from({ length: addresses.length / width }, (_, index) => index);
  for (let digit = width - 1; digit >= 0; digit -= 1) order = sortedByDigit(order, addresses, width, digit);
  return order;
}

/** Sorted, and those that overlap made one, so that one look behind finds the only range that may hold an address. */
function merged(lows: Uint8Array, highs: Uint8Array, width: number) {
  const starts = new Uint8Array(lows.length);
  const ends = new Uint8Array(lows.length);
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
  return { starts: starts.slice(0, used), ends: ends.slice(0, used) };
}

/** An empty builder for addresses of `width` bytes: 4 or 16. */
export function createRangeSetBuilder(width: 4 | 16): RangeSetBuilder {
  let lows = new Uint8Array(16 * width);
  let highs = new Uint8Array(16 * width);
  let used = 0;
  const grow = () => {
    const [oldLows, oldHighs] = [lows, highs];
    lows = new Uint8Array(oldLows.length * 2);
    lows.set(oldLows);
    highs = new Uint8Array(oldHighs.length * 2);
    highs.set(oldHighs);
  };
  return {
    add(low, high) {
      if (used === lows.length) grow();
      lows.set(low, used);
      highs.set(high, used);
      used += width;
    },
    build: () => rangeSet(merged(lows.subarray(0, used), highs.subarray(0, used), width), width),
  };
}

function rangeSet({ starts, ends }: { starts: Uint8Array; ends: Uint8Array }, width: number): RangeSet {
  const size = starts.length / width;
  return {
    size,
    has(address) {
      let low = 0;
      let high = size;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (compare(starts, middle * width, address, 0, width) <= 0) low = middle + 1;
        else high = middle;
      }
      return low > 0 && compare(address, 0, ends, (low - 1) * width, width) <= 0;
    },
  };
}
