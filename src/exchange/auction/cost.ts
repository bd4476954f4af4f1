import { type CpmMicros, impressionNanos, millionthsOf, type Nanos } from '../money.ts';
import type { Opportunity } from '../opportunity.ts';

/** What one showing of an ad costs at a CPM. */
export function costOf(cpmMicros: CpmMicros, { multiplier = 1 }: Pick<Opportunity, 'multiplier'>): Nanos {
  return impressionNanos(cpmMicros, millionthsOf(multiplier));
}

/** The least that an ad may cost: its floor, unless that depends on the ad. */
export function leastCostOf(opportunity: Opportunity): Nanos {
  return opportunity.lengthFloors ? 0 : costOf(opportunity.floorCpmMicros, opportunity);
}
