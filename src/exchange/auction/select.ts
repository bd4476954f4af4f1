import { refuse } from '../reasons.ts';
import type { Demand } from '../snapshot/demand.ts';
import { type Auction, type Candidate, isOut, newCandidate, type Step } from './auction.ts';

/** A connected object in an explanation, with all that targeting has against it. */
function examined({ supply, opportunity }: Auction, demand: Demand): Candidate {
  const candidate = newCandidate(demand, []);
  for (const refusal of supply.candidates.refusals(demand, opportunity)) isOut(candidate, refusal);
  return candidate;
}

/** Finds the connected, active demand whose every targeting rule matches; for an explanation, all that is connected.
 * Whom targeting refuses is counted here: what it knows of others' publications may be another a moment later. */
export const select: Step = (auction) => {
  const { supply, opportunity, services, refusals } = auction;
  const refused = refusals ? undefined : services.targetingRefusals?.of(supply, opportunity.timeMs);
  auction.candidates = refusals
    ? supply.candidates.connected.map((demand) => examined(auction, demand))
    : supply.candidates.select(opportunity, refused).map((demand) => newCandidate(demand));
  return auction.candidates.length > 0 ? undefined : refuse('no_demand');
};
