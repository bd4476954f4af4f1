import type { Size } from '../opportunity.ts';
import { listed } from './keys.ts';
import type { KeyRule } from './rule.ts';
import { itemsIn, numberIn } from './stored-values.ts';

const keysOf = (sizes: readonly Size[]) =>
  sizes
    .filter(({ width, height }) => width > 0 && height > 0)
    .map(({ width, height }) => `${width}x${height}`);

/** Blocks or allows the requested size (specification 2.4); a size that is not whole is not known. */
export const size: KeyRule = {
  form: 'keys',
  field: 'SizesList',
  reason: 'size_not_targeted',
  keysOf: (opportunity) => keysOf(opportunity.sizes ?? [opportunity]),
  // An impression of OpenRTB may take several sizes.
  canShare: (one, other, { entity }) => one === other || entity === 'RtbEp',
  restriction: (object) => listed(numberIn(object, 'SizesListMode'), itemsIn<string>(object, 'SizesList')),
};
