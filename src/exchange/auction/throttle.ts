import { isOut, type Step } from './auction.ts';

/**
 * Checks the limits of demand: first whether it may promise an impression, then its requests, of which it takes one.
 */
export const throttle: Step = ({ candidates, opportunity, services }) => {
  const { limits } = services;
  const { ip, timeMs } = opportunity;
  for (const candidate of candidates) {
    const { demand } = candidate;
    if (!isOut(candidate, limits.mayPromise(demand, ip, timeMs))) {
      isOut(candidate, limits.takeRequest(demand, timeMs));
    }
  }
  return undefined;
};
