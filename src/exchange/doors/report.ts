import type { Auction } from '../auction/auction.ts';
import { count, notify } from '../auction/report-auction.ts';
import { withdraw } from '../auction/withdraw.ts';
import type { Refusal } from '../reasons.ts';
import type { DoorContext } from './door.ts';

/**
 * What nobody waits for once an auction was answered: counts, notices, the sample for explanations. `withheld` says why
 * its ads were given to nobody.
 */
export function report(auction: Auction, context: DoorContext, withheld: Refusal | undefined): void {
  if (withheld) withdraw(auction, withheld);
  count(auction, context.reports);
  notify(auction);
  context.onAuction(auction);
}
