/** Reads a value, unless it was read under this key within `forMs`. */
export type TtlCache<T> = (key: string, forMs: number, read: () => Promise<T>) => Promise<T>;

/** Beyond `sizeMax` values all are forgotten. Concurrent requests share a read. */
export function createTtlCache<T>(now: () => number, sizeMax: number): TtlCache<T> {
  const values = new Map<string, { readonly readMs: number; readonly value: Promise<T> }>();
  return (key, forMs, read) => {
    const found = values.get(key);
    if (found && Math.abs(now() - found.readMs) < forMs) return found.value;
    if (values.size >= sizeMax) values.clear();
    const value = read();
    values.set(key, { readMs: now(), value });
    // Failures are not cached.
    value.catch(() => values.delete(key));
    return value;
  };
}
