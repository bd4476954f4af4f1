import { onlyKeys } from './keys.ts';
import type { KeyRule } from './rule.ts';

/** "Mobile/Tablet" covers phones and tablets (AdCOM 1.0). */
const general = '1';
const covered: ReadonlySet<string> = new Set(['4', '5']);

/** AdCOM 1.0 "Device Types". */
export const deviceType: KeyRule = {
  form: 'keys',
  field: 'DeviceTypes',
  reason: 'device_type_not_targeted',
  keysOf: ({ device }) => device.types.map(String),
  canShare: (one, other) =>
    one === other || (one === general && covered.has(other)) || (other === general && covered.has(one)),
  restriction: (object) => onlyKeys((object.settings.DeviceTypes ?? []).map(String)),
};
