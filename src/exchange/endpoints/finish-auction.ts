import type { Auction } from '../auction/auction.ts';
import { countAuction, sendNotices } from '../auction/report-auction.ts';
import { withdraw } from '../auction/withdraw.ts';
import type { Refusal } from '../reasons.ts';
import type { DeliveryContext } from './delivery-endpoint.ts';

/**
 * Does what can wait until an auction was answered: counts, notices, the sample for explanations. `withheld` says why
 * nobody got the auction's ads; undefined if they were sent.
 */
export function finishAuction(
  auction: Auction,
  context: DeliveryContext,
  withheld: Refusal | undefined,
): void {
  if (withheld) withdraw(auction, withheld);
  countAuction(auction, context.reports);
  sendNotices(auction);
  context.onAuction(auction);
}
