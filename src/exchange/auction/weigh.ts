import { mediaIn } from '../media-variants.ts';
import { cpmUsdOf } from '../money.ts';
import { type Refusal, refuse } from '../reasons.ts';
import type { CallEstimate, CallValue, ValueModel } from '../value-model/value-model.ts';
import { type Auction, type Candidate, isOut, type Step } from './auction.ts';
import { bidValues } from './bid-values.ts';
import { costOf } from './cost.ts';
import { placementName } from './counted-facts.ts';
import { pricingTerms } from './pricing-terms.ts';
import { endOfCall } from './report-auction.ts';

/** Not in tests, not for demand that bids without a call, and not under a deal that was made with it. */
function isWeighed({ supply, opportunity, services }: Auction, { demand, deals = [] }: Candidate): boolean {
  if (deals.some(({ deal }) => deal.buyers.size > 0)) return false;
  if (supply.settings.AutoOptimize !== 1 && demand.settings.AutoOptimize !== 1) return false;
  return services.kinds[demand.kind].isCalled?.(demand, opportunity) ?? true;
}

function weighingOf({ supply, opportunity }: Auction, valueModel: ValueModel): CallValue {
  const { auctionId, country, device } = opportunity;
  // The same before and after the winner's medium is known.
  const [{ width, height } = opportunity] = opportunity.variants ?? [];
  const medium = mediaIn(opportunity).join('+');
  const deviceType = device.types.at(-1) ?? 0;
  return valueModel.of(supply, {
    auctionId,
    country,
    deviceType,
    medium,
    site: placementName(opportunity),
    width,
    height,
  });
}

/** Both values are for 1,000 calls. */
function notWorth({ expectedNanos, leastNanos }: CallEstimate, exploredShare: number): Refusal {
  return refuse('not_worth_asking', {
    field: 'AutoOptimize',
    wanted: cpmUsdOf(Math.round(leastNanos)),
    met: { ExpectedValue: cpmUsdOf(Math.round(expectedNanos)), ExploredShare: exploredShare },
  });
}

/** Leaves out demand not worth its call if `AutoOptimize` is on, except in a share of auctions that explore. */
export const weigh: Step = (auction) => {
  const { opportunity, services, candidates } = auction;
  const { valueModel } = services;
  if (!valueModel || opportunity.isTest) return undefined;
  let callValue: CallValue | undefined;
  for (const candidate of candidates) {
    const { demand } = candidate;
    if (!isWeighed(auction, candidate)) continue;
    callValue ??= weighingOf(auction, valueModel);
    candidate.judged = callValue.judge(demand);
    if (!candidate.judged) continue;
    if (!candidate.refusals && callValue.explores(demand)) continue;
    isOut(candidate, notWorth(candidate.judged, valueModel.exploredShare));
  }
  return undefined;
};

/** As a CPM: of each candidate all its ads. */
function broughtInPod({ ranking }: Auction): ReadonlyMap<Candidate, number> {
  const brought = new Map<Candidate, number>();
  for (const { candidate, clearingCpmMicros } of ranking)
    brought.set(candidate, (brought.get(candidate) ?? 0) + clearingCpmMicros);
  return brought;
}

/** As a CPM: of the winner, and of the bid that raised its price. */
function broughtIn(auction: Auction): ReadonlyMap<Candidate, number> {
  const [first] = auction.ranking;
  if (!first) return new Map();
  if (auction.pod) return broughtInPod(auction);
  const behind = auction.candidates
    .flatMap((candidate) => {
      const { bid, refusal } = candidate;
      const isBehind =
        candidate !== first.candidate &&
        bid?.deal === first.bid.deal &&
        (!refusal || refusal.reason === 'lost');
      return bid && isBehind ? [{ candidate, priceCpmMicros: bid.priceCpmMicros }] : [];
    })
    .toSorted((one, other) => other.priceCpmMicros - one.priceCpmMicros);
  const brought = bidValues(first.bid, behind, pricingTerms(auction, first));
  const [second] = behind;
  const ofSecond = second ? ([[second.candidate, brought.second]] as const) : [];
  return new Map([[first.candidate, first.clearingCpmMicros], ...ofSecond]);
}

/** To be called once, when the auction is over. */
export function learnFromCalls(auction: Auction): void {
  const { opportunity, services, candidates } = auction;
  const { valueModel } = services;
  if (!valueModel || opportunity.isTest) return;
  const called = candidates.filter((candidate) => endOfCall(candidate) && isWeighed(auction, candidate));
  if (called.length === 0) return;
  const callValue = weighingOf(auction, valueModel);
  const brought = broughtIn(auction);
  for (const candidate of called) {
    const nanos = costOf(brought.get(candidate) ?? 0, opportunity);
    const outcome = { nanos, timeMs: opportunity.timeMs, explored: candidate.judged };
    callValue.learn(candidate.demand, outcome);
  }
}
