import { only } from './keys.ts';
import type { KeyRule } from './rule.ts';
import { itemsIn } from './stored-values.ts';

/** Admits the listed device types, codes of AdCOM 1.0 "Device Types" (specification 2.4). */
export const deviceType: KeyRule = {
  form: 'keys',
  field: 'DeviceTypes',
  reason: 'device_type_not_targeted',
  keysOf: ({ device }) => device.types.map(String),
  restriction: (object) => only(itemsIn<number>(object, 'DeviceTypes').map(String)),
};
