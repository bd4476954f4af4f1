import { secondPricePlus } from '../../reference/second-price.ts';
import { type CpmMicros, cpmUsdOf } from '../money.ts';
import { type Refusal, refuse } from '../reasons.ts';

interface PricedBid {
  readonly priceCpmMicros: CpmMicros;
  readonly isFixedPrice?: boolean;
}

export interface PricingTerms {
  readonly auctionType: 1 | 2;
  /** The greater of the supply object's floor and the request's. */
  readonly floorCpmMicros: CpmMicros;
  readonly publisherProfitShare: number;
}

export interface Clearing {
  readonly clearingCpmMicros: CpmMicros;
  readonly payoutCpmMicros: CpmMicros;
}

/** Highest first, equal bids in random order. `random` is from 0 to less than 1. */
export function rankBids<B extends PricedBid>(bids: readonly B[], random: () => number): B[] {
  if (bids.length < 2) return [...bids];
  const drawn = bids.map((bid) => ({ bid, lot: random() }));
  drawn.sort((one, other) => other.bid.priceCpmMicros - one.bid.priceCpmMicros || one.lot - other.lot);
  return drawn.map(({ bid }) => bid);
}

/** Inserts a bid below position `after`; among equal bids at random. */
export function insertRanked<B extends PricedBid>(
  ranked: B[],
  bid: B,
  after: number,
  random: () => number,
): void {
  const price = bid.priceCpmMicros;
  let first = after + 1;
  while (first < ranked.length && (ranked[first]?.priceCpmMicros ?? 0) > price) first += 1;
  let end = first;
  while (end < ranked.length && ranked[end]?.priceCpmMicros === price) end += 1;
  const equal = end - first;
  ranked.splice(equal === 0 ? first : first + Math.floor(random() * (equal + 1)), 0, bid);
}

/** The floor plus the publisher's share above it, rounded down so as not to exceed what was earned. */
function payoutOf(
  clearingCpmMicros: CpmMicros,
  { floorCpmMicros, publisherProfitShare }: PricingTerms,
): CpmMicros {
  const floor = Math.min(floorCpmMicros, clearingCpmMicros);
  const profit = clearingCpmMicros - floor;
  return floor + Math.floor((profit * publisherProfitShare) / 100);
}

/** `second`: the bid that came second, if any (reference, "Auctions"). */
export function clearingPrices(
  winner: PricedBid,
  second: PricedBid | undefined,
  terms: PricingTerms,
): Clearing {
  if (winner.isFixedPrice) {
    return { clearingCpmMicros: winner.priceCpmMicros, payoutCpmMicros: winner.priceCpmMicros };
  }
  const clearingCpmMicros =
    terms.auctionType === 1
      ? winner.priceCpmMicros
      : secondPricePlus(winner.priceCpmMicros, second?.priceCpmMicros ?? 0, terms.floorCpmMicros);
  return { clearingCpmMicros, payoutCpmMicros: payoutOf(clearingCpmMicros, terms) };
}

/** Prices in USD CPM. */
export function outbidRefusal(winner: PricedBid | undefined, { priceCpmMicros }: PricedBid): Refusal {
  const wanted = winner && cpmUsdOf(winner.priceCpmMicros);
  return refuse('lost', { wanted, met: cpmUsdOf(priceCpmMicros) });
}
