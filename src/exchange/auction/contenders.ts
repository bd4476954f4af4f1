import { isUnread } from '../demand/bid-vast.ts';
import type { Bid } from '../demand/demand-kind.ts';
import type { Refusal } from '../reasons.ts';
import type { Auction, Candidate } from './auction.ts';
import { insertRanked, rankBids } from './clear.ts';
import { judgeMarkup } from './judge.ts';
import { refuseBid } from './refuse-bid.ts';

/** A bid that may win. Its candidate moves on to another one where it is refused. */
export interface Contender {
  readonly candidate: Candidate;
  readonly bid: Bid;
  readonly priceCpmMicros: number;
}

const contenderOf = (candidate: Candidate, bid: Bid): Contender => {
  const { priceCpmMicros } = bid;
  return { candidate, bid, priceCpmMicros };
};

/** The bids that may win, the highest first; one of each answer. */
export function contendersOf({ candidates, services }: Auction): Contender[] {
  const contenders: Contender[] = [];
  for (const candidate of candidates) {
    const { bid, refusal } = candidate;
    if (bid && !refusal) contenders.push(contenderOf(candidate, bid));
  }
  return rankBids(contenders, services.random);
}

/** Refuses the contender at a place. The next bid of its answer, if there is one, contends behind it. */
export function refuseContender(
  auction: Auction,
  contenders: Contender[],
  place: number,
  refusal: Refusal,
): void {
  const { candidate } = contenders[place] as Contender;
  const next = refuseBid(auction, candidate, refusal);
  if (next) insertRanked(contenders, contenderOf(candidate, next), place, auction.services.random);
}

/** Whether the contender at a place may be shown. Its markup is read only now, because most bids are outbid before. */
export function mayShow(auction: Auction, contenders: Contender[], place: number): boolean {
  const { candidate, bid } = contenders[place] as Contender;
  if (candidate.bid !== bid || candidate.refusal) return false;
  const refusal = isUnread(bid) ? judgeMarkup(auction.supply, bid, auction.opportunity) : undefined;
  if (refusal) refuseContender(auction, contenders, place, refusal);
  return refusal === undefined;
}

/** The first contender from a place on that may be shown; undefined where there is none. */
export function firstShowable(
  auction: Auction,
  contenders: Contender[],
  from: number,
): Contender | undefined {
  for (let place = from; place < contenders.length; place += 1) {
    if (mayShow(auction, contenders, place)) return contenders[place];
  }
  return undefined;
}
