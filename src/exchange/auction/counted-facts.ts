import type { AdFacts, Traffic } from '../../reference/cubes.ts';
import type { Bid } from '../demand/demand-kind.ts';
import type { Opportunity } from '../opportunity.ts';

/** Trackers carry them, so that they are counted with what comes later under the same names. */
const charactersMax = 64;

/** What is counted of an opportunity's traffic; its site or app stands beside it, as `place`. */
export function opportunityTraffic(opportunity: Opportunity, region: string): Omit<Traffic, 'site'> {
  const { country, device, media, width, height } = opportunity;
  return {
    country,
    // Those that apply are sorted: the last is the most exact one.
    deviceType: device.types.at(-1) ?? 0,
    os: device.os.family,
    browser: device.browser.family,
    medium: media,
    size: width > 0 && height > 0 ? `${width}x${height}` : '',
    region,
  };
}

/** The app's bundle or the site's domain; `""` = unknown. */
export const placementName = ({ inventory }: Opportunity): string => inventory.appBundle || inventory.domain;

export function adFactsOf({ seat, adDomains, creativeId, dealId = '' }: Bid): AdFacts {
  return {
    seat: seat.slice(0, charactersMax),
    adDomain: (adDomains[0] ?? '').slice(0, charactersMax),
    creative: creativeId.slice(0, charactersMax),
    deal: dealId.slice(0, charactersMax),
  };
}
