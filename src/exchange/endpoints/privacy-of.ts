import type { Privacy } from '../opportunity.ts';
import type { ZoneQuery } from '../reading/query.ts';

const bitOf = (query: ZoneQuery, name: string) => query.integer(name, 1) as 0 | 1 | undefined;

/** `coppa` and `lmt` of a zone or feed URL, which its caller may add to it (reference, "Privacy"). */
export function privacyOf(query: ZoneQuery): Privacy {
  return { coppa: bitOf(query, 'coppa'), limitAdTracking: bitOf(query, 'lmt') };
}
