import { isOut, type Step } from './auction.ts';
import { leastCostOf } from './cost.ts';

/** Checks the limits of demand: first for an ad at the floor, then takes a request. */
export const throttle: Step = ({ candidates, opportunity, services }) => {
  const { limits } = services;
  const { timeMs } = opportunity;
  const leastNanos = leastCostOf(opportunity);
  for (const candidate of candidates) {
    const { demand, refusal, refusals } = candidate;
    if (refusal && !refusals) continue;
    if (!isOut(candidate, limits.mayReserve(demand, opportunity, leastNanos))) {
      isOut(candidate, limits.takeRequest(demand, timeMs));
    }
  }
  return undefined;
};
