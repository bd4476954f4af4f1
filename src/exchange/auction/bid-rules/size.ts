import { refuse } from '../../reasons.ts';
import type { BidRule } from './bid-rule.ts';

const sizeOf = ({ width, height }: { readonly width: number; readonly height: number }) =>
  width > 0 && height > 0 ? `${width}x${height}` : '';

/**
 * Banners have the size that was asked for, and one that `SizesList` lets through; a size that either side does not
 * tell is not compared. Videos are scaled to their player and have no size here.
 */
export const size: BidRule = ({ document }) => {
  const field = 'SizesList';
  const listed = new Set(document[field] as readonly string[] | undefined);
  const isWhitelist = document.SizesListMode === 1;
  return (bid, opportunity) => {
    const met = sizeOf(bid);
    const wanted = sizeOf(opportunity);
    if (bid.media !== 'banner' || met === '') return;
    if (wanted !== '' && met !== wanted) return refuse('size_not_allowed', { wanted, met });
    if (listed.size === 0 || listed.has(met) === isWhitelist) return;
    return refuse('size_not_allowed', { field, wanted: isWhitelist ? 'listed' : 'not listed', met });
  };
};
