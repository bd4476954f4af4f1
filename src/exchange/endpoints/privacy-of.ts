import type { Privacy } from '../opportunity.ts';
import type { ZoneQuery } from '../reading/query.ts';

const bitOf = (query: ZoneQuery, name: string) => query.integer(name, 1) as 0 | 1 | undefined;

/** From the zone or feed URL (reference, "Privacy"). */
export function privacyOf(query: ZoneQuery): Privacy {
  return { coppa: bitOf(query, 'coppa'), limitAdTracking: bitOf(query, 'lmt') };
}
