import { fillMacros } from '../../protocols/openrtb/macros.ts';
import { auctionMacros } from '../demand/auction-macros.ts';
import type { Bid } from '../demand/demand-kind.ts';
import { inMedium } from '../media-variants.ts';
import { isRefusal, type Refusal, refuse } from '../reasons.ts';
import { type Auction, isOut, promisedIn, type Step } from './auction.ts';
import { type Clearing, clearingPrices, outbidRefusal, priorityOf } from './clear.ts';
import {
  type Contender,
  contendersOf,
  firstShowable,
  furthestRefusal,
  mayShow,
  refuseContender,
} from './contenders.ts';
import { costOf } from './cost.ts';
import { unfitInDocument } from './fallback.ts';
import { judgeBid } from './judge.ts';
import { podOf } from './pod.ts';
import { popLanding } from './pop-landing.ts';
import { pricingTerms } from './pricing-terms.ts';
import { limitedBy, reprice, reserve, reserveBid } from './reserve.ts';
import { settlePod } from './settle-pod.ts';
import { freeBid, freePromises } from './withdraw.ts';

/** A second price also needs the next contender that could be shown, of its priority, and of a deal the next one under it. */
function pricesOf(auction: Auction, contenders: Contender[], place: number): Clearing {
  const contender = contenders[place] as Contender;
  const terms = pricingTerms(auction, contender);
  const isRival = (bid: Bid) => bid.deal === terms.deal && priorityOf(bid) === contender.priority;
  const next = terms.auctionType === 1 ? undefined : firstShowable(auction, contenders, place + 1, isRival);
  return clearingPrices(contender.bid, next?.bid, terms);
}

const successMin = 200;
const successMax = 299;
/** Bounds calls to URLs that bidders name, because they delay the other bids. */
const fetchesMax = 3;

/** Markup sent as the answer to the win notice (OpenRTB 2.6 §4.3.1); the bid is judged again with it. */
async function fetchMarkup(auction: Auction, { bid, candidate }: Contender, { clearingCpmMicros }: Clearing) {
  const { opportunity, services, supply } = auction;
  if (bid.notices.win === '') return refuse('invalid_creative', { wanted: 'adm or nurl' });
  const fetches = candidate.refused.filter((refused) => refused.bid.markup === undefined).length;
  if (fetches >= fetchesMax) {
    return refuse('invalid_creative', { wanted: `adm, after ${fetches} bids with nurl alone`, met: 'nurl' });
  }
  // The notice says that the bid has won, which would be untrue in a test.
  if (opportunity.isTest) return refuse('invalid_creative', { wanted: 'adm', met: 'nurl' });
  const macros = auctionMacros(opportunity, bid, { clearingCpmMicros });
  const request = { method: 'GET', url: fillMacros(bid.notices.win, macros), headers: {} } as const;
  const timeLeftMs = opportunity.tmaxMs - (services.now() - opportunity.timeMs);
  const partner = `${candidate.demand.kind}:${candidate.demand.id}`;
  const answer = await services.outbound.call(partner, request, timeLeftMs);
  if (isRefusal(answer)) return answer;
  if (answer.status < successMin || answer.status > successMax)
    return refuse('invalid_response', { met: answer.status });
  const { win: _, ...notices } = bid.notices;
  const whole: Bid = { ...bid, markup: answer.body, notices: { ...notices, win: '' } };
  return judgeBid(supply, whole, opportunity) ?? whole;
}

/** The contender with the markup that answers its win notice; without valid markup its promise is taken back. */
async function withMarkup(auction: Auction, contender: Contender, prices: Clearing): Promise<Bid | Refusal> {
  const { candidate, bid } = contender;
  if (bid.markup !== undefined) return bid;
  const fetched = await fetchMarkup(auction, contender, prices);
  if (isRefusal(fetched)) freeBid(auction, candidate.demand, bid);
  return fetched;
}

/** Promises the prices of both sides, or refuses. Supply promises the highest payout. */
function promisePrices(
  auction: Auction,
  { candidate, bid }: Contender,
  prices: Clearing,
): Refusal | undefined {
  const { opportunity, supply } = auction;
  const payoutNanos = costOf(prices.payoutCpmMicros, opportunity);
  return (
    reprice(auction, supply, (reserved) => Math.max(reserved, payoutNanos)) ??
    reserveBid(auction, candidate.demand, bid, costOf(prices.clearingCpmMicros, opportunity))
  );
}

/** Takes a bid and an ad (its price still unknown) from the supply object's limits, or neither. */
function takeOfSupply(auction: Auction): void {
  const { supply, opportunity, services } = auction;
  const isRefused =
    isOut(auction, reserve(auction, supply, 0)) ||
    isOut(auction, services.limits.takeBid(supply, opportunity.timeMs));
  if (isRefused) freePromises(auction);
}

