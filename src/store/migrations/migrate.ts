import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { createObjectTables } from '../database/tables.ts';
import { migrations } from './list.ts';

async function applied(connection: Kysely<Schema>): Promise<Set<string>> {
  await sql`create table if not exists migration (name text primary key)`.execute(connection);
  const { rows } = await sql<{ name: string }>`select name from migration`.execute(connection);
  return new Set(rows.map(({ name }) => name));
}

async function migrateWithin(database: Database, connection: Kysely<Schema>): Promise<void> {
  const done = await applied(connection);
  for (const [name, step] of migrations) {
    if (done.has(name)) continue;
    await step(database, connection);
    await sql`insert into migration (name) values (${name})`.execute(connection);
  }
  await createObjectTables(database, connection);
}

/** Brings the database to the program's form, all or nothing; several processes may start at once. */
export async function migrate(database: Database): Promise<void> {
  await database.onWriter(async (connection) => {
    await database.begin(connection);
    try {
      await migrateWithin(database, connection);
      await database.commit(connection, false);
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });
}
