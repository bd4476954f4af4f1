import type { IpAddress } from '../opportunity.ts';
import { listRule } from './list-rule.ts';

/** Blocks addresses by IP Lists (specification 2.4). */
export const ipBlacklist = listRule<IpAddress>({
  field: 'IpBlacklists',
  kind: 'IpList',
  reason: 'ip_blocked',
  subjectOf: ({ ip }) => ip,
  holds: (lists, id, ip) => lists.ip(id, ip),
  shown: ({ text }) => text,
});
