import { bidMicrosOf, type CpmMicros } from '../money.ts';

/** The highest CPM that any field takes (reference, "Values"). A bidder's higher price counts as a mistake. */
export const cpmUsdMax = 1_000_000;

/**
 * A bidder's price in USD for so many `impressions` (1000: a CPM) as a CPM; undefined if it is not a number, not above
 * 0, or above `cpmUsdMax`.
 */
export function bidPrice(usd: number, impressions = 1000): CpmMicros | undefined {
  if (!(usd > 0 && (usd * 1000) / impressions <= cpmUsdMax)) return;
  const micros = bidMicrosOf(usd, impressions);
  return micros > 0 ? micros : undefined;
}
