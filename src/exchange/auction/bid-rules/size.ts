import type { Opportunity, Size } from '../../opportunity.ts';
import { refuse } from '../../reasons.ts';
import type { BidCheck, BidRule } from './bid-rule.ts';

const sizeOf = ({ width, height }: Size) => (width > 0 && height > 0 ? `${width}x${height}` : '');

const wantedSizes = (opportunity: Opportunity) =>
  (opportunity.sizes ?? [opportunity]).map(sizeOf).filter((size) => size !== '');

/** A banner's size must be one of those requested, if both sides name any. Videos scale to their player. */
export const askedSize: BidCheck = (bid, opportunity) => {
  const met = sizeOf(bid);
  if (bid.media !== 'banner' || met === '') return;
  const sizes = wantedSizes(opportunity);
  if (sizes.length === 0 || sizes.includes(met)) return;
  return refuse('size_not_allowed', { wanted: sizes.length > 1 ? sizes : sizes[0], met });
};

/** A banner that states its size must have one that `SizesList` allows. */
export const listedSize: BidRule = ({ settings }) => {
  const field = 'SizesList';
  const listed = new Set(settings[field]);
  const isWhitelist = settings.SizesListMode === 1;
  if (listed.size === 0) return;
  return (bid) => {
    const met = sizeOf(bid);
    if (bid.media !== 'banner' || met === '' || listed.has(met) === isWhitelist) return;
    return refuse('size_not_allowed', { field, wanted: isWhitelist ? 'listed' : 'not listed', met });
  };
};
