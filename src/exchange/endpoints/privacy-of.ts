import type { BidRequest } from '../../protocols/openrtb/objects/request.ts';
import type { Privacy } from '../opportunity.ts';
import type { Caller } from '../reading/caller.ts';
import type { ZoneQuery } from '../reading/query.ts';

/** VAST's `[REGULATIONS]`. */
const regulations = /^(?:coppa|gdpr)(?:,(?:coppa|gdpr))*$/;

/** Whatever is said counts as 1, unless it is 0, `false` or a list of other regulations. */
function bitOf(query: ZoneQuery, name: string): 0 | 1 | undefined {
  const value = query.known(name, true).trim().toLowerCase();
  if (value === '' || (regulations.test(value) && !value.includes(name))) return undefined;
  return value === 'false' || Number(value) === 0 ? 0 : 1;
}

const sectionMax = 1_000_000;
const noSections: readonly number[] = [];

/** Separated by commas or underscores. */
function sectionsOf(query: ZoneQuery): readonly number[] {
  const value = query.known('gpp_sid');
  if (value === '') return noSections;
  const sections = value.split(/[,_]/).map(Number);
  return [...new Set(sections.map((id) => (Number.isInteger(id) && Math.abs(id) <= sectionMax ? id : 0)))];
}

type Browser = Pick<Caller, 'hasGpc'>;

/** From the zone or feed URL and the visitor's browser (reference, "Privacy"). */
export function privacyOf(query: ZoneQuery, { hasGpc }: Browser): Privacy {
  return {
    coppa: bitOf(query, 'coppa'),
    gdpr: bitOf(query, 'gdpr'),
    consent: query.known('gdpr_consent'),
    limitAdTracking: bitOf(query, 'lmt'),
    usPrivacy: query.known('us_privacy'),
    gpp: query.known('gpp'),
    gppSid: sectionsOf(query),
    hasGpc: hasGpc || bitOf(query, 'gpc') === 1,
  };
}

/** From a bid request, and the visitor's browser if that sends it. */
export function privacyIn({ regs, user, device }: BidRequest, browser: Browser | undefined): Privacy {
  return {
    coppa: regs?.coppa,
    gdpr: regs?.gdpr,
    consent: user?.consent ?? '',
    limitAdTracking: device?.lmt,
    usPrivacy: regs?.us_privacy ?? '',
    gpp: regs?.gpp ?? '',
    gppSid: regs?.gpp_sid ?? noSections,
    hasGpc: regs?.ext?.gpc === '1' || browser?.hasGpc === true,
  };
}
