import type { Auction, Ranked } from './auction.ts';

/** Takes back what an auction has promised to a winner that nobody was given: no token of it may be out. */
export function withdraw({ supply, opportunity, services }: Auction, { candidate }: Ranked): void {
  for (const object of [supply, candidate.demand]) services.limits.withdraw(object, opportunity.timeMs);
}
