import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { entities } from '../../entities/registry.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { tableName } from '../database/tables.ts';
import { addCountColumns } from '../statistics/count-columns.ts';
import { createCubeTables } from '../statistics/cube-tables.ts';
import { acting } from './acting.ts';
import { alerts } from './alerts.ts';
import { cubes } from './cubes.ts';
import { edges } from './edges.ts';
import { initial } from './initial.ts';
import { outbox } from './outbox.ts';
import { partners } from './partners.ts';
import { reconciliation } from './reconciliation.ts';
import { sending } from './sending.ts';

/** Every migration by name, in the order of the names. Once it is released, none is changed any more. */
export const migrations: Readonly<
  Record<string, (database: Database, db: Kysely<unknown>, now: () => number) => Promise<void>>
> = {
  '0001-start': initial,
  '0002-cubes': cubes,
  '0003-sending': sending,
  '0004-partners': partners,
  '0005-alerts': alerts,
  '0006-reconciliation': reconciliation,
  '0007-acting': acting,
  '0008-outbox': outbox,
  '0011-edges': edges,
};

/**
 * Where the names of applied migrations stand: in Kysely's table, and in that of databases before the first release.
 */
const logs = ['kysely_migration', 'migration'];

/** Throws where the database has had a migration that this program does not know. */
async function refuseUnknown(connection: Kysely<Schema>, schema: string | undefined): Promise<void> {
  const tables = await connection.introspection.getTables({ withInternalKyselyTables: true });
  const here = tables.filter((table) => table.schema === schema && logs.includes(table.name));
  for (const { name: table } of here) {
    const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)}`.execute(connection);
    const unknown = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name));
    if (unknown.length === 0) continue;
    throw new Error(
      `it belongs to another version of Bourse, newer or not released, which has made changes unknown to this one \
(${unknown.join(', ')}). Start that version on it; or restore a backup made by this version; or name an empty \
database, and bring the configuration along with \`bourse config export\` there and \`bourse config apply\` here`,
    );
  }
}

/** Makes the tables of entities that have none yet, so that a new entity needs no migration. */
async function createObjectTables({ lastingSerialKey }: Database, connection: Kysely<Schema>): Promise<void> {
  for (const { key } of entities) {
    const name = tableName(key);
    const table = sql.table(name);
    const index = (part: string) => sql`index if not exists ${sql.id(`${name}_${part}`)} on ${table}`;
    for (const statement of [
      sql`create table if not exists ${table} (
        id ${lastingSerialKey}, team_id integer not null references team (id), owner_id integer,
        manager_id integer, status integer not null, revision bigint not null, name text not null,
        username text, stats_auth text, doc text not null)`,
      sql`create ${index('team')} (team_id, id)`,
      sql`create ${index('owner')} (owner_id, id) where owner_id is not null`,
      sql`create unique ${index('username')} (username) where username is not null`,
    ]) {
      await statement.execute(connection);
    }
  }
}

/**
 * Brings the database to the program's form, all or nothing; several processes may start at once. Rejects where the
 * database is of a version that this one does not know. `now` gives milliseconds since 1970.
 */
export async function migrate(database: Database, now: () => number): Promise<void> {
  const steps = Object.entries(migrations).map(([name, up]): [string, Migration] => [
    name,
    { up: (connection) => up(database, connection, now) },
  ]);
  const provider = { getMigrations: async () => Object.fromEntries(steps) };
  await database.onWriter(async (connection) => {
    await database.begin(connection);
    try {
      const schema = await database.schema?.(connection);
      await refuseUnknown(connection, schema);
      const migrator = new Migrator({
        db: connection,
        provider,
        // It would commit by itself; the transaction that has begun holds the writers' lock.
        disableTransactions: true,
        ...(schema !== undefined && { migrationTableSchema: schema }),
      });
      const { error } = await migrator.migrateToLatest();
      if (error !== undefined) throw error;
      await createObjectTables(database, connection);
      await createCubeTables(database, connection, now);
      await addCountColumns(connection);
      await database.commit(connection, false);
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });
}
