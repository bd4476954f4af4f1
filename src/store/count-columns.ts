import { type Kysely, sql } from 'kysely';
import { type CountedBy, type CountsIn, countersIn } from '../reference/counters.ts';
import type { Schema } from './schema.ts';
import { snakeCase } from './tables.ts';

/** The tables of counts by name. */
export const countTables = {
  hour: 'statistic_hour',
  day: 'statistic_day',
  subId: 'statistic_sub_id',
} as const satisfies Readonly<Record<CountedBy, keyof Schema>>;

/** A column of a table of counts, with its counter. */
interface CountColumn<Table extends CountedBy> {
  readonly name: keyof CountsIn<Table>;
  readonly column: string;
}

/** The columns of what a table counts. */
export function countColumns<Table extends CountedBy>(table: Table): readonly CountColumn<Table>[] {
  return countersIn(table).map((name) => ({ name, column: snakeCase(name) }));
}

/** The columns that a table has: those of a row of nulls. */
async function columnsOf(connection: Kysely<Schema>, table: string): Promise<Set<string>> {
  const { rows } = await sql<object>`select t.* from (select 1 as one) as o left join ${sql.table(table)} as t
    on false`.execute(connection);
  return new Set(Object.keys(rows[0] ?? {}));
}

/** Adds the columns of counters that the tables of counts lack, from 0, so that a new counter needs no migration. */
export async function addCountColumns(connection: Kysely<Schema>): Promise<void> {
  for (const [by, table] of Object.entries(countTables) as [CountedBy, string][]) {
    const present = await columnsOf(connection, table);
    for (const { column } of countColumns(by)) {
      if (present.has(column)) continue;
      await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} bigint not null default 0`.execute(
        connection,
      );
    }
  }
}
