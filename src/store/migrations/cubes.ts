import { type Kysely, type RawBuilder, sql } from 'kysely';
import { entities } from '../../entities/registry.ts';
import { countersIn } from '../../reference/counters.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { snakeCase, tableName } from '../database/tables.ts';
import { createCubeTables, pairTable } from '../statistics/cube-tables.ts';

/** Tables and views by name, with their columns. */
type Present = ReadonlyMap<string, ReadonlySet<string>>;

async function presentTables(connection: Kysely<Schema>): Promise<Present> {
  const tables = await connection.introspection.getTables();
  return new Map(tables.map(({ name, columns }) => [name, new Set(columns.map((column) => column.name))]));
}

/** Objects with the team and the account that they are of now; `owner_id` 0 where there is none. */
function objectsIn(present: Present): RawBuilder<unknown> {
  const owned = entities.filter(({ key, owner }) => owner && present.has(tableName(key)));
  const rows = owned.map(
    ({ key }) => sql`select cast(${key} as text) as kind, id, team_id, coalesce(owner_id, 0) as owner_id
      from ${sql.table(tableName(key))}`,
  );
  const none = sql`select cast('' as text) as kind, 0 as id, 0 as team_id, 0 as owner_id`;
  return sql.join([none, ...rows], sql` union all `);
}

/** Copies what is counted by pair and hour into a table of pairs by another step of time. */
async function copyPairs(connection: Kysely<Schema>, grain: 'hour' | 'day', tables: Present) {
  const present = tables.get('statistic_hour') ?? new Set();
  const objects = objectsIn(tables);
  const counts = countersIn('pair')
    .map(snakeCase)
    .filter((name) => present.has(name));
  const sums = counts.map((name) => sql`sum(${sql.ref(`h.${name}`)})`);
  const slot = grain === 'hour' ? sql`h.day * 24 + h.hour` : sql`h.day`;
  const keys = [
    ...[sql`${slot}`, sql`coalesce(s.team_id, 0)`, sql`coalesce(s.owner_id, 0)`, sql`h.supply_kind`],
    ...[sql`h.supply_id`, sql`coalesce(d.owner_id, 0)`, sql`h.demand_kind`, sql`h.demand_id`],
  ];
  const names = Object.keys(pairTable(grain).keys).map((name) => sql.ref(name));
  await sql`insert into ${sql.table(pairTable(grain).name)}
      (${sql.join([...names, sql.ref('calls'), ...counts.map((name) => sql.ref(name))])})
    select ${sql.join(keys)}, sum(case when h.demand_kind = '' then 0 else h.requests end), ${sql.join(sums)}
    from statistic_hour h
      left join (${objects}) s on s.kind = h.supply_kind and s.id = h.supply_id
      left join (${objects}) d on d.kind = h.demand_kind and d.id = h.demand_id
    group by ${sql.join(keys)}`.execute(connection);
}

/**
 * Cubes take the place of the table of pairs by hour, whose counts they take over: by the hour and the day, for the
 * accounts that own the objects now. What is older than its rows was never stored by pair.
 */
export async function cubes(database: Database, db: Kysely<unknown>, now: () => number): Promise<void> {
  const connection = db as Kysely<Schema>;
  await createCubeTables(database, connection, now);
  const first = await sql<{ day: number | null }>`select min(day) as day from statistic_hour`.execute(
    connection,
  );
  const { day } = first.rows[0] ?? { day: null };
  if (day !== null) {
    const present = await presentTables(connection);
    for (const grain of ['hour', 'day'] as const) {
      await copyPairs(connection, grain, present);
      const slot = grain === 'hour' ? Number(day) * 24 : Number(day);
      await connection
        .updateTable('cube_start')
        .set({ slot })
        .where('name', '=', pairTable(grain).name)
        .execute();
    }
  }
  await sql`drop table statistic_hour`.execute(connection);
}
