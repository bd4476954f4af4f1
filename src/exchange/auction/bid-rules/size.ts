import type { Bid } from '../../demand/demand-kind.ts';
import type { Opportunity, Size } from '../../opportunity.ts';
import { type Refusal, refuse } from '../../reasons.ts';
import type { BidCheck } from './bid-rule.ts';

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

interface ListedSizes {
  readonly settings: {
    readonly SizesList?: readonly string[] | undefined;
    readonly SizesListMode?: number | undefined;
  };
}

/** A banner that states its size must have one that `SizesList` allows. */
export function listedSize({ settings }: ListedSizes) {
  const field = 'SizesList';
  const listed = new Set(settings[field]);
  const isWhitelist = settings.SizesListMode === 1;
  if (listed.size === 0) return;
  return (bid: Bid): Refusal | undefined => {
    const met = sizeOf(bid);
    if (bid.media !== 'banner' || met === '' || listed.has(met) === isWhitelist) return;
    return refuse('size_not_allowed', { field, wanted: isWhitelist ? 'listed' : 'not listed', met });
  };
}
