import type { CpmMicros } from '../money.ts';
import { clear, type Terms } from './clear.ts';

/** What a bid needs for it. */
type Priced = Parameters<typeof clear>[0];

/**
 * What the winner brings, and the bid behind it: the winner its clearing price, the other what that is higher for its
 * sake.
 */
export function broughtBy(
  winner: Priced,
  [second, third]: readonly Priced[],
  terms: Terms,
): { readonly winner: CpmMicros; readonly second: CpmMicros } {
  const { clearingCpmMicros } = clear(winner, second, terms);
  const without = second ? clear(winner, third, terms).clearingCpmMicros : clearingCpmMicros;
  return { winner: clearingCpmMicros, second: clearingCpmMicros - without };
}
