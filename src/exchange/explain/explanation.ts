import type {
  DealPrice,
  ExplainedBid,
  ExplainedCandidate,
  PodAd,
  ShownFloorRule,
  ShownForeignPrice,
  ShownOffer,
  ShownRefusal,
  ShownWithholding,
} from '../../answers/explanation.ts';
import { reasonHelp } from '../../reference/reason-help.ts';
import { type Auction, type Candidate, otherBidsOf } from '../auction/auction.ts';
import { isFloorFound } from '../auction/floor-rules.ts';
import { isByMedium } from '../auction/select.ts';
import { activitiesIn } from '../consent/masks.ts';
import type { ViewerConsent } from '../consent/viewer-consent.ts';
import { withholdingText } from '../consent/withholding-text.ts';
import { amountIn, type Floor, type ForeignPrice } from '../currency.ts';
import type { Bid } from '../demand/demand-kind.ts';
import { inMedium, mediaIn } from '../media-variants.ts';
import { memoizeWeak } from '../memoize-weak.ts';
import { cpmUsdOf } from '../money.ts';
import type { OfferedDeal } from '../offered-deal.ts';
import type { Media, Opportunity } from '../opportunity.ts';
import type { Refusal } from '../reasons.ts';
import type { Demand } from '../snapshot/demand.ts';

/** As JSON: sets become arrays, absent values null. */
function shown(value: unknown): unknown {
  if (value instanceof Set) return [...value];
  return value ?? null;
}

/** Without a refusal the members are there, but empty. */
export function shownRefusal(refusal: Refusal | undefined) {
  return { Field: refusal?.field ?? '', Wanted: shown(refusal?.wanted), Met: shown(refusal?.met) };
}

/** Each rule of a field once, however many steps ask it. */
export function shownRefusals(refusals: readonly Refusal[]): ShownRefusal[] {
  const byName = new Map<string, ShownRefusal>();
  for (const refusal of refusals) {
    const { reason, field = '' } = refusal;
    const name = `${reason} ${field}`;
    if (!byName.has(name))
      byName.set(name, { Rule: reason, Help: reasonHelp[reason], ...shownRefusal(refusal) });
  }
  return [...byName.values()];
}

/** Bids per answer that are shown with their refusals. */
const bidsMax = 16;

/** With that which took part first. */
function shownBids(candidate: Candidate): ExplainedBid[] {
  const { bid: first, refusal } = candidate;
  const others = otherBidsOf(candidate).slice(0, bidsMax);
  const bids = first ? [{ bid: first, refusal }, ...others] : others;
  return bids.map(({ bid, refusal: why }) => ({
    Medium: 'media' in bid ? bid.media : '',
    Price: bid.priceCpmMicros === undefined ? null : cpmUsdOf(bid.priceCpmMicros),
    Rule: why?.reason ?? '',
  }));
}

/** Of its answer, besides the one that took part. */
export function bidRefusals(candidate: Candidate): Refusal[] {
  return otherBidsOf(candidate)
    .filter(({ refusal }) => refusal.reason !== 'lost')
    .slice(0, bidsMax)
    .map(({ refusal }) => refusal);
}

/** What a bid's VAST has lost; empty if it was not read. */
function droppedFrom({ vast, read = vast }: Bid): readonly string[] {
  return read === undefined || 'fault' in read ? [] : read.dropped;
}

/** Nothing is taken from the price but the publisher's part and the fee. */
function dealPrice(
  bid: Bid | undefined,
  priceCpmMicros: number | undefined,
  payoutCpmMicros: number | undefined,
): DealPrice | null {
  if (!bid?.deal) return null;
  const Code = bid.deal.deal.settings.Code;
  if (priceCpmMicros === undefined || payoutCpmMicros === undefined)
    return { Code, Paid: null, Publisher: null, CurationFee: null };
  return {
    Code,
    Paid: cpmUsdOf(priceCpmMicros),
    Publisher: cpmUsdOf(payoutCpmMicros),
    CurationFee: cpmUsdOf(priceCpmMicros - payoutCpmMicros),
  };
}

interface Standing {
  readonly outcome: ExplainedCandidate['Outcome'];
  /** Absent if it has not won. */
  readonly priceCpmMicros?: number;
  readonly payoutCpmMicros?: number;
  readonly pod?: readonly PodAd[];
}

/** Of a candidate among the ads that are shown. */
export function standingOf({ ranking, pod }: Auction, candidate: Candidate): Standing {
  const [first, ...others] = ranking.flatMap((ranked, place) =>
    ranked.candidate === candidate ? [{ ranked, place }] : [],
  );
  if (!first) return { outcome: 'refused' };
  if (!pod && first.place > 0) return { outcome: 'fallback' };
  const own = pod ? [first, ...others] : [first];
  const priceCpmMicros = own.reduce((sum, { ranked }) => sum + ranked.clearingCpmMicros, 0);
  const payoutCpmMicros = own.reduce((sum, { ranked }) => sum + ranked.payoutCpmMicros, 0);
  if (!pod) return { outcome: 'won', priceCpmMicros, payoutCpmMicros };
  const ads = own.map(({ ranked: { bid, clearingCpmMicros: paid, payoutCpmMicros: part }, place }) => {
    const Deal = dealPrice(bid, paid, part);
    return { Place: place + 1, Creative: bid.creativeId, Price: cpmUsdOf(paid), Deal };
  });
  return { outcome: 'won', priceCpmMicros, payoutCpmMicros, pod: ads };
}

