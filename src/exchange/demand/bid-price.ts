import { type ForeignCurrency, foreignMicros } from '../currency.ts';
import { bidMicrosOf, type CpmMicros } from '../money.ts';
import type { Bid } from './demand-kind.ts';

/** The highest CPM of any field (reference, "Values"); a bidder's higher price counts as a mistake. */
export const cpmUsdMax = 1_000_000;

/** The CPM of a USD price for `impressions`; undefined if it is no number, not above 0, or above `cpmUsdMax`. */
function bidPrice(usd: number, impressions = 1000): CpmMicros | undefined {
  if (!(usd > 0 && (usd * 1000) / impressions <= cpmUsdMax)) return;
  const micros = bidMicrosOf(usd, impressions);
  return micros > 0 ? micros : undefined;
}

/** Like `bidPrice`, of an amount in `foreign`; undefined = USD. */
export function priceIn(
  amount: number,
  foreign: ForeignCurrency | undefined,
  impressions = 1000,
): Pick<Bid, 'priceCpmMicros' | 'foreign'> | undefined {
  if (foreign === undefined) {
    const priceCpmMicros = bidPrice(amount, impressions);
    return priceCpmMicros === undefined ? undefined : { priceCpmMicros };
  }
  // Exact where the price is already for 1,000.
  const cpm = amount * (1000 / impressions);
  const priceCpmMicros = foreignMicros(cpm, foreign);
  const isPrice = priceCpmMicros > 0 && cpm * foreign.usdPerUnit <= cpmUsdMax;
  return isPrice ? { priceCpmMicros, foreign: { ...foreign, cpm } } : undefined;
}
