import type { PeriodCounters } from './period-counters.ts';

/** Counts one in a period and keeps it where `isWithin` agrees with the new count; else takes it back. */
export function takeOne(
  ring: PeriodCounters,
  at: number,
  period: number,
  isWithin: (count: number) => boolean,
): boolean {
  const count = ring.add(at, period, 1);
  if (count === undefined) return false;
  if (isWithin(count)) return true;
  ring.add(at, period, -1);
  return false;
}
