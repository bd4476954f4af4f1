import type { Step } from './auction.ts';
import { judge } from './judge.ts';

/** Holds each bid against the rules for bids, and counts those that pass into their demand's limit of bids. */
export const judgeBids: Step = ({ supply, opportunity, candidates, services }) => {
  for (const candidate of candidates) {
    const { bid, demand } = candidate;
    if (!bid) continue;
    candidate.refusal =
      judge(supply, bid, opportunity) ?? services.limits.takeBid(demand, opportunity.timeMs);
  }
  return undefined;
};
