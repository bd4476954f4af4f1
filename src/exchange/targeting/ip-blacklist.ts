import { subnetOf } from '../reading/ip-address.ts';
import type { ListRule } from './rule.ts';

export const ipBlacklist: ListRule = {
  form: 'lists',
  field: 'IpBlacklists',
  kind: 'IpList',
  reason: 'ip_blocked',
  subjectOf: ({ ip }) => ip && subnetOf(ip).text,
  holds: (lists, listId, { ip }) => ip !== undefined && lists.ip(listId, ip),
};
