import type { CpmMicros } from '../money.ts';
import { clearingPrices, type PricingTerms } from './clear.ts';

type PricedBid = Parameters<typeof clearingPrices>[0];

/**
 * What the winner brings, and the bid behind it: the winner its clearing price, the other what that is higher for its
 * sake.
 */
export function bidValues(
  winner: PricedBid,
  [second, third]: readonly PricedBid[],
  terms: PricingTerms,
): { readonly winner: CpmMicros; readonly second: CpmMicros } {
  const { clearingCpmMicros } = clearingPrices(winner, second, terms);
  const without = second ? clearingPrices(winner, third, terms).clearingCpmMicros : clearingCpmMicros;
  return { winner: clearingCpmMicros, second: clearingCpmMicros - without };
}
