import type { WeekShape } from '../shared/delivery-plan.ts';
import { hoursPerWeek } from '../shared/zone-clock.ts';
import type { StatisticsStore } from '../store/statistics/interface.ts';
import { hourOf } from './days.ts';

const hoursPerDay = 24;
const meanOf = (counts: readonly number[]) =>
  counts.reduce((sum, count) => sum + count, 0) / Math.max(1, counts.length);

/**
 * By hour of the week, from what was counted in the last hours, the oldest first, of which the last is `lastHour`. Hours
 * before the first count are unknown: they are as that hour of the known days is in the mean.
 *
 * @internal
 */
export function weekShapeOf(counts: readonly number[], lastHour: number): WeekShape {
  const first = counts.findIndex((count) => count > 0);
  if (first < 0) return [];
  const known = counts.slice(first);
  const hourAt = (place: number) => lastHour - counts.length + 1 + place;
  const sameHour = (place: number) =>
    known.filter((_, index) => (hourAt(first + index) - hourAt(place)) % hoursPerDay === 0);
  const shape = new Array<number>(hoursPerWeek).fill(0);
  for (const [place, count] of counts.entries()) {
    const same = place < first ? sameHour(place) : [];
    const expected = place < first ? meanOf(same.length > 0 ? same : known) : count;
    shape[hourAt(place) % hoursPerWeek] = expected;
  }
  return shape;
}

/** The hours of the week before, without the present one. */
export async function weekShapes(
  { traffic }: Pick<StatisticsStore, 'traffic'>,
  kind: string,
  ids: readonly number[],
  nowMs: number,
): Promise<ReadonlyMap<number, WeekShape>> {
  const hour = hourOf(nowMs);
  const from = hour - hoursPerWeek;
  const counts = new Map(ids.map((id) => [id, new Array<number>(hoursPerWeek).fill(0)]));
  for (const row of await traffic(kind, ids, { fromHour: from, beforeHour: hour })) {
    const hours = counts.get(row.id);
    if (hours) hours[row.hour - from] = row.count;
  }
  return new Map([...counts].map(([id, hours]) => [id, weekShapeOf(hours, hour - 1)]));
}
