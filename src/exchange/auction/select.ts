import { refuse } from '../reasons.ts';
import type { Demand } from '../snapshot/demand.ts';
import { type Auction, type Candidate, isOut, newCandidate, type Step } from './auction.ts';

function examined({ supply, opportunity }: Auction, demand: Demand): Candidate {
  const candidate = newCandidate(demand, []);
  for (const refusal of supply.candidates.refusals(demand, opportunity)) isOut(candidate, refusal);
  return candidate;
}

/**
 * Selects connected, active demand that matches. Counts refusals here, because crawl findings may change any moment. An
 * explanation takes all that is connected.
 */
export const select: Step = (auction) => {
  const { supply, opportunity, services, refusals } = auction;
  const refused = refusals ? undefined : services.targetingRefusals?.of(supply, opportunity.timeMs);
  auction.candidates = refusals
    ? supply.candidates.connected.map((demand) => examined(auction, demand))
    : supply.candidates.select(opportunity, refused).map((demand) => newCandidate(demand));
  return auction.candidates.length > 0 ? undefined : refuse('no_demand');
};
