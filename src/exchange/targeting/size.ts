import { takesBidRequests } from '../../entities/kinds.ts';
import { createRecentCache } from '../../shared/recent-cache.ts';
import type { Opportunity, Size } from '../opportunity.ts';
import { restrictionByMode } from './keys.ts';
import type { KeyRule } from './rule.ts';

const none: readonly string[] = [];

/** Looking up keys of common sizes costs less than making them for each auction. */
const recent = createRecentCache<number, readonly string[]>(1000);
const pixelsMax = 2 ** 20;

/** Without width or height it is unknown. */
function keysOfSize({ width, height }: Size): readonly string[] {
  if (!(width > 0 && height > 0)) return none;
  if (width >= pixelsMax || height >= pixelsMax) return [`${width}x${height}`];
  const number = width * pixelsMax + height;
  let keys = recent.get(number);
  if (keys === undefined) {
    keys = [`${width}x${height}`];
    recent.set(number, keys);
  }
  return keys;
}

function keysOf(opportunity: Opportunity): readonly string[] {
  return opportunity.sizes ? opportunity.sizes.flatMap(keysOfSize) : keysOfSize(opportunity);
}

export const size: KeyRule = {
  form: 'keys',
  field: 'SizesList',
  reason: 'size_not_targeted',
  keysOf,
  // An OpenRTB impression may take several sizes.
  canShare: (one, other, { entity }) => one === other || takesBidRequests(entity),
  restriction: (object) => restrictionByMode(object.settings.SizesListMode, object.settings.SizesList ?? []),
};
