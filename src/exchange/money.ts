/**
 * Money in the exchange is counted in integers. A price is a CPM in micro-USD (`…CpmMicros`: 2.5 USD CPM is 2,500,000).
 * One impression at that CPM costs a thousandth of it, which is the same number read as nano-USD (`…Nanos`), so nothing
 * is ever rounded before a report.
 */
export type CpmMicros = number;

/** An amount in nano-USD: 1,000,000,000 is one USD. */
export type Nanos = number;

const microsPerUsd = 1_000_000;
export const nanosPerUsd = 1_000_000_000;

/** A CPM in USD as integer micro-USD, rounded to the nearest. */
export function cpmMicrosOf(cpmUsd: number): CpmMicros {
  return Math.round(cpmUsd * microsPerUsd);
}

/**
 * A floor in USD CPM as integer micro-USD, rounded up, so that a price at the floor is never below what was asked for.
 */
export function floorMicrosOf(cpmUsd: number): CpmMicros {
  const nearest = cpmMicrosOf(cpmUsd);
  return cpmUsdOf(nearest) < cpmUsd ? nearest + 1 : nearest;
}

/**
 * A bid in USD for so many impressions, as integer micro-USD of CPM, rounded down, so that nobody pays more than was
 * bid.
 */
export function bidMicrosOf(usd: number, impressions: number): CpmMicros {
  const microsPerUsdBid = nanosPerUsd / impressions;
  const nearest = Math.round(usd * microsPerUsdBid);
  return nearest / microsPerUsdBid > usd ? nearest - 1 : nearest;
}

/** Integer micro-USD of CPM as USD. */
export function cpmUsdOf(cpmMicros: CpmMicros): number {
  return cpmMicros / microsPerUsd;
}

const millionths = 1_000_000;

/** A multiplier (OpenRTB 2.6 section 3.2.31) as a whole number of millionths, at least one of them. */
export function millionthsOf(multiplier: number): number {
  return Math.max(1, Math.round(multiplier * millionths));
}

/**
 * What one showing of an ad costs at a CPM, if it counts for so many millionths of an impression; rounded down, so that
 * nobody pays more than was bid.
 */
export function impressionNanos(cpmMicros: CpmMicros, multiplierMillionths: number): Nanos {
  return Math.min(Math.floor(cpmMicros * (multiplierMillionths / millionths)), Number.MAX_SAFE_INTEGER);
}

export function usdOf(nanos: Nanos): number {
  return nanos / nanosPerUsd;
}

/** An amount in USD (a daily limit) as nano-USD. */
export function nanosOf(usd: number): Nanos {
  return Math.round(usd * nanosPerUsd);
}
