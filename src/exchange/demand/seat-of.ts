import type { Bid } from './demand-kind.ts';

/** The bidder's own, else the advertiser's ID. */
export function seatOf({ seat, demand }: Bid): string {
  return seat || String(demand.account.id);
}
