import { type RawBuilder, sql } from 'kysely';

/** Types of the columns in the rows that `Database.rowsIn` reads. */
export type CellType = 'text' | 'bigint';

/** Column number `index` of a row of `Database.rowsIn`. */
export function cell(index: number, type: CellType): RawBuilder<unknown> {
  const text = sql`value ->> ${sql.lit(index)}`;
  return type === 'text' ? text : sql`cast(${text} as bigint)`;
}
