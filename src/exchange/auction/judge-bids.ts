import { isUnread } from '../demand/bid-vast.ts';
import type { Step } from './auction.ts';
import { judge, judgeDeclared } from './judge.ts';

/**
 * Checks each bid against the rules for bids, and counts those that pass in their demand's limit of bids. The rules on
 * VAST markup that is not read yet wait for the next step, which reads it only for bids that are not outbid.
 */
export const judgeBids: Step = ({ supply, opportunity, candidates, services }) => {
  for (const candidate of candidates) {
    const { bid, demand } = candidate;
    if (!bid) continue;
    const judgeNow = isUnread(bid) ? judgeDeclared : judge;
    candidate.refusal =
      judgeNow(supply, bid, opportunity) ?? services.limits.takeBid(demand, opportunity.timeMs);
    candidate.isBidTaken = candidate.refusal === undefined;
  }
  return undefined;
};
