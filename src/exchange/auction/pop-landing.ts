import { httpUrl } from '../../protocols/http-url.ts';
import { popUrl } from '../../protocols/openrtb/pop-markup.ts';
import type { Auction, Ranked } from './auction.ts';
import { filledMarkup } from './filled-markup.ts';

/** Where a ranked pop leads, fit for a `Location`; undefined where that is nowhere. */
export function popLanding(auction: Auction, ranked: Ranked): string | undefined {
  return httpUrl(popUrl(filledMarkup(auction, ranked)) ?? '');
}