export interface ExplainedBids {
  readonly bid?: Bid | undefined;
  /** The bid's own by default. */
  readonly priceCpmMicros?: number | undefined;
  /** If it won. */
  readonly payoutCpmMicros?: number | undefined;
  readonly pod?: readonly PodAd[] | undefined;
  /** Of the answer's other bids. */
  readonly ofBids?: readonly Refusal[];
  /** Absent if nothing is withheld. */
  readonly consent?: ViewerConsent | undefined;
  readonly Media?: readonly Media[];
  readonly Bids?: readonly ExplainedBid[];
  readonly Deals?: readonly ShownOffer[];
  readonly IsMatched?: 0 | 1;
}

const shownForeign = (price: ForeignPrice | undefined): ShownForeignPrice | null =>
  price ? { Currency: price.currency, Cpm: price.cpm, Rate: price.usdPerUnit } : null;

const shownFloor = ({ floorCpmMicros, foreignFloor }: Floor) => ({
  Bidfloor: cpmUsdOf(floorCpmMicros),
  ForeignBidfloor: shownForeign(foreignFloor),
});

const noFloor: Floor = { floorCpmMicros: 0 };

export const shownBidfloor = ({ opportunity }: Pick<Auction, 'opportunity'>) => shownFloor(opportunity);

function shownMetRule(Medium: Media, { ruleFloors }: Opportunity): ShownFloorRule[] {
  return (ruleFloors?.met ?? []).map(({ rule, isControl }) => {
    const own = ruleFloors?.rules.find((floor) => floor.rule === rule) ?? ruleFloors?.otherwise;
    const Outcome = isControl ? 'control' : 'floor';
    const IsFound = isFloorFound(rule) ? 1 : 0;
    return { Id: rule.id, Name: rule.settings.Name, Medium, Outcome, IsFound, ...shownFloor(own ?? noFloor) };
  });
}

/** Of all media that the ad may be of. */
export const shownFloorRules = ({ opportunity, isRuled }: Auction): ShownFloorRule[] =>
  isRuled ? mediaIn(opportunity).flatMap((media) => shownMetRule(media, inMedium(opportunity, media))) : [];

const offersMax = 16;

/** Once for all candidates that are offered the same. */
const shownOffers = memoizeWeak((offers: readonly OfferedDeal[]): readonly ShownOffer[] =>
  offers
    .slice(0, offersMax)
    .map(({ deal, ...floor }) => ({ Id: deal.id, Code: deal.settings.Code, ...shownFloor(floor) })),
);

/** What a candidate was asked for and told, and what it bid. */
export const askedAndBid = (
  { consent, opportunity }: Auction,
  candidate: Candidate,
): Pick<ExplainedBids, 'bid' | 'consent' | 'Media' | 'Bids' | 'Deals' | 'IsMatched'> => ({
  bid: candidate.bid,
  consent: candidate.withheld === 0 ? undefined : consent,
  Media: candidate.media ?? (candidate.refusals?.some(isByMedium) ? [] : [opportunity.media]),
  Bids: shownBids(candidate),
  Deals: candidate.deals ? shownOffers(candidate.deals) : [],
  IsMatched: candidate.isMatched ? 1 : 0,
});

/** Each reason once. */
export function shownWithholdings(consent: ViewerConsent, vendor: number): ShownWithholding[] {
  const rows = consent.reasonsFor(vendor).map((one) => ({ ...withholdingText(one), mask: one.activities }));
  return [...Map.groupBy(rows, ({ wanted, met }) => `${wanted}\n${met}`).values()].flatMap((same) => {
    const Activities = activitiesIn(same.reduce((mask, one) => mask | one.mask, 0));
    return same.slice(0, 1).map(({ wanted, met }) => ({ Activities, Wanted: wanted, Met: met }));
  });
}

/** What is shown as its price, in its currency. */
function foreignPriceOf(bid: Bid | undefined, priceCpmMicros: number | undefined): ForeignPrice | undefined {
  const { foreign } = bid ?? {};
  if (foreign === undefined || priceCpmMicros === undefined || priceCpmMicros === bid?.priceCpmMicros) {
    return foreign;
  }
  return { ...foreign, cpm: amountIn(priceCpmMicros, foreign) };
}

export function explainedCandidate(
  demand: Demand,
  outcome: ExplainedCandidate['Outcome'],
  refusals: readonly Refusal[],
  {
    bid,
    priceCpmMicros = bid?.priceCpmMicros,
    payoutCpmMicros,
    pod = [],
    ofBids = [],
    consent,
    Media = [],
    Bids = [],
    Deals = [],
    IsMatched = 0,
  }: ExplainedBids = {},
): ExplainedCandidate {
  const [refusal] = refusals;
  return {
    Entity: demand.kind,
    Id: demand.id,
    Name: demand.name,
    Outcome: outcome,
    Rule: refusal?.reason ?? '',
    ...shownRefusal(refusal),
    Refusals: shownRefusals([...refusals, ...ofBids]),
    Price: priceCpmMicros === undefined ? null : cpmUsdOf(priceCpmMicros),
    Pod: pod,
    Media: [...Media],
    Bids: [...Bids],
    ForeignPrice: shownForeign(foreignPriceOf(bid, priceCpmMicros)),
    Deals: [...Deals],
    Deal: pod.length > 0 ? null : dealPrice(bid, priceCpmMicros, payoutCpmMicros),
    Withheld: consent ? shownWithholdings(consent, demand.gvlId) : [],
    IsMatched,
    DroppedElements: bid === undefined ? [] : droppedFrom(bid),
  };
}
