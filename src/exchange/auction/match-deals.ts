import type { Deal as UpstreamDeal } from '../../protocols/openrtb/objects/imp.ts';
import { dealTerms, priceBeforeFee } from '../deal-terms.ts';
import { cpmMicrosOf } from '../money.ts';
import type { OfferedDeal } from '../offered-deal.ts';
import type { Opportunity } from '../opportunity.ts';
import { type Refusal, refuse } from '../reasons.ts';
import type { Deal } from '../snapshot/deal.ts';
import type { Demand } from '../snapshot/demand.ts';
import { noLimits } from '../snapshot/stored-settings.ts';
import { type Auction, isOut, type Step } from './auction.ts';

/** Of an impression; the most important come first. */
const dealsMax = 100;

type Names = ReadonlySet<string> | undefined;

/** Undefined admits all. */
function common(own: Names, theirs: readonly string[] = []): Names {
  if (theirs.length === 0) return own;
  const other = new Set(theirs);
  return own ? own.intersection(other) : other;
}

const isUsd = ({ bidfloor = 0, bidfloorcur }: UpstreamDeal) =>
  bidfloor === 0 || (bidfloorcur || 'USD').toUpperCase() === 'USD';

/** Undefined if the exchange that offers the impression does not offer it under its deal of that name. */
function upstreamOf({ original }: Opportunity, code: string): UpstreamDeal | undefined {
  return original?.imp.pmp?.deals?.find((one) => one.id === code && isUsd(one));
}

function offerOf(deal: Deal, opportunity: Opportunity): OfferedDeal | undefined {
  const { UpstreamCode } = deal.settings;
  const { priceCpmMicros, isInUsd, seats, blockedSeats, domains } = dealTerms(deal);
  const upstream = UpstreamCode === '' ? undefined : upstreamOf(opportunity, UpstreamCode);
  if (!isInUsd || (UpstreamCode !== '' && !upstream)) return undefined;
  const { bidfloor = 0, wseat, wadomain } = upstream ?? {};
  const least = bidfloor > 0 ? priceBeforeFee(deal, cpmMicrosOf(bidfloor)) : 0;
  const offer = {
    deal,
    floorCpmMicros: Math.max(priceCpmMicros, least),
    seats: common(seats, wseat),
    blockedSeats,
    domains: common(
      domains,
      wadomain?.map((domain) => domain.toLowerCase()),
    ),
  };
  const isForNobody = offer.seats?.size === 0 || offer.domains?.size === 0;
  return isForNobody || !Number.isFinite(offer.floorCpmMicros) ? undefined : offer;
}

/** Why a deal's limits do not let it be offered now; takes one of its requests. */
function limitRefusal(auction: Auction, deal: Deal): Refusal | undefined {
  if (deal.limits === noLimits) return undefined;
  const { opportunity, services } = auction;
  const refusal = services.limits.mayReserve(deal, opportunity, 0);
  if (refusal || deal.limits.maxQps === 0) return refusal;
  return services.limits.takeRequest(deal, opportunity.timeMs);
}

/** Without those whose limits are used up or that are on plan. */
function withinLimits(auction: Auction, offers: readonly OfferedDeal[]): readonly OfferedDeal[] {
  auction.eligibleDeals = offers.map(({ deal }) => deal);
  return offers.filter(({ deal }) => limitRefusal(auction, deal) === undefined);
}

function offersFor({ supply, opportunity }: Auction): readonly OfferedDeal[] {
  const offers: OfferedDeal[] = [];
  for (const deal of supply.deals ?? []) {
    if (deal.checks.some((check) => check(opportunity) !== undefined)) continue;
    const offer = offerOf(deal, opportunity);
    if (offer) offers.push(offer);
    if (offers.length === dealsMax) break;
  }
  return offers;
}

/** The same array for all buyers of the same deals, because bid requests are shared by it. */
function sharing(offers: readonly OfferedDeal[]) {
  const known = new Map<string, readonly OfferedDeal[]>();
  return (demand: Demand): readonly OfferedDeal[] | undefined => {
    const own = offers.filter(({ deal }) => deal.isFor(demand));
    const key = own.map(({ deal }) => deal.id).join();
    if (!known.has(key)) known.set(key, own);
    return own.length === 0 ? undefined : known.get(key);
  };
}

/** Finds the deals of each candidate. In a private auction only those that have one remain. */
export const matchDeals: Step = (auction) => {
  const { supply, opportunity, candidates } = auction;
  const isPrivate = opportunity.original?.imp.pmp?.private_auction === 1;
  if (supply.deals === undefined && !isPrivate) return undefined;
  const dealsFor = sharing(withinLimits(auction, offersFor(auction)));
  for (const candidate of candidates) candidate.deals = dealsFor(candidate.demand);
  if (!isPrivate) return undefined;
  const refusal = refuse('private_auction', { field: 'pmp', met: 1 });
  if (candidates.every(({ deals }) => deals === undefined)) isOut(auction, refusal);
  for (const candidate of candidates) if (!candidate.deals) isOut(candidate, refusal);
  return auction.refusal;
};
