import { type RawBuilder, sql } from 'kysely';

/** In rows read by `Database.rowsIn`. */
export type CellType = 'text' | 'bigint';

/** Of a row of `Database.rowsIn`. */
export function cell(index: number, type: CellType): RawBuilder<unknown> {
  const text = sql`value ->> ${sql.lit(index)}`;
  return type === 'text' ? text : sql`cast(${text} as bigint)`;
}
