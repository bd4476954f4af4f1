import { bidMicrosOf, type CpmMicros } from '../money.ts';

/** The highest CPM of any field (reference, "Values"); a bidder's higher price counts as a mistake. */
export const cpmUsdMax = 1_000_000;

/** The CPM of a USD price for `impressions`; undefined if it is no number, not above 0, or above `cpmUsdMax`. */
export function bidPrice(usd: number, impressions = 1000): CpmMicros | undefined {
  if (!(usd > 0 && (usd * 1000) / impressions <= cpmUsdMax)) return;
  const micros = bidMicrosOf(usd, impressions);
  return micros > 0 ? micros : undefined;
}
