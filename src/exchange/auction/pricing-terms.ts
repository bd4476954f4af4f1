import { dealTerms } from '../deal-terms.ts';
import { ownAuctionType } from '../demand/own-auction-type.ts';
import type { Auction } from './auction.ts';
import type { PricingTerms } from './clear.ts';
import type { Contender } from './contenders.ts';
import { floorFor } from './floor-for.ts';

export function pricingTerms(
  { supply, opportunity }: Auction,
  { candidate, bid }: Pick<Contender, 'candidate' | 'bid'>,
): PricingTerms {
  const { floorCpmMicros, guaranteedCpmMicros } = floorFor(bid, opportunity);
  return {
    auctionType:
      (bid.deal && dealTerms(bid.deal.deal).auctionType) ??
      ownAuctionType(candidate.demand) ??
      opportunity.auctionType ??
      supply.auctionType,
    floorCpmMicros,
    guaranteedCpmMicros,
    publisherProfitShare: supply.publisherProfitShare,
    deal: bid.deal,
  };
}
