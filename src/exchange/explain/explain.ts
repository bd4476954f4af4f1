import { type Auction, type AuctionServices, type Candidate, newCandidate } from '../auction/auction.ts';
import { clear, lostTo, rank } from '../auction/clear.ts';
import { judge } from '../auction/judge.ts';
import { newAuction } from '../auction/run-auction.ts';
import { solicitationOf } from '../auction/solicit.ts';
import type { Solicitation } from '../demand/demand-kind.ts';
import type { Opportunity } from '../opportunity.ts';
import { isRefusal, type Refusal } from '../reasons.ts';
import type { Demand } from '../snapshot/demand.ts';
import { inactivity } from '../snapshot/inactivity.ts';
import type { Supply } from '../snapshot/supply.ts';
import {
  type ExplainedCandidate,
  type Explanation,
  explainedCandidate,
  shownRefusal,
} from './explanation.ts';

/** Why the request as a whole would be refused: the supply object's status, limits and own targeting. */
function requestRefusal({ supply, opportunity, services }: Auction): Refusal | undefined {
  const { limits } = services;
  const { timeMs, ip } = opportunity;
  const refused =
    inactivity(supply, 'PublisherId') ?? limits.mayRequest(supply, timeMs) ?? opportunity.refusal;
  if (refused) return refused;
  for (const check of supply.checks) {
    const refusal = check(opportunity);
    if (refusal) return refusal;
  }
  return limits.mayPromise(supply, ip, timeMs) ?? limits.mayBid(supply, timeMs);
}

/**
 * The bid of demand that needs no call, or why it has none; undefined where it would have to be called, and may bid.
 */
function bidOf(demand: Demand, auction: Auction, solicitation: Solicitation) {
  const { supply, opportunity, services } = auction;
  const kind = services.kinds[demand.kind];
  const request = kind.build(demand, solicitation);
  const full = services.limits.mayBid(demand, opportunity.timeMs);
  if (request) return isRefusal(request) ? request : full;
  const bid = kind.read(demand, solicitation, undefined);
  return isRefusal(bid) ? bid : (judge(supply, bid, opportunity) ?? full ?? bid);
}

/** Takes one connected demand object through every step that takes nothing from limits and calls nobody. */
function consider(demand: Demand, auction: Auction, solicitation: Solicitation): Candidate {
  const { supply, opportunity, services } = auction;
  const { limits } = services;
  const refusal =
    supply.candidates.explain(demand, opportunity) ??
    limits.mayPromise(demand, opportunity.ip, opportunity.timeMs) ??
    limits.mayRequest(demand, opportunity.timeMs);
  const candidate = newCandidate(demand);
  if (refusal) return { ...candidate, refusal };
  const bid = bidOf(demand, auction, solicitation);
  if (bid && isRefusal(bid)) return { ...candidate, refusal: bid };
  return { ...candidate, bid, isAsked: true };
}

/**
 * The outcomes where the request is refused as a whole: candidates without a refusal of their own get that of the
 * request.
 */
function refusedWith(request: Refusal, candidates: readonly Candidate[]): ExplainedCandidate[] {
  return candidates.map(({ demand, refusal = request, bid }) =>
    explainedCandidate(demand, 'refused', refusal, bid?.priceCpmMicros),
  );
}

/** The outcomes by the bids that are known. Demand that would have to be asked may still win. */
function explained(auction: Auction, candidates: readonly Candidate[]): ExplainedCandidate[] {
  const bids = candidates.flatMap(({ bid }) => (bid ? [bid] : []));
  // No lots are drawn: of equal bids the first is named.
  const [winner, second] = rank(bids, () => 0);
  const { supply, opportunity } = auction;
  // Demand with an auction type of its own would always have to be asked, so it is not the winner here.
  const { floorCpmMicros, auctionType = supply.auctionType } = opportunity;
  const prices = winner && clear(winner, second, { ...supply, floorCpmMicros, auctionType });
  const isShownBehind = supply.document.Waterfall === 1;
  return candidates.map(({ demand, refusal: refused, bid }) => {
    if (refused) return explainedCandidate(demand, 'refused', refused, undefined);
    if (!bid) return explainedCandidate(demand, 'asked', undefined, undefined);
    if (bid === winner) return explainedCandidate(demand, 'won', undefined, prices?.clearingCpmMicros);
    if (isShownBehind) return explainedCandidate(demand, 'fallback', undefined, bid.priceCpmMicros);
    return explainedCandidate(demand, 'refused', lostTo(winner, bid), bid.priceCpmMicros);
  });
}

function outcomeOf(candidates: readonly ExplainedCandidate[]): string {
  if (candidates.some(({ Outcome }) => Outcome === 'asked')) return 'open';
  if (candidates.some(({ Outcome }) => Outcome === 'won')) return 'won';
  return candidates.length === 0 ? 'no_demand' : 'no_bid';
}

/**
 * What would become of an opportunity now: every connected demand object with its outcome, by the same rules as the
 * auction's own. Counts nothing and calls no demand.
 */
export function explain(supply: Supply, opportunity: Opportunity, services: AuctionServices): Explanation {
  const auction = newAuction(supply, opportunity, services);
  const refusal = requestRefusal(auction);
  const solicitation = solicitationOf(auction);
  const candidates = supply.candidates.connected.map((demand) => consider(demand, auction, solicitation));
  const Candidates = refusal ? refusedWith(refusal, candidates) : explained(auction, candidates);
  return {
    Status: 'Ok',
    Outcome: refusal?.reason ?? outcomeOf(Candidates),
    ...shownRefusal(refusal),
    Candidates,
  };
}
