import { httpUrl } from '../../protocols/http-url.ts';
import { popUrl } from '../../protocols/openrtb/pop-markup.ts';
import type { Auction, RankedBid } from './auction.ts';
import { filledMarkup } from './filled-markup.ts';

/** Fit for a `Location` header; undefined without a URL. */
export function popLanding(auction: Auction, ranked: RankedBid): string | undefined {
  return httpUrl(popUrl(filledMarkup(auction, ranked)) ?? '');
}
