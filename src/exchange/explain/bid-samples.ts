import type { Auction, Candidate } from '../auction/auction.ts';
import { requestFloorOf } from '../auction/floor-rules.ts';
import type { Reason } from '../reasons.ts';
import { ruleSamples, type SampledBid } from './rule-samples.ts';

/** Micro-USD of CPM: the request's own floor, then its bids, the highest first; of a rule, see `RuleSample`. */
export type SampledAuction = readonly number[];

export interface BidSample {
  /** Hours since 1970. */
  readonly hour: number;
  /** Of the supply object, or `FloorRule`. */
  readonly kind: string;
  readonly id: number;
  /** `""` = unknown, or all of a rule's. */
  readonly country: string;
  readonly auctions: number;
  readonly sampled: readonly SampledAuction[];
}

export interface BidSamples {
  note(auction: Auction): void;
  /** Those of the current hour stay until it is over. */
  take(): BidSample[];
}

/** Auctions per supply object, country and hour; of each rule's hour; bids of each; and how many such samples. */
const [auctionsMax, ofRuleMax, bidsMax, samplesMax] = [16, 64, 5, 2000];
const hourMs = 3_600_000;

/** Others cannot be sold at any floor. */
const sellable: ReadonlySet<Reason> = new Set<Reason>(['lost', 'below_floor']);

const isSellable = ({ bid, refusal }: Candidate) =>
  bid !== undefined && (!refusal || sellable.has(refusal.reason));

/** The highest first. */
const sellableBids = ({ candidates }: Auction): SampledBid[] =>
  candidates
    .flatMap((candidate) =>
      candidate.bid && isSellable(candidate) ? [{ candidate, bid: candidate.bid }] : [],
    )
    .toSorted((one, other) => other.bid.priceCpmMicros - one.bid.priceCpmMicros);

type Sampled = Pick<BidSample, 'kind' | 'id' | 'country'>;

interface HourSample extends BidSample {
  auctions: number;
  readonly sampled: SampledAuction[];
  isTaken: boolean;
}

/** Every auction with bids may be sampled (reservoir sampling, algorithm R). `random`: 0 to less than 1. */
export function createBidSamples(random: () => number): BidSamples {
  const samples = new Map<string, HourSample>();
  let hour = 0;
  const keptOf = (of: Sampled): HourSample | undefined => {
    const key = `${hour} ${of.kind} ${of.id} ${of.country}`;
    const known = samples.get(key);
    if (known || samples.size >= samplesMax) return known;
    const fresh = { hour, ...of, auctions: 0, sampled: [], isTaken: true };
    samples.set(key, fresh);
    return fresh;
  };
  const add = (of: Sampled, max: number, sample: () => SampledAuction) => {
    const kept = keptOf(of);
    if (!kept) return;
    kept.auctions += 1;
    kept.isTaken = false;
    const place = kept.auctions <= max ? kept.auctions - 1 : Math.floor(random() * kept.auctions);
    if (place < max) kept.sampled[place] = sample();
  };
  return {
    note(auction) {
      const { candidates, opportunity, supply, isRuled } = auction;
      if (opportunity.isTest || !candidates.some(isSellable)) return;
      hour = Math.max(hour, Math.floor(opportunity.timeMs / hourMs));
      const { kind, id } = supply;
      add({ kind, id, country: opportunity.country }, auctionsMax, () => [
        requestFloorOf(opportunity).floorCpmMicros,
        ...sellableBids(auction)
          .slice(0, bidsMax)
          .map(({ bid }) => bid.priceCpmMicros),
      ]);
      if (!isRuled) return;
      for (const [ruleId, sample] of ruleSamples(auction, sellableBids(auction)))
        add({ kind: 'FloorRule', id: ruleId, country: '' }, ofRuleMax, () => sample);
    },
    take() {
      const taken = [...samples.values()].filter(({ isTaken }) => !isTaken);
      for (const one of taken) one.isTaken = true;
      for (const [key, one] of samples) if (one.hour < hour) samples.delete(key);
      return taken.map(({ isTaken: _, ...sample }) => ({ ...sample, sampled: [...sample.sampled] }));
    },
  };
}
