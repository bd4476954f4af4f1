import { isOut, promisedIn, type Step } from './auction.ts';
import { leastCostOf } from './cost.ts';

/** Checks the limits of demand: first for an ad at the floor, then takes a request. */
export const throttle: Step = (auction) => {
  const { candidates, opportunity, services } = auction;
  const { limits } = services;
  const { timeMs } = opportunity;
  const asked = promisedIn(auction);
  for (const candidate of candidates) {
    const { demand, refusal, refusals, deals } = candidate;
    if (refusal && !refusals) continue;
    if (!isOut(candidate, limits.mayReserve(demand, asked, leastCostOf(opportunity, deals)))) {
      isOut(candidate, limits.takeRequest(demand, timeMs));
    }
  }
  return undefined;
};
