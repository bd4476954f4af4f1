import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type CountsIn, type CountTableName, countersIn } from '../../reference/counters.ts';
import type { Schema } from '../database/schema.ts';
import { snakeCase } from '../database/tables.ts';
import { cubeTables } from './cube-tables.ts';

/** Tables that are no cubes, by what they count. */
export const countTables = {
  day: 'statistic_day',
  subId: 'statistic_sub_id',
} as const satisfies Readonly<Partial<Record<CountTableName, keyof Schema>>>;

interface CountColumn<Table extends CountTableName> {
  readonly name: keyof CountsIn<Table>;
  readonly column: string;
}

export function countColumns<Table extends CountTableName>(table: Table): readonly CountColumn<Table>[] {
  return countersIn(table).map((name) => ({ name, column: snakeCase(name) }));
}

const declared = (column: string) => sql`${sql.ref(column)} bigint not null default 0`;

export function declaredCounts(table: CountTableName): RawBuilder<unknown> {
  return sql.join(countColumns(table).map(({ column }) => declared(column)));
}

/** By a row of nulls. */
async function presentColumns(connection: Kysely<Schema>, table: string): Promise<Set<string>> {
  const { rows } = await sql<object>`select t.* from (select 1 as one) as o left join ${sql.table(table)} as t
    on false`.execute(connection);
  return new Set(Object.keys(rows[0] ?? {}));
}

/** For counters younger than the database: a new counter needs no migration. */
export async function addCountColumns(connection: Kysely<Schema>): Promise<void> {
  const own = Object.entries(countTables) as [CountTableName, string][];
  const ofCubes = cubeTables.map(({ counts, name }) => [counts, name] as const);
  for (const [by, table] of [...own, ...ofCubes]) {
    const present = await presentColumns(connection, table);
    const missing = countColumns(by).filter(({ column }) => !present.has(column));
    for (const { column } of missing)
      await sql`alter table ${sql.table(table)} add column ${declared(column)}`.execute(connection);
  }
}
