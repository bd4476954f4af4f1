import { fillMacros } from '../../protocols/openrtb/macros.ts';
import { auctionMacros } from '../demand/auction-macros.ts';
import type { Auction, RankedBid } from './auction.ts';

/** A ranked bid's markup with its `${AUCTION_…}` macros filled (OpenRTB 2.6 §4.4). */
export function filledMarkup(
  { opportunity }: Auction,
  { bid, markup, clearingCpmMicros }: RankedBid,
): string {
  return fillMacros(markup, auctionMacros(opportunity.auctionId, bid, { clearingCpmMicros }));
}
