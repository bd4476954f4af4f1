import { linesOf } from '../lines-of.ts';
import { keyOf, listed } from './keys.ts';
import type { KeyRule } from './rule.ts';

/** Blocks or allows a pop feed's subids. */
export const subId: KeyRule = {
  form: 'keys',
  field: 'SubidList',
  reason: 'sub_id_listed',
  keysOf: ({ subId }) => keyOf(subId),
  restriction: (object) => listed(object.settings.SubidListMode, linesOf(object.settings.SubidList)),
};
