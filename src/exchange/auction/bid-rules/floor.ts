import type { Bid } from '../../demand/demand-kind.ts';
import { cpmUsdOf } from '../../money.ts';
import { refuse } from '../../reasons.ts';
import { type BidFloor, floorFor } from '../floor-for.ts';
import { ruleName } from '../floor-rules.ts';
import type { BidCheck } from './bid-rule.ts';

function below({ priceCpmMicros }: Bid, { floorCpmMicros, rule }: Pick<BidFloor, 'floorCpmMicros' | 'rule'>) {
  if (priceCpmMicros >= floorCpmMicros) return undefined;
  const [cpm, met] = [cpmUsdOf(floorCpmMicros), cpmUsdOf(priceCpmMicros)];
  if (!rule) return refuse('below_floor', { field: 'Bidfloor', wanted: cpm, met });
  return refuse('below_floor', { field: 'FloorRule', wanted: `${cpm}, by ${ruleName(rule)}`, met });
}

/** Floors that depend on the ad's length are for `lengthFloor`, those of deals for `deal`. */
export const floor: BidCheck = (bid, opportunity) => {
  if (opportunity.lengthFloors || bid.deal) return undefined;
  return below(bid, opportunity.ruleFloors ? floorFor(bid, opportunity) : opportunity);
};

/** A bid whose markup comes later is judged then. */
export const lengthFloor: BidCheck = (bid, opportunity) =>
  opportunity.lengthFloors && !bid.deal && bid.markup !== undefined
    ? below(bid, floorFor(bid, opportunity))
    : undefined;
