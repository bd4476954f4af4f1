import { type CpmMicros, impressionNanos, millionthsOf, type Nanos } from '../money.ts';
import type { Opportunity } from '../opportunity.ts';

/** The cost of one impression at a CPM. */
export function costOf(cpmMicros: CpmMicros, { multiplier = 1 }: Pick<Opportunity, 'multiplier'>): Nanos {
  return impressionNanos(cpmMicros, millionthsOf(multiplier));
}

/** The least that an ad may cost: the floor, unless it depends on the ad. */
export function leastCostOf(opportunity: Opportunity): Nanos {
  const { lengthFloors, variants } = opportunity;
  return lengthFloors || variants?.some((one) => one.lengthFloors)
    ? 0
    : costOf(opportunity.floorCpmMicros, opportunity);
}
