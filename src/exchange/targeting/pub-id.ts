import { takesBidRequests } from '../../entities/kinds.ts';
import { nonEmptyLines } from '../non-empty-lines.ts';
import { onlyKeys, restrictionByMode, singleKey } from './keys.ts';
import type { KeyRule } from './rule.ts';

/** By the effective `SellerId` (reference, "Targeting"). */
export const pubId: KeyRule = {
  form: 'keys',
  field: 'PubIdList',
  reason: 'publisher_blocked',
  keysOf: ({ sellerId }) => singleKey(sellerId),
  restriction: (object) =>
    restrictionByMode(object.settings.PubIdListMode, nonEmptyLines(object.settings.PubIdList)),
  // Only an RTB EP's own `PubIdList` is compared, although its opportunities have its `SellerId` too.
  possibleKeys: ({ entity, sellerId }) => (takesBidRequests(entity) ? undefined : onlyKeys([sellerId])),
};
