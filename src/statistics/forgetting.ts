import { minutesKept, type Retention } from '../reference/cubes.ts';
import type { Store } from '../store/interface.ts';
import { dayMs, dayOf } from './days.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;
/** The clocks of several machines may differ by this much. */
const expiryGraceMs = hourMs;
/** How long IDs of written lots are kept: a lot whose commit is in doubt is written again once the database is back. */
const flushedKeptMs = hourMs;
/** Events come for up to 31 days after their auction, and count under the names that its day has kept. */
const namesKeptDays = 32;

/** How many days rows of cubes are kept. */
export type RetentionDays = Readonly<Record<Exclude<Retention, 'always' | 'minutes'>, number>>;

/** From when on rows are kept, in milliseconds since 1970. */
export function retainedFrom(retention: Retention, nowMs: number, keptDays: RetentionDays): number {
  if (retention === 'always') return 0;
  return retention === 'minutes'
    ? nowMs - minutesKept * minuteMs
    : (dayOf(nowMs) - keptDays[retention]) * dayMs;
}

/**
 * How many days rows are kept where no setting says it: quarter hours and the widest cubes so that the whole last month
 * can be asked for two weeks long, in zones of half hours, too; hours so that a quarter's accounts can be settled by
 * them; all else for as long.
 */
export const standardKeptDays: RetentionDays = { finest: 45, hours: 93, traffic: 93 };

interface ForgettingOptions {
  readonly store: Pick<Store, 'statistics'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly keptDays?: RetentionDays;
}

/**
 * Deletes from the database what is no longer needed; to be called every second or less often. Expired events and IDs
 * of lots are deleted once a minute. Old rows of cubes, of which many end with each day, are deleted in a small lot at
 * each call; when none is left, they are looked for once an hour, those by the minute once a minute.
 */
export function createForgetting({
  store: { statistics },
  now,
  keptDays = standardKeptDays,
}: ForgettingOptions): () => Promise<void> {
  let nextMs = 0;
  let nextMinutesMs = 0;
  let nextCubesMs = 0;
  const forgetCubes = async (timeMs: number): Promise<boolean> => {
    for (const kept of Object.keys(keptDays) as (keyof RetentionDays)[]) {
      if (await statistics.forgetCubes(kept, retainedFrom(kept, timeMs, keptDays) / dayMs)) return true;
    }
    return statistics.forgetNames(dayOf(timeMs) - namesKeptDays);
  };
  return async () => {
    const timeMs = now();
    if (timeMs >= nextMs) {
      nextMs = timeMs + minuteMs;
      await statistics.forget({ expiresMs: timeMs - expiryGraceMs, flushedMs: timeMs - flushedKeptMs });
    }
    if (timeMs >= nextMinutesMs) {
      const beforeDay = retainedFrom('minutes', timeMs, keptDays) / dayMs;
      const hasMore = await statistics.forgetCubes('minutes', beforeDay);
      if (!hasMore) nextMinutesMs = timeMs + minuteMs;
    }
    if (timeMs >= nextCubesMs) {
      const hasMore = await forgetCubes(timeMs);
      if (!hasMore) nextCubesMs = timeMs + hourMs;
    }
  };
}
