import type { Auction, Candidate } from '../auction/auction.ts';
import { decides, requestFloorOf } from '../auction/floor-rules.ts';
import { pricingTerms } from '../auction/pricing-terms.ts';
import type { Bid } from '../demand/demand-kind.ts';
import { inMedium, mediaIn } from '../media-variants.ts';
import type { CpmMicros } from '../money.ts';
import type { RuleFloors } from '../rule-floors.ts';
import type { FloorRule } from '../snapshot/floor-rule.ts';

/**
 * Micro-USD of CPM: the request's own floor, the highest bid whose floor the rule decides, what the winner pays if
 * nothing else bounds it (at first price its own), and the highest of the other bids.
 */
export type RuleSample = readonly [floor: CpmMicros, first: CpmMicros, second: CpmMicros, other: CpmMicros];

export interface SampledBid {
  readonly candidate: Candidate;
  readonly bid: Bid;
}

const percent = 100;
const priceOf = (sampled: SampledBid | undefined) => sampled?.bid.priceCpmMicros ?? 0;

/** What of a price would be the publisher's, whose floor without the rule is `own`; more for a higher price. */
function publisherPart(price: CpmMicros, own: CpmMicros, share: number): CpmMicros {
  return share === 0 || price <= own ? price : own + Math.floor(((price - own) * share) / percent);
}

function floorsFor({ opportunity }: Auction, bid: Bid): RuleFloors | undefined {
  return bid.deal ? undefined : inMedium(opportunity, bid.media).ruleFloors;
}

/** Undefined if the rule decides about none of the bids. With `Net`, prices are what the publisher gets of them. */
function sampleFor(
  auction: Auction,
  rule: FloorRule,
  bids: readonly SampledBid[],
  own: CpmMicros,
): RuleSample | undefined {
  const isDecided = ({ bid }: SampledBid) => decides(rule, bid, floorsFor(auction, bid)?.met ?? []);
  const [first, second] = bids.filter(isDecided);
  if (!first) return undefined;
  const other = bids.find((one) => !isDecided(one) && one.candidate.refusal?.reason !== 'below_floor');
  const isFirstPrice = first.bid.isFixedPrice || pricingTerms(auction, first).auctionType === 1;
  const prices = [
    requestFloorOf(auction.opportunity).floorCpmMicros,
    priceOf(first),
    priceOf(isFirstPrice ? first : second),
    priceOf(other),
  ] as const;
  if (rule.settings.Net === 0) return prices;
  const part = (price: CpmMicros) => publisherPart(price, own, auction.supply.publisherProfitShare);
  return [part(prices[0]), part(prices[1]), part(prices[2]), part(prices[3])];
}

/** For each rule with `Auto` that the request meets, also as part of its control group. `bids`: the highest first. */
export function ruleSamples(auction: Auction, bids: readonly SampledBid[]): Map<number, RuleSample> {
  const samples = new Map<number, RuleSample>();
  for (const media of mediaIn(auction.opportunity)) {
    const { met = [], otherwise } = inMedium(auction.opportunity, media).ruleFloors ?? {};
    for (const { rule } of met) {
      if (rule.settings.Auto !== 1 || samples.has(rule.id)) continue;
      const sample = sampleFor(auction, rule, bids, otherwise?.floorCpmMicros ?? 0);
      if (sample) samples.set(rule.id, sample);
    }
  }
  return samples;
}
