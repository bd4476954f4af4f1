import type { Opportunity } from '../opportunity.ts';
import type { Refusal } from '../reasons.ts';
import type { Supply } from '../snapshot/supply.ts';
import { admit } from './admit.ts';
import type { Auction, AuctionServices, RereadRequest, Step } from './auction.ts';
import { judgeBids } from './judge-bids.ts';
import { select } from './select.ts';
import { settle } from './settle.ts';
import { solicit } from './solicit.ts';
import { throttle } from './throttle.ts';
import { weigh } from './weigh.ts';

/** The steps of the auction: each fills in its part, or ends the auction with a named reason. */
export const steps: readonly Step[] = [admit, select, weigh, throttle, solicit, judgeBids, settle];

/** An auction that has not begun; `refusals` collects every reason against the request, for an explanation. */
export function newAuction(
  supply: Supply,
  opportunity: Opportunity,
  services: AuctionServices,
  rereadRequest: RereadRequest = () => opportunity,
  refusals?: Refusal[],
): Auction {
  return {
    supply,
    opportunity,
    services,
    rereadRequest,
    candidates: [],
    ranking: [],
    isMeasured: false,
    promises: new Map(),
    refusal: undefined,
    refusals,
  };
}

/** Runs an auction for an authenticated supply object. Never rejects for anything that a request or demand does. */
export async function runAuction(
  supply: Supply,
  opportunity: Opportunity,
  services: AuctionServices,
  rereadRequest?: RereadRequest,
): Promise<Auction> {
  const auction = newAuction(supply, opportunity, services, rereadRequest);
  for (const step of steps) {
    const pending = step(auction);
    // Only a promise is awaited, so that a step with nothing to wait for costs no turn of the event loop.
    auction.refusal = pending instanceof Promise ? await pending : pending;
    if (auction.refusal) break;
  }
  return auction;
}
