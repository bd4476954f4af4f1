import { priorities } from '../../reference/priorities.ts';
import { secondPricePlus } from '../../reference/second-price.ts';
import { dealTerms, feeOn } from '../deal-terms.ts';
import type { Bid } from '../demand/demand-kind.ts';
import { type CpmMicros, cpmUsdOf } from '../money.ts';
import type { OfferedDeal } from '../offered-deal.ts';
import { type Refusal, refuse } from '../reasons.ts';

interface PricedBid {
  readonly priceCpmMicros: CpmMicros;
  /** The lower number first; absent = an open bid. */
  readonly priority?: number;
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

export const priorityOf = ({ deal, demand }: Pick<Bid, 'deal' | 'demand'>) =>
  deal?.deal.priority ?? demand.settings.Priority ?? priorities.open;

/** By priority, then by price. */
export const compareBids = (one: PricedBid, other: PricedBid): number =>
  (one.priority ?? priorities.open) - (other.priority ?? priorities.open) ||
  other.priceCpmMicros - one.priceCpmMicros;

export interface DrawnBid extends PricedBid {
  /** Of equal bids, the lower one first. */
  readonly lot: number;
}

/** With these, each of equal bids comes first as often as its part of their weights. `random` is from 0 to less than 1. */
export const lotOf = (weight: number, random: () => number): number => -Math.log(1 - random()) / weight;

const compareDrawn = (one: DrawnBid, other: DrawnBid) => compareBids(one, other) || one.lot - other.lot;

/** Best first. */
export const rankBids = <B extends DrawnBid>(bids: readonly B[]): B[] =>
  bids.length < 2 ? [...bids] : bids.toSorted(compareDrawn);

/** Inserts a bid below position `after`. */
export function insertRanked<B extends DrawnBid>(ranked: B[], bid: B, after: number): void {
  const place = ranked.findIndex((other, index) => index > after && compareDrawn(other, bid) > 0);
  ranked.splice(place < 0 ? ranked.length : place, 0, bid);
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

type RivalBid = Pick<Bid, 'priceCpmMicros' | 'deal' | 'demand'>;

/** Prices in USD CPM; against a bid of higher priority, its deal's code, or both priorities. */
export function outbidRefusal(winner: RivalBid | undefined, bid: RivalBid): Refusal {
  const met = cpmUsdOf(bid.priceCpmMicros);
  const [first, own] = [winner ? priorityOf(winner) : priorities.last, priorityOf(bid)];
  if (winner && first < own) {
    const { deal } = winner;
    return deal
      ? refuse('lost_to_deal', { wanted: deal.deal.settings.Code, met })
      : refuse('lost_to_priority', { field: 'Priority', wanted: first, met: own });
  }
  return refuse('lost', { wanted: winner && cpmUsdOf(winner.priceCpmMicros), met });
}
