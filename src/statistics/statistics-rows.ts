import { setImmediate as turn } from 'node:timers/promises';
import { isAccount } from '../entities/kinds.ts';
import { noCounts } from '../reference/counters.ts';
import type { DayRange, ObjectKey, StatisticsStore } from '../store/statistics/interface.ts';
import type { StatisticsRow } from './statistics-columns.ts';

/** Days without counts have a row of zeros. */
function withEveryDay({ fromDay, toDay }: DayRange, counted: readonly StatisticsRow[]): StatisticsRow[] {
  const byDay = Map.groupBy(counted, ({ day }) => day);
  const days = Array.from({ length: toDay - fromDay + 1 }, (_, index) => fromDay + index);
  return days.flatMap((day) => byDay.get(day) ?? [{ day, subId: '', counts: noCounts }]);
}

/** Accounts may own thousands of objects, which count by themselves. */
const daysByAccount = 31;
/** A day may have thousands of subids. */
const daysBySubId = 2;

/** Some days at a time, with a tick between: other requests must not wait. */
async function* inParts(
  { fromDay, toDay }: DayRange,
  daysMax: number,
  read: (range: DayRange) => Promise<readonly StatisticsRow[]>,
): AsyncGenerator<readonly StatisticsRow[]> {
  for (let day = fromDay; day <= toDay; day += daysMax) {
    const range = { fromDay: day, toDay: Math.min(toDay, day + daysMax - 1) };
    yield withEveryDay(range, await read(range));
    await turn();
  }
}

export const rowsByDay = (statistics: StatisticsStore, { kind, id }: ObjectKey, days: DayRange) =>
  inParts(days, isAccount(kind) ? daysByAccount : Number.POSITIVE_INFINITY, async (range) => {
    const counted = await statistics.days(kind, [id], range);
    return counted.map(({ day, counts }) => ({ day, subId: '', counts }));
  });

export const rowsBySubId = (statistics: StatisticsStore, object: ObjectKey, days: DayRange) =>
  inParts(days, daysBySubId, (range) => statistics.subIds(object, range));
