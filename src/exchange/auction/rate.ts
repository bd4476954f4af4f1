import { refuseFloor } from '../currency.ts';
import { isOut, type Step } from './auction.ts';
import { lowestFloor } from './cost.ts';
import { toldTo } from './floor-rules.ts';

/**
 * Leaves out demand in another currency that has no rate now, and demand whose bounds refuse the floor: at that rate, or
 * where deals may be below it, or floor rules depend on who bids.
 */
export const rate: Step = ({ supply, opportunity, candidates, isRuled }) => {
  for (const candidate of candidates) {
    const { demand, deals } = candidate;
    const told = isRuled ? toldTo(candidate, opportunity) : opportunity;
    const asked = deals ? { ...told, floorCpmMicros: lowestFloor(told, deals) } : told;
    isOut(candidate, refuseFloor(demand.settings, asked, supply.deals !== undefined || isRuled));
  }
  return undefined;
};
