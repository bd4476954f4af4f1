import type { Store } from '../store/interface.ts';
import { dayOf } from './days.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;
/** The clocks of several machines may differ by this much. */
const expiryGraceMs = hourMs;
/** How long IDs of written lots are kept: a lot whose commit is in doubt is written again once the database is back. */
const flushedKeptMs = hourMs;
/** How long counts by the hour are kept: a quarter's accounts can be settled by them. No report shows them. */
const hoursKeptDays = 93;

/** What the forgetting works with. */
interface ForgettingOptions {
  readonly store: Pick<Store, 'statistics'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Deletes from the database what is no longer needed; to be called every second or less often. Expired events and IDs
 * of lots are deleted once a minute. Old counts by the hour, of which many end with each day, are deleted in a small
 * lot at each call; when none is left, they are looked for once an hour.
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
