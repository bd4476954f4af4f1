import type { Auction } from '../auction/auction.ts';
import { countAuction, sendNotices } from '../auction/report-auction.ts';
import { withdraw } from '../auction/withdraw.ts';
import type { Refusal } from '../reasons.ts';
import type { DeliveryContext } from './delivery-endpoint.ts';

/** What can wait until the auction is answered. `withheld`: why nobody got its ads. */
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
