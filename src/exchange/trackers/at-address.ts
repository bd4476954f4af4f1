import type { AtAddress } from '../../statistics/events.ts';
import { frequencyRule, keptMinutes } from '../limits/viewer-rules.ts';
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

const minuteMs = 60_000;

/** The viewers' hashes by which an ad that is shown now was promised; undefined if no frequency is limited. */
export function atViewersOf(
  { promises }: Pick<TrackedAd, 'promises'>,
  objects: readonly (Limited | undefined)[],
  nowMs: number,
): AtAddress[] | undefined {
  const counted = objects.flatMap((object) => {
    const bounds = object && frequencyRule.bounds(object.limits);
    const viewer = promises.find(({ kind, id }) => kind === object?.kind && id === object?.id)?.viewer;
    if (!bounds || !viewer) return [];
    const { kind, id } = object;
    const untilMs = nowMs + keptMinutes(bounds) * minuteMs;
    return [{ address: viewer, timeMs: nowMs, untilMs, objects: [{ kind, id }] }];
  });
  return counted.length > 0 ? counted : undefined;
}
