import { fillMacros } from '../../protocols/openrtb/macros.ts';
import { auctionMacros } from '../demand/auction-macros.ts';
import { isUnread } from '../demand/bid-vast.ts';
import type { Bid } from '../demand/demand-kind.ts';
import { ownAuctionType } from '../demand/own-auction-type.ts';
import type { Limited } from '../limits/limits.ts';
import { isRefusal, type Refusal, refuse } from '../reasons.ts';
import { type Auction, type Candidate, promisedTo, type Ranked, type Step } from './auction.ts';
import { type Clearing, clear, lostTo, rank } from './clear.ts';
import { judge, judgeMarkup } from './judge.ts';
import { freePromise, freePromises } from './withdraw.ts';

/** A candidate whose bid may win. */
interface Contender {
  readonly candidate: Candidate;
  readonly bid: Bid;
  readonly priceCpmMicros: number;
}

function contendersOf({ candidates, services }: Auction): Contender[] {
  const contenders: Contender[] = [];
  for (const candidate of candidates) {
    const { bid, refusal } = candidate;
    if (bid && !refusal) contenders.push({ candidate, bid, priceCpmMicros: bid.priceCpmMicros });
  }
  return rank(contenders, services.random);
}

/** Whether its markup may be shown: read only when it comes to that, as most bids are outbid. */
function mayShow({ supply, opportunity }: Auction, { candidate, bid }: Contender): boolean {
  if (isUnread(bid)) candidate.refusal = judgeMarkup(supply, bid, opportunity);
  return candidate.refusal === undefined;
}

/** What a contender would pay if it were shown; at second price that needs the next one that could be shown. */
function pricesOf(auction: Auction, contender: Contender, behind: readonly Contender[]): Clearing {
  const { supply, opportunity } = auction;
  const auctionType =
    ownAuctionType(contender.candidate.demand) ?? opportunity.auctionType ?? supply.auctionType;
  const next = auctionType === 1 ? undefined : behind.find((other) => mayShow(auction, other));
  return clear(contender.bid, next?.bid, {
    auctionType,
    floorCpmMicros: opportunity.floorCpmMicros,
    publisherProfitShare: supply.publisherProfitShare,
  });
}

const successMin = 200;
const successMax = 299;

/** Markup that comes as the answer to the win notice (OpenRTB 2.6 §4.3.1); the bid is judged again with it. */
async function fetchMarkup(auction: Auction, { bid, candidate }: Contender, { clearingCpmMicros }: Clearing) {
  const { opportunity, services, supply } = auction;
  if (bid.notices.win === '') return refuse('invalid_creative', { wanted: 'adm or nurl' });
  const macros = auctionMacros(opportunity.auctionId, bid, { clearingCpmMicros });
  const request = { method: 'GET', url: fillMacros(bid.notices.win, macros), headers: {} } as const;
  const timeLeftMs = opportunity.tmaxMs - (services.now() - opportunity.timeMs);
  const partner = `${candidate.demand.kind}:${candidate.demand.id}`;
  const answer = await services.outbound.call(partner, request, timeLeftMs);
  if (isRefusal(answer)) return answer;
  if (answer.status < successMin || answer.status > successMax)
    return refuse('invalid_response', { met: answer.status });
  const { win: _, ...notices } = bid.notices;
  const whole: Bid = { ...bid, markup: answer.body, read: undefined, notices: { ...notices, win: '' } };
  return judge(supply, whole, opportunity) ?? whole;
}

/** Promises an impression to the auction in the name of one of its objects. */
function promise({ opportunity, services, promised }: Auction, object: Limited): Refusal | undefined {
  const refusal = services.limits.promise(
    object,
    opportunity.ip,
    opportunity.timeMs,
    promisedTo(opportunity),
  );
  if (!refusal) promised.push(object);
  return refusal;
}

