import type { Bid } from '../demand/demand-kind.ts';
import { cpmUsdOf } from '../money.ts';
import { isRefusal, type Refusal, refuse } from '../reasons.ts';
import { type Auction, type Candidate, promisedIn, type RankedBid } from './auction.ts';
import { hostOf } from './bid-rules/ad-domains.ts';
import { categoryName } from './bid-rules/categories.ts';
import { createPodChooser, isSeparated, type PodBid, podBidsMax } from './choose-pod.ts';
import { type Clearing, clearingPrices, compareBids, rankBids } from './clear.ts';
import { type Contender, contenderOf, furthestRefusal } from './contenders.ts';
import { costOf } from './cost.ts';
import { unfitInDocument } from './fallback.ts';
import { secondsOf } from './floor-for.ts';
import { judgeBid } from './judge.ts';
import { type Pod, slotFor } from './pod.ts';
import { pricingTerms } from './pricing-terms.ts';
import { limitedBy, reserve, reserveBid } from './reserve.ts';
import { freePromises } from './withdraw.ts';

type PodContender = Contender & PodBid;
type Choose = ReturnType<typeof createPodChooser>;

interface PricedContender {
  readonly contender: PodContender;
  readonly prices: Clearing;
}

/** All bids of all answers, as they are ranked. */
function bidsOf({ candidates, services }: Auction): Contender[] {
  const contenders = candidates.flatMap((candidate) => {
    const { bid, refusal, further } = candidate;
    if (!bid || refusal) return [];
    return [bid, ...further].map((one) => contenderOf(candidate, one, services.random));
  });
  return rankBids(contenders);
}

/** Films are cut at frames, so that 15 s may be 15.02 s. */
const frameSeconds = 0.05;

function msOf(seconds: number): number {
  const whole = Math.round(seconds);
  return Math.round((Math.abs(seconds - whole) < frameSeconds ? whole : seconds) * 1000);
}

function namesOf({ adDomains, categories }: Bid, { separation }: Pod): string[] {
  const domains = separation.isByDomain ? adDomains.map(hostOf) : [];
  const named = separation.isByCategory ? categories.map(categoryName) : [];
  return [...domains, ...named].filter((name) => name !== '');
}

/** Why a bid cannot stand in the pod whatever else does. `first`: an ad of the document, if there is one. */
function unfitForPod(
  { supply, opportunity }: Auction,
  bid: Bid,
  first: Bid | undefined,
): Refusal | undefined {
  // Its length is not known before it is chosen.
  if (bid.markup === undefined) return refuse('invalid_creative', { wanted: 'adm', met: 'nurl' });
  if (bid.media !== opportunity.media) {
    return refuse('incorrect_format', { field: 'podid', wanted: opportunity.media, met: bid.media });
  }
  const beside = opportunity.isOffer ? bid : (first ?? bid);
  return judgeBid(supply, bid, opportunity) ?? unfitInDocument(bid, beside, opportunity, 'poddur');
}

function podContender(
  auction: Auction,
  pod: Pod,
  contender: Contender,
  first: Bid | undefined,
): PodContender | Refusal {
  const { bid } = contender;
  const unfit = unfitForPod(auction, bid, first);
  if (unfit) return unfit;
  const seconds = secondsOf(bid, pod.longestSeconds) ?? 0;
  const durationMs = msOf(seconds);
  if (durationMs > pod.durationMsMax) {
    return refuse('incorrect_format', { field: 'poddur', wanted: pod.durationMsMax / 1000, met: seconds });
  }
  const asked = bid.received?.slotinpod;
  const slot = slotFor(pod, asked);
  if (slot === undefined)
    return refuse('incorrect_format', { field: 'slotinpod', wanted: pod.slot, met: asked });
  return { ...contender, durationMs, slot, separatedBy: namesOf(bid, pod) };
}

/** The bids that rank highest of those that may stand in the pod; `refusals` gets why others may not. */
function admitted(
  auction: Auction,
  pod: Pod,
  ranked: readonly Contender[],
  refusals: Map<Bid, Refusal>,
): PodContender[] {
  const fit: PodContender[] = [];
  for (const contender of ranked) {
    if (fit.length === podBidsMax) break;
    const one = podContender(auction, pod, contender, fit[0]?.bid);
    if (isRefusal(one)) refusals.set(contender.bid, one);
    else fit.push(one);
  }
  return fit;
}

/** Of one priority. */
const sumOf = (bids: readonly PodContender[], wanted: number) =>
  bids.reduce((sum, { priority, priceCpmMicros }) => (priority === wanted ? sum + priceCpmMicros : sum), 0);

/** Second price: what the best pod without the ad would bring more from others of its priority and deal. */
function pricesOf(
  auction: Auction,
  contender: PodContender,
  chosen: readonly PodContender[],
  pool: readonly PodContender[],
  choose: Choose,
): Clearing {
  const terms = pricingTerms(auction, contender);
  if (terms.auctionType === 1) return clearingPrices(contender.bid, undefined, terms);
  const { candidate, bid, priority, priceCpmMicros } = contender;
  const isRival = (one: PodContender) =>
    one.candidate !== candidate && one.bid.deal === bid.deal && one.priority === priority;
  const without = pool.filter((one) => one !== contender && (chosen.includes(one) || isRival(one)));
  const more = sumOf(choose(without), priority) - (sumOf(chosen, priority) - priceCpmMicros);
  return clearingPrices(contender.bid, { priceCpmMicros: Math.max(0, more) }, terms);
}

