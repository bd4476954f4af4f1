import type { Demand } from '../snapshot/demand.ts';

/** Decides the `at` of its requests and the price it pays; undefined if the supply object's type applies. */
export function ownAuctionType({ settings }: Demand): 1 | 2 | undefined {
  const { AuctionType: own } = settings;
  return own === 1 || own === 2 ? own : undefined;
}
