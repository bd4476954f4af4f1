import type { Bid } from './demand-kind.ts';

/** The seat of a bid in our own answers: the one that the bidder names, else the advertiser's ID. */
export function seatOf({ seat, demand }: Bid): string {
  return seat || String(demand.account.id);
}
