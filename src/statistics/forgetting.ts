import { minutesKept, type Retention } from '../reference/cubes.ts';
import type { Store } from '../store/interface.ts';
import { dayMs, dayOf } from './days.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;
/** Clocks of machines may differ by this much. */
const expiryGraceMs = hourMs;
/** How long IDs of written batches are kept: a batch whose commit is in doubt is written again. */
const flushedKeptMs = hourMs;
/** Events come up to 31 days after their auction, and count under its day's top values. */
const namesKeptDays = 32;

export type RetentionDays = Readonly<Record<Exclude<Retention, 'always' | 'minutes'>, number>>;

/** Milliseconds since 1970. */
export function retainedFrom(retention: Retention, nowMs: number, keptDays: RetentionDays): number {
  if (retention === 'always') return 0;
  return retention === 'minutes'
    ? nowMs - minutesKept * minuteMs
    : (dayOf(nowMs) - keptDays[retention]) * dayMs;
}

/**
 * Quarter hours and the widest cubes cover last month for two weeks, in half-hour zones too; hours cover a quarter's
 * settlement; countries, sites and the like by quarter hour a month; all else as long as hours.
 */
export const standardKeptDays: RetentionDays = { finest: 45, trafficHours: 31, hours: 93, traffic: 93 };

interface ForgettingOptions {
  readonly store: Pick<Store, 'statistics'>;
  readonly now: () => number;
  readonly keptDays?: RetentionDays;
}

/**
 * To be called every second or less often. Expired events and batch IDs go once a minute; old cube rows in small
 * batches at each call, and then are looked for hourly, minutes every minute.
 */
export function createForgetting({
  store: { statistics },
  now,
  keptDays = standardKeptDays,
}: ForgettingOptions): () => Promise<void> {
  const forgetCubes = async (timeMs: number): Promise<boolean> => {
    for (const kept of Object.keys(keptDays) as (keyof RetentionDays)[]) {
      if (await statistics.forgetCubes(kept, retainedFrom(kept, timeMs, keptDays) / dayMs)) return true;
    }
    return statistics.forgetNames(dayOf(timeMs) - namesKeptDays);
  };
  const forgetEvents = (timeMs: number) =>
    statistics.forget({ expiresMs: timeMs - expiryGraceMs, flushedMs: timeMs - flushedKeptMs });
  const forgetMinutes = (timeMs: number) =>
    statistics.forgetCubes('minutes', retainedFrom('minutes', timeMs, keptDays) / dayMs);
  const purges = [
    { everyMs: minuteMs, forget: forgetEvents, nextMs: 0 },
    { everyMs: minuteMs, forget: forgetMinutes, nextMs: 0 },
    { everyMs: hourMs, forget: forgetCubes, nextMs: 0 },
  ];
  return async () => {
    const timeMs = now();
    for (const purge of purges) {
      if (timeMs < purge.nextMs) continue;
      const hasMore = await purge.forget(timeMs);
      if (!hasMore) purge.nextMs = timeMs + purge.everyMs;
    }
  };
}
