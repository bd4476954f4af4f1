import type { Bid, DemandKind, NoBid, OutboundAnswer, Solicitation } from '../demand/demand-kind.ts';
import { withMedia } from '../media-variants.ts';
import type { Opportunity } from '../opportunity.ts';
import { isRefusal, type Refusal, refuse } from '../reasons.ts';
import { untilTickRead } from '../tick-phases.ts';
import { type Auction, type Candidate, isOut, type Step } from './auction.ts';
import { toldTo } from './floor-rules.ts';
import { leadsToOwnZone } from './own-zone.ts';
import { redactForPartners } from './redact-for-partners.ts';
import { underDeals } from './under-deals.ts';

type Read = (answer: OutboundAnswer) => Bid | NoBid;

function take(candidate: Candidate, answer: Bid | NoBid): void {
  if (isRefusal(answer)) isOut(candidate, answer);
  else {
    candidate.bid = underDeals(answer, candidate);
    if (candidate.bid.further !== undefined) candidate.further = candidate.bid.further;
  }
  if (answer.lost !== undefined) candidate.lost = answer.lost;
  candidate.tolerated = answer.tolerated;
}

function solicitationOf(
  { supply, opportunity, services }: Auction,
  { withheld, media }: Candidate,
  told: Opportunity | undefined,
): Solicitation {
  const asked = told ?? (media ? withMedia(opportunity, media) : opportunity);
  return {
    opportunity: redactForPartners(asked, withheld),
    supply,
    region: services.region,
    baseUrl: services.baseUrl(),
    timeLeftMs: opportunity.tmaxMs - (services.now() - opportunity.timeMs),
  };
}

/** To be called once the answer's body has been read. */
async function hear(
  candidate: Candidate,
  called: Promise<OutboundAnswer | Refusal>,
  now: () => number,
  read: Read,
): Promise<void> {
  const beganMs = now();
  const answer = await called;
  if (!isRefusal(answer)) {
    candidate.answer = answer;
    candidate.latencyMs = now() - beganMs;
  }
  await untilTickRead();
  take(candidate, isRefusal(answer) ? answer : read(answer));
}

function ask(
  candidate: Candidate,
  kind: DemandKind,
  auction: Auction,
  solicitation: Solicitation,
): Promise<void> | undefined {
  const { demand } = candidate;
  candidate.isMatched = solicitation.opportunity.viewerIdsOf?.(demand) !== undefined;
  const request = kind.build(demand, solicitation, candidate.deals);
  if (request && isRefusal(request)) {
    isOut(candidate, request);
    return undefined;
  }
  if (request && leadsToOwnZone(auction.supply, request.url, auction.opportunity.timeMs)) {
    isOut(candidate, refuse('not_callable', { wanted: 'another URL', met: 'the requesting zone' }));
    return undefined;
  }
  candidate.isAsked = true;
  if (!request) {
    take(candidate, kind.read(demand, solicitation, undefined));
    return undefined;
  }
  candidate.isCalled = true;
  const partner = `${demand.kind}:${demand.id}`;
  const { limits, outbound, now } = auction.services;
  const mayRepeat = () => limits.takeRequest(demand, now()) === undefined;
  const called = outbound.call(partner, request, solicitation.timeLeftMs, mayRepeat);
  return hear(candidate, called, now, (answer) => kind.read(demand, solicitation, answer));
}

/** Calls all remaining demand at once, each with its own deadline, so that none delays another. */
export const solicit: Step = (auction) => {
  // Shared by all who may be told the same, of the same media and floor.
  const solicitations = new Map<number | string, Solicitation>();
  const calls: Promise<void>[] = [];
  for (const candidate of auction.candidates) {
    if (candidate.refusal && !candidate.refusals) continue;
    const kind = auction.services.kinds[candidate.demand.kind];
    const { withheld, media } = candidate;
    const told = auction.isRuled ? toldTo(candidate, auction.opportunity) : undefined;
    const byMedia = media ? `${withheld} ${media.join()}` : withheld;
    const shared = told ? `${byMedia} ${told.floorCpmMicros}` : byMedia;
    const solicitation = solicitations.get(shared) ?? solicitationOf(auction, candidate, told);
    solicitations.set(shared, solicitation);
    const call = ask(candidate, kind, auction, solicitation);
    if (call !== undefined) calls.push(call);
  }
  return calls.length === 0 ? undefined : Promise.all(calls).then(() => undefined);
};
