import type { Auction, Candidate } from '../auction/auction.ts';
import { requestFloorOf } from '../auction/floor-rules.ts';
import type { Reason } from '../reasons.ts';

/** Micro-USD of CPM: the request's own floor, then its bids, the highest first. */
export type SampledAuction = readonly [floorMicros: number, ...bidMicros: number[]];

export interface BidSample {
  /** Hours since 1970. */
  readonly hour: number;
  readonly kind: string;
  readonly id: number;
  /** `""` = unknown. */
  readonly country: string;
  readonly auctions: number;
  readonly sampled: readonly SampledAuction[];
}

export interface BidSamples {
  note(auction: Auction): void;
  /** Those of the current hour stay until it is over. */
  take(): BidSample[];
}

/** Auctions per supply object, country and hour; bids of each; and how many such samples. */
const [auctionsMax, bidsMax, samplesMax] = [16, 5, 2000];
const hourMs = 3_600_000;

/** Others cannot be sold at any floor. */
const sellable: ReadonlySet<Reason> = new Set<Reason>(['lost', 'below_floor']);

const priceOf = ({ bid, refusal }: Candidate): number[] =>
  bid && (!refusal || sellable.has(refusal.reason)) ? [bid.priceCpmMicros] : [];

interface HourSample extends BidSample {
  auctions: number;
  readonly sampled: SampledAuction[];
  isTaken: boolean;
}

/** Every auction with bids may be sampled (reservoir sampling, algorithm R). `random`: 0 to less than 1. */
export function createBidSamples(random: () => number): BidSamples {
  const samples = new Map<string, HourSample>();
  let hour = 0;
  const keptOf = ({ supply: { kind, id }, opportunity: { country } }: Auction): HourSample | undefined => {
    const key = `${hour} ${kind} ${id} ${country}`;
    const known = samples.get(key);
    if (known || samples.size >= samplesMax) return known;
    const fresh = { hour, kind, id, country, auctions: 0, sampled: [], isTaken: true };
    samples.set(key, fresh);
    return fresh;
  };
  return {
    note(auction) {
      const { candidates, opportunity } = auction;
      if (opportunity.isTest || !candidates.some(({ bid }) => bid)) return;
      const prices = candidates.flatMap(priceOf);
      if (prices.length === 0) return;
      hour = Math.max(hour, Math.floor(opportunity.timeMs / hourMs));
      const kept = keptOf(auction);
      if (!kept) return;
      kept.auctions += 1;
      kept.isTaken = false;
      const place = kept.auctions <= auctionsMax ? kept.auctions - 1 : Math.floor(random() * kept.auctions);
      if (place >= auctionsMax) return;
      const highest = prices.sort((one, other) => other - one).slice(0, bidsMax);
      kept.sampled[place] = [requestFloorOf(opportunity).floorCpmMicros, ...highest];
    },
    take() {
      const taken = [...samples.values()].filter(({ isTaken }) => !isTaken);
      for (const one of taken) one.isTaken = true;
      for (const [key, one] of samples) if (one.hour < hour) samples.delete(key);
      return taken.map(({ isTaken: _, ...sample }) => ({ ...sample, sampled: [...sample.sampled] }));
    },
  };
}
