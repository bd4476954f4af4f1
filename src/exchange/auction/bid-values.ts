import type { CpmMicros } from '../money.ts';
import { clearingPrices, type PricingTerms } from './clear.ts';

type PricedBid = Parameters<typeof clearingPrices>[0];

/** What the winner brings (its clearing price), and the bid behind it (by how much it raised that price). */
export function bidValues(
  winner: PricedBid,
  [second, third]: readonly PricedBid[],
  terms: PricingTerms,
): { readonly winner: CpmMicros; readonly second: CpmMicros } {
  const { clearingCpmMicros } = clearingPrices(winner, second, terms);
  const without = second ? clearingPrices(winner, third, terms).clearingCpmMicros : clearingCpmMicros;
  return { winner: clearingCpmMicros, second: clearingCpmMicros - without };
}
