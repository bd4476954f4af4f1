import type { Bid } from '../../demand/demand-kind.ts';
import { type CpmMicros, cpmUsdOf } from '../../money.ts';
import { type Refusal, refuse } from '../../reasons.ts';
import { floorFor } from '../floor-for.ts';
import type { BidCheck } from './bid-rule.ts';

function below({ priceCpmMicros }: Bid, floorCpmMicros: CpmMicros): Refusal | undefined {
  if (priceCpmMicros >= floorCpmMicros) return undefined;
  const wanted = cpmUsdOf(floorCpmMicros);
  return refuse('below_floor', { field: 'Bidfloor', wanted, met: cpmUsdOf(priceCpmMicros) });
}

/**
 * Refuses bids below the floor of the supply object or the request, whichever is greater. Prices in USD CPM. Where the
 * floor depends on the ad's length, only the supply object's holds for all: the rest is for `lengthFloor`.
 */
export const floor: BidCheck = (bid, { floorCpmMicros, lengthFloors }) =>
  below(bid, lengthFloors?.leastCpmMicros ?? floorCpmMicros);

/** Refuses bids below the floor for the length of their ad. */
export const lengthFloor: BidCheck = (bid, opportunity) =>
  opportunity.lengthFloors && below(bid, floorFor(bid, opportunity));
