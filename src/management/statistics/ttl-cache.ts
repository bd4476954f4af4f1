import { createRecentCache } from '../../shared/recent-cache.ts';

/** Reads a value, unless it was read under this key within `forMs`. */
export type TtlCache<T> = (key: string, forMs: number, read: () => Promise<T>) => Promise<T>;

/** Concurrent requests share a read. */
export function createTtlCache<T>(now: () => number, sizeMax: number): TtlCache<T> {
  const values = createRecentCache<string, { readonly readMs: number; readonly value: Promise<T> }>(sizeMax);
  return (key, forMs, read) => {
    const found = values.get(key);
    if (found && Math.abs(now() - found.readMs) < forMs) return found.value;
    const value = read();
    values.set(key, { readMs: now(), value });
    // Failures are not cached.
    value.catch(() => values.delete(key));
    return value;
  };
}
