import { secondPricePlus } from '../../reference/second-price.ts';
import { dealTerms, feeOn } from '../deal-terms.ts';
import type { Bid } from '../demand/demand-kind.ts';
import { type CpmMicros, cpmUsdOf } from '../money.ts';
import type { OfferedDeal } from '../offered-deal.ts';
import { type Refusal, refuse } from '../reasons.ts';

interface PricedBid {
  readonly priceCpmMicros: CpmMicros;
  /** Of its deal, the lower number first; absent = an open bid. */
  readonly priority?: number | undefined;
  readonly isFixedPrice?: boolean;
}

export interface PricingTerms {
  readonly auctionType: 1 | 2;
  /** The greater of the supply object's floor and the request's. */
  readonly floorCpmMicros: CpmMicros;
  /** Of that, what the publisher gets before its share of the rest; absent = all of it. */
  readonly guaranteedCpmMicros?: CpmMicros | undefined;
  readonly publisherProfitShare: number;
  /** Says what is paid, and what the publisher gets of it. */
  readonly deal?: OfferedDeal | undefined;
}

export interface Clearing {
  readonly clearingCpmMicros: CpmMicros;
  readonly payoutCpmMicros: CpmMicros;
}

/** After all deals. */
const openPriority = 100;

export const priorityOf = ({ deal }: Pick<Bid, 'deal'>) => deal?.deal.priority;

/** The lower number first. */
export const priorityRank = (priority: number | undefined) => priority ?? openPriority;

/** By priority, then by price. */
export const compareBids = (one: PricedBid, other: PricedBid): number =>
  priorityRank(one.priority) - priorityRank(other.priority) || other.priceCpmMicros - one.priceCpmMicros;

/** Best first, equal bids in random order. `random` is from 0 to less than 1. */
export function rankBids<B extends PricedBid>(bids: readonly B[], random: () => number): B[] {
  if (bids.length < 2) return [...bids];
  const drawn = bids.map((bid) => ({ bid, lot: random() }));
  drawn.sort((one, other) => compareBids(one.bid, other.bid) || one.lot - other.lot);
  return drawn.map(({ bid }) => bid);
}

/** Inserts a bid below position `after`; among equal bids at random. */
export function insertRanked<B extends PricedBid>(
  ranked: B[],
  bid: B,
  after: number,
  random: () => number,
): void {
  const isWhile = (place: number, from: number) => {
    const other = ranked[place];
    return other !== undefined && compareBids(other, bid) <= from;
  };
  let first = after + 1;
  while (isWhile(first, -1)) first += 1;
  let end = first;
  while (isWhile(end, 0)) end += 1;
  const equal = end - first;
  ranked.splice(equal === 0 ? first : first + Math.floor(random() * (equal + 1)), 0, bid);
}

/** The floor plus the publisher's share above it, rounded down so as not to exceed what was earned. */
function payoutOf(
  clearingCpmMicros: CpmMicros,
  { floorCpmMicros, guaranteedCpmMicros = floorCpmMicros, publisherProfitShare }: PricingTerms,
): CpmMicros {
  const floor = Math.min(guaranteedCpmMicros, clearingCpmMicros);
  const profit = clearingCpmMicros - floor;
  return floor + Math.floor((profit * publisherProfitShare) / 100);
}

/** The publisher gets all but the curation fee. */
const dealClearing = ({ fee }: OfferedDeal, clearingCpmMicros: CpmMicros): Clearing => ({
  clearingCpmMicros,
  payoutCpmMicros: clearingCpmMicros - feeOn(fee, clearingCpmMicros),
});

/** `second`: the bid that came second, if any (reference, "Auctions"). */
export function clearingPrices(
  winner: PricedBid,
  second: PricedBid | undefined,
  terms: PricingTerms,
): Clearing {
  const { deal, floorCpmMicros } = terms;
  if (deal && dealTerms(deal.deal).isFixed) return dealClearing(deal, floorCpmMicros);
  if (winner.isFixedPrice) {
    return { clearingCpmMicros: winner.priceCpmMicros, payoutCpmMicros: winner.priceCpmMicros };
  }
  const clearingCpmMicros =
    terms.auctionType === 1
      ? winner.priceCpmMicros
      : secondPricePlus(winner.priceCpmMicros, second?.priceCpmMicros ?? 0, terms.floorCpmMicros);
  if (deal) return dealClearing(deal, clearingCpmMicros);
  return { clearingCpmMicros, payoutCpmMicros: payoutOf(clearingCpmMicros, terms) };
}

/** Prices in USD CPM; against a deal of higher priority, its code. */
export function outbidRefusal(
  winner: Pick<Bid, 'priceCpmMicros' | 'deal'> | undefined,
  bid: Pick<Bid, 'priceCpmMicros' | 'deal'>,
): Refusal {
  const met = cpmUsdOf(bid.priceCpmMicros);
  const deal = winner?.deal?.deal;
  const isBehindDeal = deal && deal.priority < priorityRank(priorityOf(bid));
  if (isBehindDeal) return refuse('lost_to_deal', { wanted: deal.settings.Code, met });
  return refuse('lost', { wanted: winner && cpmUsdOf(winner.priceCpmMicros), met });
}
