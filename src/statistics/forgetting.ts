import type { Store } from '../store/interface.ts';
import { dayOf } from './days.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;
/** Clocks of several machines may differ by as much. */
const expiryGraceMs = hourMs;
/** Lots of counts are remembered: one that was in doubt when the database went away is brought again when it is back. */
const flushedKeptMs = hourMs;
/** Counts by the hour: a quarter can be settled by them. No report shows them. */
const hoursKeptDays = 93;

/** What the forgetting works with. */
interface ForgettingOptions {
  readonly store: Pick<Store, 'statistics'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Lets the database forget what it needs no more; to be called every second or less often. What goes by the minute is
 * looked for once a minute. Old hours, of which a day's end leaves many, go a small lot at a call, and are looked for
 * once an hour when none is left.
 */
export function createForgetting({ store: { statistics }, now }: ForgettingOptions): () => Promise<void> {
  let nextMs = 0;
  let nextHoursMs = 0;
  return async () => {
    const timeMs = now();
    if (timeMs >= nextMs) {
      nextMs = timeMs + minuteMs;
      await statistics.forget({ expiresMs: timeMs - expiryGraceMs, flushedMs: timeMs - flushedKeptMs });
    }
    if (timeMs >= nextHoursMs) {
      const hasMore = await statistics.forgetHours(dayOf(timeMs) - hoursKeptDays);
      if (!hasMore) nextHoursMs = timeMs + hourMs;
    }
  };
}
