/**
 * A price: a CPM in integer micro-USD. One impression costs a thousandth of it, the same number in nano-USD, so nothing
 * is rounded before a report.
 */
export type CpmMicros = number;

/** 1,000,000,000 is one USD. */
export type Nanos = number;

const microsPerUsd = 1_000_000;
export const nanosPerUsd = 1_000_000_000;

/** Rounds to the nearest. */
export function cpmMicrosOf(cpmUsd: number): CpmMicros {
  return Math.round(cpmUsd * microsPerUsd);
}

/** Rounds up, so that a price at the floor is never below what was asked. */
export function floorMicrosOf(cpmUsd: number): CpmMicros {
  const nearest = cpmMicrosOf(cpmUsd);
  return cpmUsdOf(nearest) < cpmUsd ? nearest + 1 : nearest;
}

/** Rounds down, so that nobody pays more than was bid. */
export function bidMicrosOf(usd: number, impressions: number): CpmMicros {
  const microsPerUsdBid = nanosPerUsd / impressions;
  const nearest = Math.round(usd * microsPerUsdBid);
  return nearest / microsPerUsdBid > usd ? nearest - 1 : nearest;
}

export function cpmUsdOf(cpmMicros: CpmMicros): number {
  return cpmMicros / microsPerUsd;
}

const millionths = 1_000_000;

/** OpenRTB 2.6 section 3.2.31; at least one millionth. */
export function millionthsOf(multiplier: number): number {
  return Math.max(1, Math.round(multiplier * millionths));
}

/** The cost of one showing; rounded down, so that nobody pays more than was bid. */
export function impressionNanos(cpmMicros: CpmMicros, multiplierMillionths: number): Nanos {
  return Math.min(Math.floor(cpmMicros * (multiplierMillionths / millionths)), Number.MAX_SAFE_INTEGER);
}

export function usdOf(nanos: Nanos): number {
  return nanos / nanosPerUsd;
}

export function nanosOf(usd: number): Nanos {
  return Math.round(usd * nanosPerUsd);
}