/** The contender in the ranking, or why it is not. */
function place({ ranking }: Auction, { candidate }: Contender, ranked: Ranked | Refusal): void {
  if (isRefusal(ranked)) candidate.refusal = ranked;
  else ranking.push(ranked);
}

/** The contender with the markup that its win notice answers. */
async function withMarkup(
  auction: Auction,
  contender: Contender,
  prices: Clearing,
): Promise<Ranked | Refusal> {
  const { candidate } = contender;
  const bid = await fetchMarkup(auction, contender, prices);
  if (!isRefusal(bid)) return { ...prices, candidate, bid, markup: bid.markup ?? '' };
  freePromise(auction, candidate.demand);
  return bid;
}

/** The contender with an impression promised to it, or why it cannot be shown; waits where its markup is still to come. */
function rankedOf(auction: Auction, contender: Contender, prices: Clearing) {
  const { candidate, bid } = contender;
  const refusal = promise(auction, candidate.demand);
  if (refusal) return refusal;
  if (bid.markup === undefined) return withMarkup(auction, contender, prices);
  return { ...prices, candidate, bid, markup: bid.markup };
}

/** Takes a bid and an impression of the request's own limits, or neither. */
function takeOfSupply(auction: Auction): Refusal | undefined {
  const { supply, opportunity, services } = auction;
  const refusal = promise(auction, supply) ?? services.limits.takeBid(supply, opportunity.timeMs);
  if (refusal) freePromises(auction);
  return refusal;
}

/** Ranks the contenders from one on that may be shown; all others have lost. Waits only for markup that is to come. */
function rankFrom(
  auction: Auction,
  contenders: readonly Contender[],
  start: number,
): Promise<void> | undefined {
  const { ranking, supply } = auction;
  const hasFallbacks = supply.document.Waterfall === 1;
  for (let index = start; index < contenders.length; index += 1) {
    const contender = contenders[index] as Contender;
    if (ranking.length > 0 && (!hasFallbacks || contender.bid.markup === undefined)) {
      contender.candidate.refusal ??= lostTo(ranking[0]?.bid, contender);
      continue;
    }
    if (!mayShow(auction, contender)) continue;
    const prices = pricesOf(auction, contender, contenders.slice(index + 1));
    const ranked = rankedOf(auction, contender, prices);
    if (ranked instanceof Promise) {
      return ranked.then((fetched) => {
        place(auction, contender, fetched);
        return rankFrom(auction, contenders, index + 1);
      });
    }
    place(auction, contender, ranked);
  }
  return undefined;
}

/** What an auction comes to whose bids are ranked: where nobody is left, what it took is given back. */
function outcomeOf(auction: Auction): Refusal | undefined {
  if (auction.ranking.length > 0) return undefined;
  freePromises(auction);
  auction.services.limits.giveBackBid(auction.supply, auction.opportunity.timeMs);
  return mostTelling(auction.candidates);
}

/**
 * Ranks the bids and prices them: the first that keeps its promise wins. Those behind it are priced too where the
 * supply object shows them as fallbacks (`Waterfall`), as far as they keep theirs; else they have lost.
 */
export const settle: Step = (auction) => {
  const contenders = contendersOf(auction);
  if (!contenders.some((contender) => mayShow(auction, contender))) return mostTelling(auction.candidates);
  const refusal = takeOfSupply(auction);
  if (refusal) {
    for (const { candidate } of contenders) candidate.refusal ??= refusal;
    return refusal;
  }
  const pending = rankFrom(auction, contenders, 0);
  return pending === undefined ? outcomeOf(auction) : pending.then(() => outcomeOf(auction));
};

/** Of several refusals the one that came furthest: of a bid, else of one who was asked, else the first. */
function mostTelling(candidates: readonly Candidate[]): Refusal {
  const ofBid = candidates.find(({ bid, refusal }) => bid && refusal);
  const ofAsked = candidates.find(({ isAsked, refusal }) => isAsked && refusal);
  return (ofBid ?? ofAsked ?? candidates[0])?.refusal ?? refuse('no_bid');
}
