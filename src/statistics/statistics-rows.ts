import { setImmediate as turn } from 'node:timers/promises';
import { noCounts } from '../reference/counters.ts';
import type { DayRange, ObjectKey, StatisticsStore } from '../store/statistics/interface.ts';
import type { StatisticsRow } from './statistics-columns.ts';

/** A report by subid may have thousands of rows a day, and other requests must not wait. */
const daysAtATime = 2;

/** Days without counts have a row of zeros. */
function withEveryDay({ fromDay, toDay }: DayRange, counted: readonly StatisticsRow[]): StatisticsRow[] {
  const byDay = Map.groupBy(counted, ({ day }) => day);
  const days = Array.from({ length: toDay - fromDay + 1 }, (_, index) => fromDay + index);
  return days.flatMap((day) => byDay.get(day) ?? [{ day, subId: '', counts: noCounts }]);
}

export async function* rowsByDay(
  statistics: StatisticsStore,
  { kind, id }: ObjectKey,
  range: DayRange,
): AsyncGenerator<readonly StatisticsRow[]> {
  const counted = await statistics.days(kind, [id], range);
  yield withEveryDay(
    range,
    counted.map(({ day, counts }) => ({ day, subId: '', counts })),
  );
}

/** Some days at a time, with a tick between. */
export async function* rowsBySubId(
  statistics: StatisticsStore,
  object: ObjectKey,
  { fromDay, toDay }: DayRange,
): AsyncGenerator<readonly StatisticsRow[]> {
  for (let day = fromDay; day <= toDay; day += daysAtATime) {
    const range = { fromDay: day, toDay: Math.min(toDay, day + daysAtATime - 1) };
    yield withEveryDay(range, await statistics.subIds(object, range));
    await turn();
  }
}
