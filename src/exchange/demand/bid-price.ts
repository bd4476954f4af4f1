import { bidMicrosOf, type CpmMicros } from '../money.ts';

/** The highest CPM that any field takes (decisions, "Values"): beyond it a bidder's price is a mistake. */
export const cpmUsdMax = 1_000_000;

/**
 * A price that a bidder named, in USD for so many impressions (1000: a CPM); undefined where it is none: not a number,
 * not above 0, or absurd.
 */
export function bidPrice(usd: number, impressions = 1000): CpmMicros | undefined {
  if (!(usd > 0 && (usd * 1000) / impressions <= cpmUsdMax)) return;
  const micros = bidMicrosOf(usd, impressions);
  return micros > 0 ? micros : undefined;
}
