/** Reads a value, or gives the one that was read under this key not longer ago than that. */
export type TtlCache<T> = (key: string, forMs: number, read: () => Promise<T>) => Promise<T>;

/** Keeps at most `sizeMax` values in memory; when there are more, all are forgotten. Requests at a time share a read. */
export function createTtlCache<T>(now: () => number, sizeMax: number): TtlCache<T> {
  const values = new Map<string, { readonly readMs: number; readonly value: Promise<T> }>();
  return (key, forMs, read) => {
    const found = values.get(key);
    if (found && Math.abs(now() - found.readMs) < forMs) return found.value;
    if (values.size >= sizeMax) values.clear();
    const value = read();
    values.set(key, { readMs: now(), value });
    // What failed is asked for again.
    value.catch(() => values.delete(key));
    return value;
  };
}
