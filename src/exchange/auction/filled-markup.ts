import { fillMacros } from '../../protocols/openrtb/macros.ts';
import { auctionMacros } from '../demand/auction-macros.ts';
import type { Auction, RankedBid } from './auction.ts';

/** Fills `${AUCTION_…}` (OpenRTB 2.6 §4.4) and the macros of privacy. */
export function filledMarkup(
  { opportunity }: Auction,
  { bid, markup, clearingCpmMicros }: RankedBid,
): string {
  return fillMacros(markup, auctionMacros(opportunity, bid, { clearingCpmMicros }));
}
