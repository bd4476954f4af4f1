import { type Fault, invalid } from '../../fields/fault.ts';
import { dayOf } from '../../statistics/days.ts';
import type { DayRange } from '../../store/statistics/interface.ts';

const daysMax = 366;

/** The days that a report is asked for, as far as they are sent. */
interface AskedDays {
  readonly date_from?: number | undefined;
  readonly date_to?: number | undefined;
}

/**
 * Days from first to last: both absent = today, an absent end = today, an absent start = the end. Refuses a range that
 * is empty or too long.
 */
export function dayRange({ date_from, date_to }: AskedDays, nowMs: number): DayRange {
  const toDay = date_to ?? dayOf(nowMs);
  const fromDay = date_from ?? toDay;
  const [Path, other, order] =
    date_to === undefined
      ? ['date_from', 'today', 'must not be after today where date_to is omitted']
      : ['date_to', 'date_from', 'must not be before date_from'];
  const out = (Message: string): Fault => ({ Path, Code: 'out_of_range', Message });
  if (toDay < fromDay) throw invalid([out(order)]);
  if (toDay - fromDay >= daysMax) {
    throw invalid([out(`must be within ${daysMax} days of ${other}, both included`)]);
  }
  return { fromDay, toDay };
}
