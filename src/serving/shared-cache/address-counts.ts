import type { Limits } from '../../exchange/limits/limits.ts';
import type { Limited, PromisedIn } from '../../exchange/limits/promised.ts';
import { parseIpAddress } from '../../exchange/reading/ip-address.ts';
import { createSharedCounts, type SharedCountsOptions } from '../../valkey/shared-counts.ts';

export interface SharedAddressCounts {
  readonly limits: Limits;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const hourMs = 3_600_000;
const hoursPerDay = 24;
const keptSeconds = 2 * 86_400;
const askedMax = 100_000;

/** IPv6 by its /64. */
function addressKey({ text, version, bytes }: NonNullable<PromisedIn['ip']>): string {
  if (version === 4) return text;
  const parts = Array.from({ length: 4 }, (_, index) =>
    (((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0)).toString(16),
  );
  return `${parts.join(':')}::`;
}

/**
 * Adds this process's counts to the region's ten times a second, and raises its own to the totals. An address's first
 * auction has its total fetched but does not wait.
 */
export function shareAddressCounts(
  limits: Limits,
  shared: Omit<SharedCountsOptions, 'use' | 'keptSeconds' | 'onTotals'>,
): SharedAddressCounts {
  const counts = createSharedCounts({
    ...shared,
    use: 'addresses',
    keptSeconds,
    onTotals(day, totals) {
      const hour = Number(day) * hoursPerDay;
      const shown = totals.flatMap(({ name, total: impressions }) => {
        const [kind = '', id = '', address = ''] = name.split(' ');
        const ip = parseIpAddress(address);
        return ip && impressions > 0 ? [{ kind, id: Number(id), ip, hour, impressions }] : [];
      });
      limits.raiseAddresses(shown);
    },
  });
  const asked = new Set<string>();
  const add = ({ kind, id, limits: own }: Limited, { ip, timeMs }: Omit<PromisedIn, 'to'>, count: number) => {
    if (own.impressionsPerIp === 0 || !ip) return;
    const day = String(Math.floor(timeMs / hourMs / hoursPerDay));
    const name = `${kind} ${id} ${addressKey(ip)}`;
    const key = `${day} ${name}`;
    if (count === 0 && asked.has(key)) return;
    if (asked.size >= askedMax) asked.clear();
    asked.add(key);
    counts.add(day, name, count);
  };
  return {
    limits: {
      ...limits,
      mayPromise(object, auction, nanos) {
        add(object, auction, 0);
        return limits.mayPromise(object, auction, nanos);
      },
      promise(object, auction, nanos) {
        add(object, auction, 0);
        return limits.promise(object, auction, nanos);
      },
      book(object, promised, shown) {
        limits.book(object, promised, shown);
        add(object, shown.auction, 1);
      },
    },
    flush: counts.flush,
    close: counts.close,
  };
}
