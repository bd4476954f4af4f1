import { createRecentCache } from './recent-cache.ts';

/** A value as it was when it was read. */
export interface Snapshot<Value> {
  /** Another one for each reading. */
  readonly version: number;
  readonly value: Value;
}

interface Reading<Value> {
  readonly readMs: number;
  readonly snapshot: Promise<Snapshot<Value>>;
  next?: Promise<Snapshot<Value>> | undefined;
}

export interface Ages {
  /** Up to this age, nothing is read again. */
  readonly freshMs: number;
  /** Up to this age, the old value is answered while the next one is read. */
  readonly usableMs: number;
  readonly keysMax: number;
}

let versions = 0;

/** Reads values by key; nobody waits for the next reading of one that is still usable. */
export function createSnapshots<Value>(now: () => number, { freshMs, usableMs, keysMax }: Ages) {
  const readings = createRecentCache<string, Reading<Value>>(keysMax);
  const start = (key: string, read: () => Promise<Value>, old?: Reading<Value>) => {
    const snapshot = read().then((value) => {
      versions += 1;
      return { version: versions, value };
    });
    const reading: Reading<Value> = { readMs: now(), snapshot };
    if (old) {
      old.next = snapshot;
      snapshot.then(
        () => readings.set(key, reading),
        () => {
          old.next = undefined;
        },
      );
    } else {
      readings.set(key, reading);
      // Failures are not cached.
      snapshot.catch(() => readings.delete(key));
    }
    return snapshot;
  };
  return (key: string, read: () => Promise<Value>): Promise<Snapshot<Value>> => {
    const known = readings.get(key);
    const ageMs = known ? Math.abs(now() - known.readMs) : Number.POSITIVE_INFINITY;
    if (!known || ageMs >= usableMs) return start(key, read);
    if (ageMs >= freshMs && !known.next) void start(key, read, known);
    return known.snapshot;
  };
}
