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
 * floor depends on the ad's length, that is for `lengthFloor`.
 */
export const floor: BidCheck = (bid, { floorCpmMicros, lengthFloors }) =>
  lengthFloors ? undefined : below(bid, floorCpmMicros);

/** Refuses bids below the floor for the length of their ad. A bid whose markup comes later is judged then. */
export const lengthFloor: BidCheck = (bid, opportunity) =>
  opportunity.lengthFloors && bid.markup !== undefined ? below(bid, floorFor(bid, opportunity)) : undefined;
