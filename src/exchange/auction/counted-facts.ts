import type { AdFacts, Traffic } from '../../reference/cubes.ts';
import type { Bid } from '../demand/demand-kind.ts';
import type { Opportunity } from '../opportunity.ts';
import type { Auction } from './auction.ts';

/** Bounded because trackers carry them, so that later events count under the same names. */
const charactersMax = 64;

export function auctionTraffic({
  opportunity,
  services,
  consent,
}: Pick<Auction, 'opportunity' | 'services' | 'consent'>): Omit<Traffic, 'site'> {
  const { country, device, media, width, height } = opportunity;
  return {
    country,
    // Sorted: the last type is the most exact.
    deviceType: device.types.at(-1) ?? 0,
    os: device.os.family,
    browser: device.browser.family,
    medium: media,
    size: width > 0 && height > 0 ? `${width}x${height}` : '',
    region: services.region,
    consent: consent.state,
  };
}

/** The app's bundle or the site's domain; `""` = unknown. */
export const placementName = ({ inventory }: Opportunity): string => inventory.appBundle || inventory.domain;

export const dealCode = ({ deal }: Bid): string => deal?.deal.settings.Code ?? '';

export function adFactsOf(bid: Bid): AdFacts {
  const { seat, adDomains, creativeId } = bid;
  return {
    seat: seat.slice(0, charactersMax),
    adDomain: (adDomains[0] ?? '').slice(0, charactersMax),
    creative: creativeId.slice(0, charactersMax),
    deal: dealCode(bid),
  };
}
