import { httpUrl } from '../../protocols/http-url.ts';
import { popUrl } from '../../protocols/openrtb/pop-markup.ts';
import type { Auction, Ranked } from './auction.ts';
import { filledMarkup } from './filled-markup.ts';

/** The URL that a ranked pop leads to, fit for a `Location` header; undefined where it has none. */
export function popLanding(auction: Auction, ranked: Ranked): string | undefined {
  return httpUrl(popUrl(filledMarkup(auction, ranked)) ?? '');
}
