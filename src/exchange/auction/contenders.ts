import { usualWeight } from '../../reference/priorities.ts';
import { isUnread } from '../demand/bid-vast.ts';
import type { Bid } from '../demand/demand-kind.ts';
import { type Refusal, refuse } from '../reasons.ts';
import type { Auction, Candidate } from './auction.ts';
import { type DrawnBid, insertRanked, lotOf, priorityOf, rankBids } from './clear.ts';
import { judgeMarkup } from './judge.ts';
import { refuseBid } from './refuse-bid.ts';

/** A bid that may win. If refused, its candidate moves on to its next bid. */
export interface Contender extends DrawnBid {
  readonly candidate: Candidate;
  readonly bid: Bid;
  readonly priority: number;
}

export const contenderOf = (candidate: Candidate, bid: Bid, random: () => number): Contender => ({
  candidate,
  bid,
  priceCpmMicros: bid.priceCpmMicros,
  priority: priorityOf(bid),
  lot: lotOf(bid.demand.settings.Weight ?? usualWeight, random),
});

/** One bid of each answer, the highest first. */
export function contendersOf({ candidates, services }: Auction): Contender[] {
  const contenders: Contender[] = [];
  for (const candidate of candidates) {
    const { bid, refusal } = candidate;
    if (bid && !refusal) contenders.push(contenderOf(candidate, bid, services.random));
  }
  return rankBids(contenders);
}

/** Refuses a contender. Its candidate's next bid, if any, contends behind it. */
export function refuseContender(
  auction: Auction,
  contenders: Contender[],
  place: number,
  refusal: Refusal,
): void {
  const { candidate } = contenders[place] as Contender;
  const next = refuseBid(auction, candidate, refusal);
  if (next) insertRanked(contenders, contenderOf(candidate, next, auction.services.random), place);
}

export function mayShow(auction: Auction, contenders: Contender[], place: number): boolean {
  const { candidate, bid } = contenders[place] as Contender;
  if (candidate.bid !== bid || candidate.refusal) return false;
  const refusal = isUnread(bid) ? judgeMarkup(auction.supply, bid, auction.opportunity) : undefined;
  if (refusal) refuseContender(auction, contenders, place, refusal);
  return refusal === undefined;
}

export function firstShowable(
  auction: Auction,
  contenders: Contender[],
  from: number,
  isRival: (bid: Bid) => boolean = () => true,
): Contender | undefined {
  for (let place = from; place < contenders.length; place += 1) {
    if (isRival((contenders[place] as Contender).bid) && mayShow(auction, contenders, place))
      return contenders[place];
  }
  return undefined;
}

/** The refusal of the candidate that got furthest. */
export function furthestRefusal(candidates: readonly Candidate[]): Refusal {
  const ofBid = candidates.find(({ bid, refusal }) => bid && refusal);
  const ofAsked = candidates.find(({ isAsked, refusal }) => isAsked && refusal);
  return (ofBid ?? ofAsked ?? candidates[0])?.refusal ?? refuse('no_bid');
}
