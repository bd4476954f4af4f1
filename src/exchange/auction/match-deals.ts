import { currencyAt, type Floor, type ForeignCurrency, floorOf, usd } from '../currency.ts';
import { dealTerms, priceBeforeFee } from '../deal-terms.ts';
import { mediaIn, withMedia } from '../media-variants.ts';
import type { CurationFee, OfferedDeal } from '../offered-deal.ts';
import type { Media, Opportunity } from '../opportunity.ts';
import { isRefusal, type Refusal, refuse } from '../reasons.ts';
import type { Deal } from '../snapshot/deal.ts';
import { noLimits } from '../snapshot/stored-settings.ts';
import { type Auction, type Candidate, isOut, promisedIn, type Step } from './auction.ts';

/** Of an impression; the most important come first. */
const dealsMax = 100;

type Names = ReadonlySet<string> | undefined;

/** Undefined admits all. */
function common(own: Names, theirs: readonly string[] = []): Names {
  if (theirs.length === 0) return own;
  const other = new Set(theirs);
  return own ? own.intersection(other) : other;
}

interface MediumView {
  readonly media: Media;
  /** With that medium alone. */
  readonly opportunity: Opportunity;
}

const viewsOf = (opportunity: Opportunity): readonly MediumView[] =>
  mediaIn(opportunity).map((media) => ({ media, opportunity: withMedia(opportunity, [media]) }));

/** With the first reason of each. */
function refusedMediaOf({ checks }: Deal, views: readonly MediumView[]): OfferedDeal['refusedMedia'] {
  const refused = new Map<Media, Refusal>();
  for (const { media, opportunity } of views) {
    for (const check of checks) {
      const refusal = check(opportunity);
      if (refusal === undefined) continue;
      refused.set(media, refusal);
      break;
    }
  }
  return refused;
}

/** The exchange's deal that the impression is offered under; undefined if our deal names none. */
function upstreamOf({ UpstreamCode }: Deal['settings'], { original }: Opportunity) {
  if (UpstreamCode === '') return undefined;
  const deals = original?.imp.pmp?.deals ?? [];
  const met = deals.flatMap(({ id }) => id ?? []);
  return (
    deals.find(({ id }) => id === UpstreamCode) ??
    refuse('upstream_deal_missing', { field: 'UpstreamCode', wanted: UpstreamCode, met })
  );
}

/** Its price, or what leaves the publisher the floor of the exchange, if that is more. */
function dearest(own: Floor, fee: CurationFee, asked: Floor): Floor {
  if (asked.floorCpmMicros === 0) return own;
  const floorCpmMicros = priceBeforeFee(fee, asked.floorCpmMicros);
  if (floorCpmMicros <= own.floorCpmMicros) return own;
  return floorCpmMicros === asked.floorCpmMicros ? asked : { floorCpmMicros };
}

function feeAt({ share, cpm }: ReturnType<typeof dealTerms>['fee'], foreign: ForeignCurrency | undefined) {
  return { share, cpmMicros: floorOf(cpm, foreign).floorCpmMicros };
}

/** A deal's terms at the auction's rates and under those of the exchange that offers the impression, or why there are none. */
function termsFor(deal: Deal, opportunity: Opportunity): Omit<OfferedDeal, 'refusedMedia'> | Refusal {
  const { Price, Currency, CurationFee: metFee } = deal.settings;
  const { fee: named, seats: ownSeats, blockedSeats, domains: ownDomains } = dealTerms(deal);
  const foreign = currencyAt(Currency, 'Currency', opportunity);
  if (foreign && isRefusal(foreign)) return foreign;
  const upstream = upstreamOf(deal.settings, opportunity);
  if (upstream && isRefusal(upstream)) return upstream;
  const { bidfloor = 0, bidfloorcur = usd, wseat, wadomain } = upstream ?? {};
  const asked = bidfloor > 0 ? currencyAt(bidfloorcur.toUpperCase(), 'bidfloorcur', opportunity) : undefined;
  if (asked && isRefusal(asked)) return asked;
  const fee = feeAt(named, foreign);
  const floor = dearest(floorOf(Price, foreign), fee, floorOf(bidfloor, asked));
  if (!Number.isFinite(floor.floorCpmMicros))
    return refuse('below_deal_floor', { field: 'CurationFee', wanted: 'less than 100', met: metFee });
  const lowered = wadomain?.map((domain) => domain.toLowerCase());
  const [seats, domains] = [common(ownSeats, wseat), common(ownDomains, lowered)];
  if (seats?.size === 0)
    return refuse('seat_not_in_deal', { field: 'SeatList', wanted: ownSeats, met: wseat });
  if (domains?.size === 0)
    return refuse('domain_not_in_deal', { field: 'AdvertiserDomains', wanted: ownDomains, met: lowered });
  return { deal, ...floor, fee, seats, blockedSeats, domains };
}

/** Everything for which a deal is not offered; of several media, for the one that comes nearest. */
export function dealRefusals(deal: Deal, opportunity: Opportunity): Refusal[] {
  const ofMedia = viewsOf(opportunity).map((view) =>
    deal.checks.flatMap((check) => check(view.opportunity) ?? []),
  );
  const fewest = Math.min(...ofMedia.map(({ length }) => length));
  const terms = termsFor(deal, opportunity);
  const nearest = ofMedia.find(({ length }) => length === fewest) ?? [];
  return isRefusal(terms) ? [...nearest, terms] : nearest;
}

/** Why a deal's limits do not let it be offered now; takes one of its requests. */
export function limitRefusal(auction: Auction, deal: Deal): Refusal | undefined {
  if (deal.limits === noLimits) return undefined;
  const { opportunity, services } = auction;
  const refusal = services.limits.mayReserve(deal, promisedIn(auction), 0);
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
  const views = viewsOf(opportunity);
  for (const deal of supply.deals ?? []) {
    const refusedMedia = refusedMediaOf(deal, views);
    if (refusedMedia.size === views.length) continue;
    const terms = termsFor(deal, opportunity);
    if (!isRefusal(terms)) offers.push({ ...terms, refusedMedia });
    if (offers.length === dealsMax) break;
  }
  return offers;
}

/** The same array for all buyers of the same deals, because bid requests are shared by it. */
function sharing(offers: readonly OfferedDeal[], { media: first }: Opportunity) {
  const known = new Map<string, readonly OfferedDeal[]>();
  return ({ demand, media = [first] }: Candidate): readonly OfferedDeal[] | undefined => {
    const own = offers.filter(
      ({ deal, refusedMedia }) => deal.isFor(demand) && media.some((one) => !refusedMedia.has(one)),
    );
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
  const dealsFor = sharing(withinLimits(auction, offersFor(auction)), opportunity);
  for (const candidate of candidates) candidate.deals = dealsFor(candidate);
  if (!isPrivate) return undefined;
  const refusal = refuse('private_auction', { field: 'pmp', met: 1 });
  if (candidates.every(({ deals }) => deals === undefined)) isOut(auction, refusal);
  for (const candidate of candidates) if (!candidate.deals) isOut(candidate, refusal);
  return auction.refusal;
};
