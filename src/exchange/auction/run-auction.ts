import type { Opportunity } from '../opportunity.ts';
import type { Supply } from '../snapshot/supply.ts';
import { admit } from './admit.ts';
import type { Auction, AuctionServices, Step } from './auction.ts';
import { judgeBids } from './judge-bids.ts';
import { select } from './select.ts';
import { settle } from './settle.ts';
import { solicit } from './solicit.ts';
import { throttle } from './throttle.ts';

/** The auction, as delivery tells it: each step fills in its part, or ends it with a named reason. */
const steps: readonly Step[] = [admit, select, throttle, solicit, judgeBids, settle];

/** An auction that has not begun. */
export function newAuction(supply: Supply, opportunity: Opportunity, services: AuctionServices): Auction {
  return { supply, opportunity, services, candidates: [], ranking: [], promised: [], refusal: undefined };
}

/** Runs an auction for an authenticated supply object. Never rejects for anything that a request or demand does. */
export async function runAuction(
  supply: Supply,
  opportunity: Opportunity,
  services: AuctionServices,
): Promise<Auction> {
  const auction = newAuction(supply, opportunity, services);
  for (const step of steps) {
    const pending = step(auction);
    // A step that needs not wait costs no turn of the event loop.
    auction.refusal = pending instanceof Promise ? await pending : pending;
    if (auction.refusal) break;
  }
  return auction;
}
