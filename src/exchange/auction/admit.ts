import { refuseFloor } from '../currency.ts';
import { inMedium, mediaIn, withMedia } from '../media-variants.ts';
import type { Opportunity } from '../opportunity.ts';
import { refuse } from '../reasons.ts';
import type { Supply } from '../snapshot/supply.ts';
import { isOut, promisedIn, type Step } from './auction.ts';
import { leastCostOf } from './cost.ts';
import { applyFloorRules } from './floor-rules.ts';

/** Leaves out media that the supply object's own targeting refuses, unless it refuses all. */
function admittedMedia({ checks }: Supply, opportunity: Opportunity): Opportunity {
  if (!opportunity.variants) return opportunity;
  const admitted = mediaIn(opportunity).filter((media) => {
    const one = inMedium(opportunity, media);
    return checks.every((check) => check(one) === undefined);
  });
  return withMedia(opportunity, admitted);
}

/** Takes the request from the supply object's limits (unless its endpoint has), then checks targeting and filters. */
export const admit: Step = (auction) => {
  const { supply, services } = auction;
  const { timeMs, refusal, impression } = auction.opportunity;
  if (services.isOutdated?.() && isOut(auction, refuse('configuration_too_old'))) return auction.refusal;
  const isTaken = impression !== undefined;
  if (!isTaken && isOut(auction, services.limits.takeRequest(supply, timeMs))) return auction.refusal;
  if (isOut(auction, refusal)) return auction.refusal;
  const opportunity = admittedMedia(supply, auction.opportunity);
  auction.opportunity = opportunity;
  for (const check of supply.checks) if (isOut(auction, check(opportunity))) return auction.refusal;
  if (isOut(auction, refuseFloor(supply.settings, opportunity))) return auction.refusal;
  if (isOut(auction, applyFloorRules(auction))) return auction.refusal;
  // What the publisher gets under a deal is not known yet.
  const leastNanos = supply.deals ? 0 : leastCostOf(auction.opportunity);
  isOut(auction, services.limits.mayReserve(supply, promisedIn(auction), leastNanos));
  return auction.refusal;
};
