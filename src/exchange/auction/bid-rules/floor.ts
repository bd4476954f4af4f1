import { cpmUsdOf } from '../../money.ts';
import { refuse } from '../../reasons.ts';
import type { BidCheck } from './bid-rule.ts';

/** Refuses bids below the floor of the supply object or the request, whichever is greater. Prices in USD CPM. */
export const floor: BidCheck = ({ priceCpmMicros }, { floorCpmMicros }) => {
  if (priceCpmMicros >= floorCpmMicros) return;
  const wanted = cpmUsdOf(floorCpmMicros);
  return refuse('below_floor', { field: 'Bidfloor', wanted, met: cpmUsdOf(priceCpmMicros) });
};
