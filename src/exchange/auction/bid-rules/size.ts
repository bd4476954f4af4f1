import type { Opportunity, Size } from '../../opportunity.ts';
import { refuse } from '../../reasons.ts';
import type { BidRule } from './bid-rule.ts';

const sizeOf = ({ width, height }: Size) => (width > 0 && height > 0 ? `${width}x${height}` : '');

const wantedSizes = (opportunity: Opportunity) =>
  (opportunity.sizes ?? [opportunity]).map(sizeOf).filter((size) => size !== '');

/**
 * A banner must have a size that was asked for, and one that `SizesList` allows. A size that one of the two sides does
 * not name is not compared. Videos are scaled to their player and have no size here.
 */
export const size: BidRule = ({ document }) => {
  const field = 'SizesList';
  const listed = new Set(document[field] as readonly string[] | undefined);
  const isWhitelist = document.SizesListMode === 1;
  return (bid, opportunity) => {
    const met = sizeOf(bid);
    if (bid.media !== 'banner' || met === '') return;
    const sizes = wantedSizes(opportunity);
    if (sizes.length > 0 && !sizes.includes(met)) {
      return refuse('size_not_allowed', { wanted: sizes.length > 1 ? sizes : sizes[0], met });
    }
    if (listed.size === 0 || listed.has(met) === isWhitelist) return;
    return refuse('size_not_allowed', { field, wanted: isWhitelist ? 'listed' : 'not listed', met });
  };
};
