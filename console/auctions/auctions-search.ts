import { readObject } from '../funnel/funnel-search.ts';
import { textOf } from '../parts/address-values.ts';

/** What the address of the auctions says: objects as `VastTag:1`. */
export interface AuctionsSearch {
  readonly supply?: string | undefined;
  readonly demand?: string | undefined;
  /** Why the request, or a demand object, was refused. */
  readonly reason?: string | undefined;
  /** Of which of the two: `request` or `demand`; both where it is not said. */
  readonly refused?: 'request' | 'demand' | undefined;
  /** ID of the auction that is looked at. */
  readonly auction?: string | undefined;
}

/** What an address says, as far as it says something. */
export const readAuctionsSearch = (sent: Readonly<Record<string, unknown>>): AuctionsSearch => ({
  supply: readObject(sent.supply, 'supply'),
  demand: readObject(sent.demand, 'demand'),
  reason: textOf(sent.reason),
  auction: textOf(sent.auction),
  refused: sent.refused === 'request' || sent.refused === 'demand' ? sent.refused : undefined,
});
