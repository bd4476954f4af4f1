import { refuseFloor } from '../currency.ts';
import { isOut, type Step } from './auction.ts';

/** Leaves out demand in another currency that has no rate now, or whose bounds refuse the floor at that rate. */
export const rate: Step = ({ opportunity, candidates }) => {
  for (const candidate of candidates) isOut(candidate, refuseFloor(candidate.demand.settings, opportunity));
  return undefined;
};
