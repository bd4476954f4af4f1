import type { Opportunity } from '../opportunity.ts';
import type { Refusal } from '../reasons.ts';
import type { Supply } from '../snapshot/supply.ts';
import { admit } from './admit.ts';
import type { Auction, AuctionServices, RereadRequest, Step } from './auction.ts';
import { consentOf } from './consent-of.ts';
import { judgeBids } from './judge-bids.ts';
import { matchDeals } from './match-deals.ts';
import { permit } from './permit.ts';
import { rate } from './rate.ts';
import { select } from './select.ts';
import { settle } from './settle.ts';
import { solicit } from './solicit.ts';
import { throttle } from './throttle.ts';
import { weigh } from './weigh.ts';

/** Each fills in its part, or ends the auction with a named reason. */
export const steps: readonly Step[] = [
  admit,
  select,
  permit,
  matchDeals,
  rate,
  weigh,
  throttle,
  solicit,
  judgeBids,
  settle,
];

export function newAuction(
  supply: Supply,
  opportunity: Opportunity,
  services: AuctionServices,
  rereadRequest: RereadRequest = () => opportunity,
  refusals?: Refusal[],
): Auction {
  const consent = consentOf(opportunity, supply.teamId, supply.settings.ConsentMode, services);
  return {
    supply,
    opportunity,
    services,
    rereadRequest,
    consent,
    viewer: services.hashViewer?.(opportunity, consent),
    candidates: [],
    isRuled: false,
    eligibleDeals: [],
    ranking: [],
    isMeasured: false,
    promises: new Map(),
    pod: undefined,
    refusal: undefined,
    refusals,
  };
}

/** Never rejects because of a request or demand. */
export async function runAuction(
  supply: Supply,
  opportunity: Opportunity,
  services: AuctionServices,
  rereadRequest?: RereadRequest,
): Promise<Auction> {
  const auction = newAuction(supply, opportunity, services, rereadRequest);
  for (const step of steps) {
    const pending = step(auction);
    // Awaits only promises, so that a step that need not wait costs no tick.
    auction.refusal = pending instanceof Promise ? await pending : pending;
    if (auction.refusal) break;
  }
  return auction;
}
