import { type Kysely, sql } from 'kysely';
import { quarterlyCubes } from '../../reference/cubes.ts';
import type { Schema } from '../database/schema.ts';
import { cubeTables, slotOf } from './cube-tables.ts';
import type { TrafficCounts } from './interface.ts';

const dayMs = 86_400_000;
const tables = cubeTables.filter(({ grain, counts }) => grain === 'quarter' && counts === 'traffic');

/**
 * Of counts whose quarter hour nobody knows, as those of an edge of an older version, only days are kept. Quarter hours
 * are complete from the next day on.
 */
export async function noteIncompleteQuarters(
  connection: Kysely<Schema>,
  traffic: readonly TrafficCounts[],
): Promise<void> {
  const days = traffic.flatMap(({ cube, day, quarter }) =>
    quarter === undefined && quarterlyCubes.has(cube) ? [day] : [],
  );
  if (days.length === 0) return;
  const slot = slotOf('quarter', (Math.max(...days) + 1) * dayMs);
  const names = tables.map(({ name }) => name);
  await sql`update cube_start set slot = ${slot} where slot < ${slot} and name in (${sql.join(names)})`.execute(
    connection,
  );
}
