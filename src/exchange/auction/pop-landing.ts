import { httpUrl } from '../../protocols/http-url.ts';
import { popUrl } from '../../protocols/openrtb/pop-markup.ts';
import type { Auction, RankedBid } from './auction.ts';
import { filledMarkup } from './filled-markup.ts';

/** The URL that a ranked pop leads to, fit for a `Location` header; undefined where it has none. */
export function popLanding(auction: Auction, ranked: RankedBid): string | undefined {
  return httpUrl(popUrl(filledMarkup(auction, ranked)) ?? '');
}
