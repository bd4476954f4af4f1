import { subnetOf } from '../reading/ip-address.ts';
import type { Reason } from '../reasons.ts';
import type { IpListKind, ListRule } from './rule.ts';

/** Of the lists in `IpBlacklists`, those of one `Kind`. */
const ipRule = (kind: IpListKind, reason: Reason): ListRule => ({
  form: 'lists',
  field: 'IpBlacklists',
  kind: 'IpList',
  reason,
  subjectOf: ({ ip }) => ip && subnetOf(ip).text,
  holds: (lists, listId, { ip }) => ip !== undefined && lists.ip(listId, ip, kind),
});

export const ipBlacklist = ipRule(0, 'ip_blocked');
export const invalidAddress = ipRule(1, 'invalid_address');
export const dataCentre = ipRule(2, 'data_centre');
