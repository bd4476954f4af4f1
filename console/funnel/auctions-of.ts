import type { AuctionsSearch } from '../auctions/auctions-search.ts';
import type { Loss } from './funnel.ts';
import type { FunnelSearch } from './funnel-search.ts';

export const auctionsOf = (
  { supply, demand }: FunnelSearch,
  loss?: Pick<Loss, 'reason' | 'stage'>,
): AuctionsSearch => ({
  // What the request was refused for is of the supply object alone.
  supply,
  demand: loss?.stage === 'requests' ? undefined : demand,
  reason: loss?.reason,
  refused: loss && (loss.stage === 'requests' ? 'request' : 'demand'),
});
