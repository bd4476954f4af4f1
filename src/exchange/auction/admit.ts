import { refuse } from '../reasons.ts';
import { isOut, type Step } from './auction.ts';
import { leastCostOf } from './cost.ts';

/** Takes the request from the supply object's limits (unless its endpoint has), then checks targeting and filters. */
export const admit: Step = (auction) => {
  const { supply, opportunity, services } = auction;
  const { timeMs, refusal, impression } = opportunity;
  if (services.isOutdated?.() && isOut(auction, refuse('configuration_too_old'))) return auction.refusal;
  const isTaken = impression !== undefined;
  if (!isTaken && isOut(auction, services.limits.takeRequest(supply, timeMs))) return auction.refusal;
  if (isOut(auction, refusal)) return auction.refusal;
  for (const check of supply.checks) if (isOut(auction, check(opportunity))) return auction.refusal;
  isOut(auction, services.limits.mayReserve(supply, opportunity, leastCostOf(opportunity, supply.deals)));
  return auction.refusal;
};
