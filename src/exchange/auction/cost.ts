import { type CpmMicros, impressionNanos, millionthsOf, type Nanos } from '../money.ts';
import type { Opportunity } from '../opportunity.ts';

/** The cost of one impression at a CPM. */
export function costOf(cpmMicros: CpmMicros, { multiplier = 1 }: Pick<Opportunity, 'multiplier'>): Nanos {
  return impressionNanos(cpmMicros, millionthsOf(multiplier));
}

/** The least that an ad may cost: the floor, unless it depends on the ad or its deal. */
export function leastCostOf(opportunity: Opportunity, deals: readonly object[] | undefined): Nanos {
  const { lengthFloors, variants } = opportunity;
  return deals || lengthFloors || variants?.some((one) => one.lengthFloors)
    ? 0
    : costOf(opportunity.floorCpmMicros, opportunity);
}
