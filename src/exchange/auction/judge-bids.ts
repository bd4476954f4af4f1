import type { Step } from './auction.ts';
import { judgeTold } from './judge.ts';

/**
 * Holds what each bid tells against the rules for bids, and counts those that pass into their demand's limit of bids.
 * Their markup is read in the next step, of those alone that are not outbid.
 */
export const judgeBids: Step = ({ supply, opportunity, candidates, services }) => {
  for (const candidate of candidates) {
    const { bid, demand } = candidate;
    if (!bid) continue;
    candidate.refusal =
      judgeTold(supply, bid, opportunity) ?? services.limits.takeBid(demand, opportunity.timeMs);
  }
  return undefined;
};
