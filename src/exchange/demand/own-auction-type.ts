import type { Demand } from '../snapshot/demand.ts';

/**
 * `AuctionType` of a DSP RTB EP: what it is told (`at`), and what it pays by. Undefined where that is the supply
 * object's, as with all other demand.
 */
export function ownAuctionType({ document }: Demand): 1 | 2 | undefined {
  const { AuctionType: own } = document;
  return own === 1 || own === 2 ? own : undefined;
}
