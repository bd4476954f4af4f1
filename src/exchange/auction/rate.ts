import { refuseFloor } from '../currency.ts';
import { isOut, type Step } from './auction.ts';
import { lowestFloor } from './cost.ts';

/**
 * Leaves out demand in another currency that has no rate now, and demand whose bounds refuse the floor: at that rate, or
 * where deals may be below it.
 */
export const rate: Step = ({ supply, opportunity, candidates }) => {
  for (const candidate of candidates) {
    const { demand, deals } = candidate;
    const asked = deals ? { ...opportunity, floorCpmMicros: lowestFloor(opportunity, deals) } : opportunity;
    isOut(candidate, refuseFloor(demand.settings, asked, supply.deals !== undefined));
  }
  return undefined;
};
