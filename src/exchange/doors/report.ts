import type { Auction } from '../auction/auction.ts';
import { count, notify } from '../auction/report-auction.ts';
import { withdraw } from '../auction/withdraw.ts';
import type { Refusal } from '../reasons.ts';
import type { DoorContext } from './door.ts';

/**
 * Does what can wait until an auction was answered: counts, notices, the sample for explanations. `withheld` says why
 * nobody got the auction's ads; undefined if they were sent.
 */
export function report(auction: Auction, context: DoorContext, withheld: Refusal | undefined): void {
  if (withheld) withdraw(auction, withheld);
  count(auction, context.reports);
  notify(auction);
  context.onAuction(auction);
}
