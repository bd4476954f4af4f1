import { nonEmptyLines } from '../non-empty-lines.ts';
import { restrictionByMode, singleKey } from './keys.ts';
import type { KeyRule } from './rule.ts';

export const subId: KeyRule = {
  form: 'keys',
  field: 'SubidList',
  reason: 'sub_id_listed',
  keysOf: ({ subId }) => singleKey(subId),
  restriction: (object) =>
    restrictionByMode(object.settings.SubidListMode, nonEmptyLines(object.settings.SubidList)),
};
