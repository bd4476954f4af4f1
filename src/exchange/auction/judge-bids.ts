import { isUnread } from '../demand/bid-vast.ts';
import type { Step } from './auction.ts';
import { judge, judgeTold } from './judge.ts';

/**
 * Holds each bid against the rules for bids, and counts those that pass into their demand's limit of bids. Markup that
 * would have to be read for that waits for the next step, which reads as far as bids are not outbid.
 */
export const judgeBids: Step = ({ supply, opportunity, candidates, services }) => {
  for (const candidate of candidates) {
    const { bid, demand } = candidate;
    if (!bid) continue;
    const judgeNow = isUnread(bid) ? judgeTold : judge;
    candidate.refusal =
      judgeNow(supply, bid, opportunity) ?? services.limits.takeBid(demand, opportunity.timeMs);
    candidate.isBidTaken = candidate.refusal === undefined;
  }
  return undefined;
};
