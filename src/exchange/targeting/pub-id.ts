import { takesBidRequests } from '../../entities/kinds.ts';
import { linesOf } from '../lines-of.ts';
import { keyOf, listed, only } from './keys.ts';
import type { KeyRule } from './rule.ts';

/** Blocks or allows the supply object's effective `SellerId` (reference, "Targeting"). */
export const pubId: KeyRule = {
  form: 'keys',
  field: 'PubIdList',
  reason: 'publisher_blocked',
  keysOf: ({ sellerId }) => keyOf(sellerId),
  restriction: (object) => listed(object.settings.PubIdListMode, linesOf(object.settings.PubIdList)),
  // Of an RTB EP only its own `PubIdList` is compared, although its opportunities have its `SellerId` too.
  possibleKeys: ({ entity, sellerId }) => (takesBidRequests(entity) ? undefined : only([sellerId])),
};
