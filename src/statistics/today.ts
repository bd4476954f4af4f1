import type { Store } from '../store/interface.ts';
import type { CountedToday } from '../store/statistics-interface.ts';
import { dayOf } from './days.ts';

/**
 * What was counted today (UTC), by `<kind>:<id>`, with what campaigns have spent in all: counters of limits begin
 * with it after a restart.
 */
export async function readToday(
  { statistics }: Pick<Store, 'statistics'>,
  nowMs: number,
): Promise<ReadonlyMap<string, CountedToday>> {
  const objects = await statistics.today(dayOf(nowMs));
  return new Map(objects.map((object) => [`${object.kind}:${object.id}`, object]));
}
