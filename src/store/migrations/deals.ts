import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { createCubeTables, cubeTables } from '../statistics/cube-tables.ts';

const ofAds = cubeTables.filter(({ cube }) => cube === 'ad');

/**
 * The deal is a part of the key of ads. What was counted before has none, which is `''`, and the names that were kept
 * end with it. A database whose tables were made with it is left alone.
 */
export async function deals(database: Database, db: Kysely<unknown>, now: () => number): Promise<void> {
  const connection = db as Kysely<Schema>;
  const present = new Map((await connection.introspection.getTables()).map((table) => [table.name, table]));
  const older = ofAds.filter(({ name }) => present.get(name)?.columns.every((one) => one.name !== 'deal'));
  for (const { name } of older) {
    const before = sql.table(`${name}_before`);
    const columns = present.get(name)?.columns.map((column) => sql.ref(column.name)) ?? [];
    await sql`create table ${before} as select * from ${sql.table(name)}`.execute(connection);
    await sql`drop table ${sql.table(name)}`.execute(connection);
    await createCubeTables(database, connection, now);
    await sql`insert into ${sql.table(name)} (${sql.join(columns)}, deal)
      select ${sql.join(columns)}, '' from ${before}`.execute(connection);
    await sql`drop table ${before}`.execute(connection);
  }
  if (older.length > 0) {
    await sql`update cube_name set name = name || ${'\n'} where cube = 'ad'`.execute(connection);
  }
}
