import type { Auction } from '../auction/auction.ts';
import { count, notify } from '../auction/report-auction.ts';
import type { DoorContext } from './door.ts';

/** What nobody waits for once an auction was answered: counts, notices, the sample for explanations. */
export function report(auction: Auction, context: DoorContext): void {
  count(auction, context.reports);
  notify(auction);
  context.onAuction(auction);
}
