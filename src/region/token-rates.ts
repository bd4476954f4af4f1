import type { TokenRates } from '../management/http/token-rates.ts';
import { createRecentCache } from '../shared/recent-cache.ts';
import { createSharedCounts, type SharedCountsOptions } from '../valkey/shared-counts.ts';

/** Of the region, as far as known. */
export interface SharedTokenRates extends TokenRates {
  flush(): Promise<void>;
  close(): Promise<void>;
}

const keptSeconds = 5;
const tokensMax = 10_000;

/** By the second, with other processes of the region, heard ten times a second. Nothing waits for that. */
export function shareTokenRates(
  rates: TokenRates,
  shared: Omit<SharedCountsOptions, 'use' | 'keptSeconds' | 'onTotals'>,
): SharedTokenRates {
  /** Uses by others, by second and token. */
  const others = createRecentCache<string, number>(tokensMax);
  const keyOf = (second: string, token: string) => `${second} ${token}`;
  const counts = createSharedCounts({
    ...shared,
    use: 'tokens',
    keptSeconds,
    onTotals(second, totals) {
      for (const { name, total, own } of totals) others.set(keyOf(second, name), total - own);
    },
  });
  return {
    count(tokenId, nowMs) {
      const second = Math.floor(nowMs / 1000);
      counts.add(String(second), String(tokenId), 1);
      return rates.count(tokenId, nowMs) + (others.get(keyOf(String(second), String(tokenId))) ?? 0);
    },
    flush: counts.flush,
    close: counts.close,
  };
}
