import { isOut, type Step } from './auction.ts';
import { judgeUnreadBid } from './judge.ts';
import { refuseBid } from './refuse-bid.ts';

/**
 * Checks each bid against the rules for bids, and counts those that pass in their demand's limit of bids. The rules on
 * VAST markup that is not read yet wait for the next step, which reads it only for bids that are not outbid.
 */
export const judgeBids: Step = (auction) => {
  const { supply, opportunity, candidates, services } = auction;
  for (const candidate of candidates) {
    const { bid, demand, refusals } = candidate;
    // An explanation also tells whether a bid that has yet to come would be one too many.
    if (!bid && !refusals) continue;
    const refusal = bid && judgeUnreadBid(supply, bid, opportunity, candidate);
    if (refusal && refuseBid(auction, candidate, refusal) === undefined) continue;
    candidate.isBidTaken = !isOut(candidate, services.limits.takeBid(demand, opportunity.timeMs));
  }
  return undefined;
};
