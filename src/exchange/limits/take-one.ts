import type { PeriodCounters } from './period-counters.ts';

/** Counts one in the period that it is now, and keeps it where `isWithin` agrees with the new count; else takes it back. */
export function takeOne(
  ring: PeriodCounters,
  at: number,
  period: number,
  isWithin: (count: number) => boolean,
): boolean {
  const count = ring.addNow(at, period, 1);
  if (count === undefined) return false;
  if (isWithin(count)) return true;
  ring.add(at, period, -1);
  return false;
}
