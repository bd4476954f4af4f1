import type { PeriodCounters } from '../../shared/period-counters.ts';

/**
 * Counts one in the current period, and takes it back where `isWithin` refuses the new count. Returns whether it
 * counts.
 */
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
