import { isOut, type Step } from './auction.ts';
import { judgeUnreadBid } from './judge.ts';
import { refuseBid } from './refuse-bid.ts';

/** VAST that is not read yet is judged in the next step, because most bids are outbid before. */
export const judgeBids: Step = (auction) => {
  const { supply, opportunity, candidates, services } = auction;
  for (const candidate of candidates) {
    const { bid, demand, refusals } = candidate;
    // An explanation also says whether a bid yet to come would exceed the limit.
    if (!bid && !refusals) continue;
    const refusal = bid && judgeUnreadBid(supply, bid, opportunity, candidate);
    if (refusal && refuseBid(auction, candidate, refusal) === undefined) continue;
    candidate.isBidTaken = !isOut(candidate, services.limits.takeBid(demand, opportunity.timeMs));
  }
  return undefined;
};
