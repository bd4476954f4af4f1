import type { Bid } from './demand-kind.ts';

/** The seat on whose behalf a bid is made, as we answer it: the bidder's own name for it, else the advertiser's ID. */
export function seatOf({ seat, demand }: Bid): string {
  return seat || String(demand.account.id);
}