const [lastDigits, digitBase] = [2, 16];

/** Of the ad at a place of the pod. */
function adIdAt(auctionId: string, place: number): string {
  const last = Number.parseInt(auctionId.slice(-lastDigits), digitBase) ^ place;
  return auctionId.slice(0, -lastDigits) + last.toString(digitBase).padStart(lastDigits, '0');
}

/** With an ID and reservations of its own. */
function adAt(auction: Auction, { contender, prices }: PricedContender, place: number): Auction {
  const { opportunity } = auction;
  const { candidate, bid } = contender;
  const ranked: RankedBid = { ...prices, candidate, bid, markup: bid.markup ?? '' };
  return {
    ...auction,
    opportunity: place === 0 ? opportunity : { ...opportunity, adId: adIdAt(opportunity.auctionId, place) },
    promises: new Map(),
    ranking: [ranked],
  };
}

/** Reserves an ad's prices, its impression and its bid, or nothing. */
async function take(ad: Auction, { candidate: { demand }, bid }: Contender, prices: Clearing) {
  const { supply, opportunity, services } = ad;
  const { limits } = services;
  const refusal =
    reserve(ad, supply, costOf(prices.payoutCpmMicros, opportunity)) ??
    reserveBid(ad, demand, bid, costOf(prices.clearingCpmMicros, opportunity)) ??
    limits.takeBid(supply, opportunity.timeMs);
  if (refusal) {
    freePromises(ad);
    return refusal;
  }
  const ofRegion = await limits.askRegion(limitedBy(supply, demand, bid), promisedIn(ad));
  const [ofAny] = ofRegion?.values() ?? [];
  if (ofAny) giveBack(ad);
  return ofAny;
}

function giveBack(ad: Auction): void {
  freePromises(ad);
  ad.services.limits.giveBackBid(ad.supply, ad.opportunity.timeMs);
}

/** The ads, once all have what they need of limits; else nothing is taken, and one of them is refused. */
async function takeAll(
  auction: Auction,
  priced: readonly PricedContender[],
): Promise<readonly Auction[] | { readonly refused: PodContender; readonly refusal: Refusal }> {
  const ads = priced.map((one, place) => ({ ...one, ad: adAt(auction, one, place) }));
  const taken: Auction[] = [];
  // As they are ranked: where a limit has no room for all, the last is left out.
  const inTurn = ads.toSorted((one, other) => compareBids(one.contender, other.contender));
  for (const { ad, contender, prices } of inTurn) {
    const refusal = await take(ad, contender, prices);
    if (refusal) {
      for (const one of taken) giveBack(one);
      return { refused: contender, refusal };
    }
    taken.push(ad);
  }
  return ads.map(({ ad }) => ad);
}

/** Fills the pod with the best set for which limits have room. */
async function fill(
  auction: Auction,
  pod: Pod,
  fit: readonly PodContender[],
  refusals: Map<Bid, Refusal>,
): Promise<readonly PodContender[]> {
  const choose = createPodChooser(pod);
  let pool = fit;
  for (;;) {
    const chosen = choose(pool);
    if (chosen.length === 0) return [];
    const priced = chosen.map((contender) => ({
      contender,
      prices: pricesOf(auction, contender, chosen, pool, choose),
    }));
    const filled = await takeAll(auction, priced);
    if (!('refused' in filled)) {
      auction.pod = filled;
      auction.ranking = filled.flatMap(({ ranking }) => ranking);
      return chosen;
    }
    const { refused, refusal } = filled;
    refusals.set(refused.bid, refusal);
    pool = pool.filter((one) => one !== refused);
  }
}

function leftOut(bid: Bid, fit: readonly PodContender[], chosen: readonly PodContender[]): Refusal {
  const met = cpmUsdOf(bid.priceCpmMicros);
  const own = fit.find((one) => one.bid === bid);
  return own && chosen.some((one) => isSeparated(own, one))
    ? refuse('pod_separation', { field: 'PodSeparation', met: own.separatedBy })
    : refuse('pod_full', { met });
}

function noteOutcome(candidate: Candidate, won: readonly Bid[], refused: Candidate['refused']): void {
  const [best, ...alsoWon] = won;
  const outs = [...candidate.refused, ...refused];
  if (best) {
    Object.assign(candidate, { bid: best, alsoWon, refusal: undefined, refused: outs, further: [] });
    return;
  }
  const [first, ...others] = outs;
  Object.assign(candidate, { ...first, refused: others, further: [] });
}

/** Like `settle`, for a pod: several bids win, also several of one answer. */
export async function settlePod(auction: Auction, pod: Pod): Promise<Refusal | undefined> {
  const ranked = bidsOf(auction);
  const refusals = new Map<Bid, Refusal>();
  const fit = admitted(auction, pod, ranked, refusals);
  const chosen = await fill(auction, pod, fit, refusals);
  for (const [candidate, own] of Map.groupBy(ranked, (one) => one.candidate)) {
    const won = chosen.filter((one) => one.candidate === candidate).map(({ bid }) => bid);
    const out = own
      .filter(({ bid }) => !won.includes(bid))
      .map(({ bid }) => ({ bid, refusal: refusals.get(bid) ?? leftOut(bid, fit, chosen) }));
    noteOutcome(candidate, won, out);
  }
  return chosen.length > 0 ? undefined : furthestRefusal(auction.candidates);
}