/** Behind the winner a bid can only be shown in the winner's document. */
function shownAt(auction: Auction, contenders: Contender[], place: number): Contender | undefined {
  if (!mayShow(auction, contenders, place)) return undefined;
  const contender = contenders[place] as Contender;
  const {
    ranking: [winner],
    opportunity,
  } = auction;
  const unfit = winner && unfitInDocument(contender.bid, winner.bid, opportunity, 'Waterfall');
  if (unfit) refuseContender(auction, contenders, place, unfit);
  return unfit ? undefined : contender;
}

/** Ranks a bid, unless its macros break its URL once they are filled. */
function rank(auction: Auction, contenders: Contender[], place: number, bid: Bid, prices: Clearing): void {
  const { candidate } = contenders[place] as Contender;
  const ranked = { ...prices, candidate, bid, markup: bid.markup ?? '' };
  if (bid.media !== 'pop' || popLanding(auction, ranked) !== undefined) {
    auction.ranking.push(ranked);
    return;
  }
  freeBid(auction, candidate.demand, bid);
  const wanted = 'an http or https URL once its macros are filled';
  refuseContender(auction, contenders, place, refuse('invalid_creative', { wanted }));
}

type Asked = ReturnType<Auction['services']['limits']['askRegion']>;

/** Ranks a contender that the region has room for, once its markup is here; then those behind it. */
async function rankLater(
  auction: Auction,
  contenders: Contender[],
  place: number,
  prices: Clearing,
  asked: Asked,
): Promise<void> {
  const contender = contenders[place] as Contender;
  const { candidate } = contender;
  const refusals = await asked;
  auction.refusal = refusals?.get(auction.supply);
  if (auction.refusal) return;
  const { demand } = candidate;
  const [, ...ofBid] = limitedBy(auction.supply, demand, contender.bid);
  const refusal = ofBid.map((object) => refusals?.get(object)).find((one) => one !== undefined);
  if (refusal) {
    freeBid(auction, demand, contender.bid);
    candidate.refusal = refusal;
  } else {
    const bid = await withMarkup(auction, contender, prices);
    if (isRefusal(bid)) refuseContender(auction, contenders, place, bid);
    else rank(auction, contenders, place, bid, prices);
  }
  await rankFrom(auction, contenders, place + 1);
}

/** Ranks the contenders from `start` on that may be shown. Without fallbacks, all behind the winner have lost. */
function rankFrom(auction: Auction, contenders: Contender[], start: number): Promise<void> | undefined {
  const { ranking, supply, services } = auction;
  const hasFallbacks = supply.settings.Waterfall === 1;
  for (let place = start; place < contenders.length; place += 1) {
    const { candidate, bid } = contenders[place] as Contender;
    if (candidate.bid !== bid) continue;
    if (ranking.length > 0 && (!hasFallbacks || bid.markup === undefined)) {
      candidate.refusal ??= outbidRefusal(ranking[0]?.bid, bid);
      continue;
    }
    const contender = shownAt(auction, contenders, place);
    if (!contender) continue;
    const prices = pricesOf(auction, contenders, place);
    const refusal = promisePrices(auction, contender, prices);
    if (refusal) {
      refuseContender(auction, contenders, place, refusal);
      continue;
    }
    const asked = services.limits.askRegion(limitedBy(supply, candidate.demand, bid), promisedIn(auction));
    if (asked || bid.markup === undefined) return rankLater(auction, contenders, place, prices, asked);
    rank(auction, contenders, place, bid, prices);
  }
  return undefined;
}

function refuseAll(auction: Auction, contenders: readonly Contender[], refusal: Refusal): Refusal {
  for (const { candidate } of contenders) candidate.refusal ??= refusal;
  auction.ranking = [];
  return refusal;
}

/** Gives back what was taken from the supply object's limits: payouts not shown, or everything if nobody is left. */
function outcomeOf(auction: Auction, contenders: readonly Contender[]): Refusal | undefined {
  const { ranking, refusal } = auction;
  if (ranking.length > 0 && !refusal) {
    const dearest = Math.max(...ranking.map(({ payoutCpmMicros }) => payoutCpmMicros));
    reprice(auction, auction.supply, () => costOf(dearest, auction.opportunity));
    auction.opportunity = inMedium(auction.opportunity, ranking[0]?.bid.media ?? auction.opportunity.media);
    return undefined;
  }
  freePromises(auction);
  auction.services.limits.giveBackBid(auction.supply, auction.opportunity.timeMs);
  return refusal ? refuseAll(auction, contenders, refusal) : furthestRefusal(auction.candidates);
}

/**
 * Ranks and prices the bids. The first wins whose markup may be shown and whose prices both sides can promise; with
 * `Waterfall` those behind it become fallbacks.
 */
export const settle: Step = (auction) => {
  const pod = podOf(auction);
  if (pod) return settlePod(auction, pod);
  const contenders = contendersOf(auction);
  const first = firstShowable(auction, contenders, 0);
  if (!first && !auction.refusals) return furthestRefusal(auction.candidates);
  takeOfSupply(auction);
  const { refusal } = auction;
  if (refusal) return refuseAll(auction, contenders, refusal);
  const pending = rankFrom(auction, contenders, 0);
  return pending === undefined
    ? outcomeOf(auction, contenders)
    : pending.then(() => outcomeOf(auction, contenders));
};
