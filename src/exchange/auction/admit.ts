import type { Step } from './auction.ts';

/**
 * Takes the request from the supply object's own limits, unless its door has already done so. Then checks its targeting
 * and filters, and whether it may promise another impression.
 */
export const admit: Step = ({ supply, opportunity, services }) => {
  const isTaken = opportunity.impression !== undefined;
  const refusal = isTaken ? undefined : services.limits.takeRequest(supply, opportunity.timeMs);
  if (refusal) return refusal;
  if (opportunity.refusal) return opportunity.refusal;
  for (const check of supply.checks) {
    const refused = check(opportunity);
    if (refused) return refused;
  }
  return services.limits.mayPromise(supply, opportunity.ip, opportunity.timeMs);
};
