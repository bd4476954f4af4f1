import type { AtAddress } from '../../statistics/events.ts';
import { countedAddress, parseIpAddress } from '../reading/ip-address.ts';
import type { Limited } from '../snapshot/limited.ts';
import type { TrackedAd } from './tracked-ad.ts';

/**
 * Address and objects that limit impressions per address; undefined if none does. Stored with the billable event, so
 * that a restart loses no count.
 */
export function atAddressOf(
  { ip, auctionMs }: Pick<TrackedAd, 'ip' | 'auctionMs'>,
  objects: readonly (Limited | undefined)[],
): AtAddress | undefined {
  const limited = objects.flatMap((object) => (object?.limits.impressionsPerIp ? [object] : []));
  const address = limited.length > 0 ? parseIpAddress(ip) : undefined;
  if (!address) return undefined;
  return {
    address: countedAddress(address),
    timeMs: auctionMs,
    objects: limited.map(({ kind, id }) => ({ kind, id })),
  };
}
