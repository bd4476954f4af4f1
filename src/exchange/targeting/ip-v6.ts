import { subnetOf } from '../reading/ip-address.ts';
import { allButKeys } from './keys.ts';
import type { KeyRule } from './rule.ts';

const version4 = ['IPv4'];
const version6 = ['IPv6'];

/** IPv4-mapped addresses are IPv4. */
export const ipV6: KeyRule = {
  form: 'keys',
  field: 'AllowIpV6',
  reason: 'ip_v6_not_allowed',
  keysOf: ({ ip }) => {
    if (ip === undefined) return [];
    return ip.version === 6 ? version6 : version4;
  },
  restriction: (object) => (object.settings.AllowIpV6 === 0 ? allButKeys(version6) : undefined),
  metOf: ({ ip }) => ip && subnetOf(ip).text,
};
