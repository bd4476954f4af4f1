import { isUnread } from '../demand/bid-vast.ts';
import { isOut, type Step } from './auction.ts';
import { judge, judgeDeclared } from './judge.ts';

/**
 * Checks each bid against the rules for bids, and counts those that pass in their demand's limit of bids. The rules on
 * VAST markup that is not read yet wait for the next step, which reads it only for bids that are not outbid.
 */
export const judgeBids: Step = ({ supply, opportunity, candidates, services }) => {
  for (const candidate of candidates) {
    const { bid, demand, refusals } = candidate;
    // An explanation also tells whether a bid that has yet to come would be one too many.
    if (!bid && !refusals) continue;
    const judgeNow = bid && isUnread(bid) ? judgeDeclared : judge;
    if (bid && judgeNow(supply, bid, opportunity, candidate)) continue;
    candidate.isBidTaken = !isOut(candidate, services.limits.takeBid(demand, opportunity.timeMs));
  }
  return undefined;
};
