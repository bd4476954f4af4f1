import { createRecentCache } from './recent-cache.ts';

interface Reading<Value> {
  readonly readMs: number;
  readonly value: Promise<Value>;
  isRenewed: boolean;
}

export interface CacheAges {
  /** Up to this age, nothing is read again. */
  readonly freshMs: number;
  /** Up to this age, the old value is answered while the next one is read; by default nobody gets an old one. */
  readonly usableMs?: number;
  readonly keysMax: number;
}

/** By key, the value that is cached, or what `read` resolves with. Concurrent callers share a read. */
export type AsyncCache<Value> = (key: string, read: () => Promise<Value>) => Promise<Value>;

/** Failures are not cached: after a failed renewal, the old value is answered while it is usable. */
export function createAsyncCache<Value>(
  now: () => number,
  { freshMs, usableMs = freshMs, keysMax }: CacheAges,
): AsyncCache<Value> {
  const readings = createRecentCache<string, Reading<Value>>(keysMax);
  const start = (read: () => Promise<Value>): Reading<Value> => ({
    readMs: now(),
    value: read(),
    isRenewed: false,
  });
  const readFirst = (key: string, read: () => Promise<Value>) => {
    const reading = start(read);
    readings.set(key, reading);
    reading.value.catch(() => readings.delete(key));
    return reading.value;
  };
  const renew = (key: string, read: () => Promise<Value>, old: Reading<Value>) => {
    old.isRenewed = true;
    const reading = start(read);
    reading.value.then(
      () => readings.set(key, reading),
      () => {
        old.isRenewed = false;
      },
    );
  };
  return (key, read) => {
    const known = readings.get(key);
    // Either way, if the clock was set.
    const ageMs = known ? Math.abs(now() - known.readMs) : Number.POSITIVE_INFINITY;
    if (!known || ageMs >= usableMs) return readFirst(key, read);
    if (ageMs >= freshMs && !known.isRenewed) renew(key, read, known);
    return known.value;
  };
}
