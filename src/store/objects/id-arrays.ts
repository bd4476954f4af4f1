import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Edge } from './edges.ts';

const none: readonly number[] = Object.freeze([]);

/** Of object `e`'s connection field, in order; for `readIdArray`. */
export function idArrayColumn(
  database: Pick<Database, 'idArray'>,
  { field, kind, self, other, position }: Edge,
): RawBuilder<unknown> {
  const from = sql`from connection where kind = ${sql.lit(kind)} and ${sql.ref(self)} = e.id`;
  return sql`${database.idArray(other, position, from)} as ${sql.ref(field)}`;
}

/** In whichever form the driver gives them. */
export function readIdArray(value: unknown): readonly number[] {
  if (value === null || value === '[]') return none;
  return typeof value === 'string' ? JSON.parse(value) : (value as number[]);
}
