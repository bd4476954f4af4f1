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

/** Floors that depend on the ad's length are for `lengthFloor`, those of deals for `deal`. */
export const floor: BidCheck = (bid, { floorCpmMicros, lengthFloors }) =>
  lengthFloors || bid.deal ? undefined : below(bid, floorCpmMicros);

/** A bid whose markup comes later is judged then. */
export const lengthFloor: BidCheck = (bid, opportunity) =>
  opportunity.lengthFloors && !bid.deal && bid.markup !== undefined
    ? below(bid, floorFor(bid, opportunity))
    : undefined;
