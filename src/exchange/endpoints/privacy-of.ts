import type { BidRequest } from '../../protocols/openrtb/objects/request.ts';
import type { Privacy } from '../opportunity.ts';
import type { Caller } from '../reading/caller.ts';
import type { ZoneQuery } from '../reading/query.ts';

const bitOf = (query: ZoneQuery, name: string) => query.integer(name, 1) as 0 | 1 | undefined;

type Browser = Pick<Caller, 'hasGpc'>;

/** From the zone or feed URL and the visitor's browser (reference, "Privacy"). */
export function privacyOf(query: ZoneQuery, { hasGpc }: Browser): Privacy {
  return {
    coppa: bitOf(query, 'coppa'),
    limitAdTracking: bitOf(query, 'lmt'),
    usPrivacy: query.known('us_privacy'),
    hasGpc: hasGpc || bitOf(query, 'gpc') === 1,
  };
}

/** From a bid request, and the visitor's browser if that sends it. */
export function privacyIn({ regs, device }: BidRequest, browser: Browser | undefined): Privacy {
  return {
    coppa: regs?.coppa,
    limitAdTracking: device?.lmt,
    usPrivacy: regs?.us_privacy ?? '',
    hasGpc: regs?.ext?.gpc === '1' || browser?.hasGpc === true,
  };
}
