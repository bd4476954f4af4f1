import type { AtAddress } from '../../statistics/events.ts';
import { countedAddress, parseIpAddress } from '../reading/ip-address.ts';
import type { Demand } from '../snapshot/demand.ts';
import type { Supply } from '../snapshot/supply.ts';
import type { TrackedAd } from './tracked-ad.ts';

/**
 * The address that an ad's impression counts for, with those of its objects that limit the impressions of an address;
 * undefined where none does. Goes with the billable event, so that a restart forgets none.
 */
export function atAddressOf(
  { ip: told, auctionMs }: Pick<TrackedAd, 'ip' | 'auctionMs'>,
  objects: readonly (Supply | Demand | undefined)[],
): AtAddress | undefined {
  const limited = objects.flatMap((object) => (object?.limits.impressionsPerIp ? [object] : []));
  const ip = limited.length > 0 ? parseIpAddress(told) : undefined;
  if (!ip) return undefined;
  return {
    address: countedAddress(ip),
    timeMs: auctionMs,
    objects: limited.map(({ kind, id }) => ({ kind, id })),
  };
}
