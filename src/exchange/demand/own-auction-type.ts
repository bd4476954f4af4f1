import type { Demand } from '../snapshot/demand.ts';

/**
 * `AuctionType` of a DSP RTB EP, which decides the `at` of its bid requests and the price it pays. Undefined if the
 * supply object's type applies, as it does to all other demand.
 */
export function ownAuctionType({ settings }: Demand): 1 | 2 | undefined {
  const { AuctionType: own } = settings;
  return own === 1 || own === 2 ? own : undefined;
}
