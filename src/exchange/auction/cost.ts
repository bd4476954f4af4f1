import { type CpmMicros, impressionNanos, millionthsOf, type Nanos } from '../money.ts';
import type { OfferedDeal } from '../offered-deal.ts';
import type { Opportunity } from '../opportunity.ts';

/** The cost of one impression at a CPM. */
export function costOf(cpmMicros: CpmMicros, { multiplier = 1 }: Pick<Opportunity, 'multiplier'>): Nanos {
  return impressionNanos(cpmMicros, millionthsOf(multiplier));
}

/** The lowest floor at which an ad may be bought: that of the impression, or of one of the deals. */
export function lowestFloor(
  { floorCpmMicros, variants }: Pick<Opportunity, 'floorCpmMicros' | 'variants'>,
  deals: readonly OfferedDeal[] | undefined,
): CpmMicros {
  let lowest = floorCpmMicros;
  if (variants) for (const one of variants) lowest = Math.min(lowest, one.floorCpmMicros ?? floorCpmMicros);
  if (deals) for (const deal of deals) lowest = Math.min(lowest, deal.floorCpmMicros);
  return lowest;
}

/** The least that an ad may cost, unless it depends on its length. */
export function leastCostOf(opportunity: Opportunity, deals?: readonly OfferedDeal[]): Nanos {
  const { lengthFloors, variants } = opportunity;
  return lengthFloors || variants?.some((one) => one.lengthFloors)
    ? 0
    : costOf(lowestFloor(opportunity, deals), opportunity);
}
