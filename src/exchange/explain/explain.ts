import type { ExplainedCandidate, Explanation } from '../../answers/explanation.ts';
import { type Auction, type AuctionServices, type Candidate, isOut } from '../auction/auction.ts';
import { newAuction, steps } from '../auction/run-auction.ts';
import type { Outbound } from '../demand/outbound.ts';
import type { Opportunity } from '../opportunity.ts';
import { type Refusal, refuse } from '../reasons.ts';
import { inactivities } from '../snapshot/inactivity.ts';
import type { Supply } from '../snapshot/supply.ts';
import { explainedDeals } from './explained-deals.ts';
import { explainingLimits } from './explaining-limits.ts';
import {
  askedAndBid,
  explainedCandidate,
  shownBidfloor,
  shownFloorRules,
  shownRefusal,
  shownRefusals,
  standingOf,
} from './explanation.ts';

/** Assumed answer of demand that would have to be called. */
const asked: Refusal = refuse('no_bid');

/** Calls that only say that they would be made. */
const notCalled = (outbound: Outbound): Outbound => ({
  ...outbound,
  call: async () => asked,
  notify: () => undefined,
});

/** Takes nothing, calls nobody, explores nothing, and goes on after every refusal. */
function explainedAuction(supply: Supply, opportunity: Opportunity, services: AuctionServices): Auction {
  // An endpoint may take a request into the limits; none has taken this one.
  const { impression: _, ...untaken } = opportunity;
  const { limits, outbound } = services;
  const told = { limits: explainingLimits(limits), outbound: notCalled(outbound), random: () => 0 };
  return newAuction(supply, untaken, { ...services, ...told }, undefined, []);
}

const ownRefusals = ({ refusals = [] }: Candidate) => refusals.filter((one) => one !== asked);

function outcomeOf(auction: Auction, candidate: Candidate): ExplainedCandidate {
  const { demand, bid, refusal } = candidate;
  const bids = askedAndBid(auction, candidate);
  const own = ownRefusals(candidate);
  if (own.length > 0) return explainedCandidate(demand, 'refused', own, { ...bids, bid: undefined });
  const ofRequest = auction.refusals ?? [];
  if (ofRequest.length > 0) {
    return explainedCandidate(demand, 'refused', ofRequest, bids);
  }
  if (!bid) return explainedCandidate(demand, 'asked', [], bids);
  const { outcome, ...shown } = standingOf(auction, candidate);
  const why = outcome === 'refused' && refusal ? [refusal] : [];
  return explainedCandidate(demand, outcome, why, { ...bids, ...shown });
}

function auctionOutcome(candidates: readonly ExplainedCandidate[]): string {
  if (candidates.some(({ Outcome }) => Outcome === 'asked')) return 'open';
  if (candidates.some(({ Outcome }) => Outcome === 'won')) return 'won';
  return candidates.length === 0 ? 'no_demand' : 'no_bid';
}

/** Every connected demand object with its outcome and all refusals. Counts nothing, calls nobody. */
export async function explain(
  supply: Supply,
  opportunity: Opportunity,
  services: AuctionServices,
): Promise<Explanation> {
  const run = async () => {
    const begun = explainedAuction(supply, opportunity, services);
    for (const refusal of inactivities(supply, 'PublisherId')) isOut(begun, refusal);
    for (const step of steps) await step(begun);
    return begun;
  };
  const first = await run();
  const auction = (await services.limits.looks.untilTold()) ? await run() : first;
  const Candidates = auction.candidates.map((candidate) => outcomeOf(auction, candidate));
  const { refusals = [] } = auction;
  const [refusal] = refusals;
  return {
    Status: 'Ok',
    Outcome: refusal?.reason ?? auctionOutcome(Candidates),
    ...shownBidfloor(auction),
    ...shownRefusal(refusal),
    Refusals: shownRefusals(refusals),
    Candidates,
    FloorRules: shownFloorRules(auction),
    Deals: explainedDeals(auction, ownRefusals),
  };
}
