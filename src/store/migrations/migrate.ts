import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { entities } from '../../entities/registry.ts';
import { programVersion } from '../../program-version.ts';
import type { Database } from '../database/database.ts';
import type { RequiredFormTable } from '../database/required-form-table.ts';
import type { Schema } from '../database/schema.ts';
import { tableName } from '../database/tables.ts';
import { addCountColumns } from '../statistics/count-columns.ts';
import { createCubeTables } from '../statistics/cube-tables.ts';
import { acting } from './acting.ts';
import { alertTimes } from './alert-times.ts';
import { alerts } from './alerts.ts';
import { cubes } from './cubes.ts';
import { edges } from './edges.ts';
import { events } from './events.ts';
import { initial } from './initial.ts';
import { knownNetworks } from './known-networks.ts';
import { leases } from './leases.ts';
import { notices } from './notices.ts';
import { outbox } from './outbox.ts';
import { partnerReports } from './partner-reports.ts';
import { partners } from './partners.ts';
import { reconciliation } from './reconciliation.ts';
import { adds, changes, keepRequiredForms, lackedForm, type Step } from './required-form.ts';
import { sending } from './sending.ts';

/** Every migration by name, in the order of the names, with what it does to versions before. */
export const migrations: Readonly<Record<string, Step>> = {
  '0001-start': adds(initial),
  '0002-cubes': changes(cubes, '0002-cubes', '0.1.0'),
  '0003-sending': adds(sending),
  '0004-partners': adds(partners),
  '0005-alerts': changes(alerts, '0005-alerts', '0.1.0'),
  '0006-reconciliation': adds(reconciliation),
  '0007-acting': adds(acting),
  '0008-outbox': adds(outbox),
  '0010-events': adds(events),
  '0011-edges': adds(edges),
  '0012-leases': adds(leases),
  '0013-known-networks': adds(knownNetworks),
  '0014-notices': adds(notices),
  '0015-partner-reports': adds(partnerReports),
  '0016-alert-times': adds(alertTimes),
};

const isKnown = (migration: string) => Object.hasOwn(migrations, migration);

/** Where the names of applied migrations stand. */
const log = 'kysely_migration';
/** And where they stood in databases before the first release, none of which any program knows. */
const formerLog = 'migration';

/** What to do with a database that another version has made. */
const remedies =
  'Start that version on it; or restore a backup made by this version; or name an empty database, and bring the \
configuration along with `bourse config export` there and `bourse config apply` here';

/** Why this program cannot work on a database that lacks nothing but what newer versions have added, or have changed. */
function tooNew({ migration, version }: Readonly<RequiredFormTable>): string {
  return `this database needs Bourse ${version} or newer; this is ${programVersion()}. A newer version has changed \
what this one uses (${migration})`;
}

/** The migrations of newer versions that a database has had, which only add. Throws where there are any others. */
async function newerMigrations(connection: Kysely<Schema>, schema: string | undefined): Promise<string[]> {
  const tables = await connection.introspection.getTables({ withInternalKyselyTables: true });
  const here = new Set(tables.filter((table) => table.schema === schema).map(({ name }) => name));
  const namesIn = async (table: string) => {
    if (!here.has(table)) return [];
    const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(
      connection,
    );
    return rows.map(({ name }) => name);
  };
  const [done, former] = [await namesIn(log), await namesIn(formerLog)];
  const unknown = [...former, ...done].filter((name) => !isKnown(name));
  if (unknown.length === 0) return [];
  const lacked = here.has('required_form') ? await lackedForm(connection, isKnown) : undefined;
  if (lacked) throw new Error(`${tooNew(lacked)}. ${remedies}`);
  const known = Object.keys(migrations).toSorted();
  const followsOurs = here.has('required_form') && known.every((name, index) => done[index] === name);
  if (followsOurs && former.length === 0) return unknown;
  throw new Error(
    `it belongs to another version of Bourse, newer or not released, which has made changes unknown to this one \
(${unknown.join(', ')}). ${remedies}`,
  );
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

/** Runs the migrations that the database lacks, on a connection that has begun a transaction. */
async function migrateToLatest(
  database: Database,
  connection: Kysely<Schema>,
  schema: string | undefined,
  now: () => number,
): Promise<void> {
  const steps = Object.entries(migrations).map(([name, { up }]): [string, Migration] => [
    name,
    { up: (db) => up(database, db, now) },
  ]);
  const migrator = new Migrator({
    db: connection,
    provider: { getMigrations: async () => Object.fromEntries(steps) },
    // It would commit by itself; the transaction that has begun holds the writers' lock.
    disableTransactions: true,
    ...(schema !== undefined && { migrationTableSchema: schema }),
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/**
 * Brings the database to the program's form, all or nothing; several processes may start at once. Answers the migrations
 * of newer versions that it has had, beside which this program can work, as they only add. Rejects where a version that
 * this one does not know has changed what it uses. `now` gives milliseconds since 1970.
 */
export async function migrate(database: Database, now: () => number): Promise<readonly string[]> {
  return database.onWriter(async (connection) => {
    await database.begin(connection);
    try {
      const schema = await database.schema?.(connection);
      const newer = await newerMigrations(connection, schema);
      // Kysely knows no migrations but its own; with newer ones behind them, all of ours are done.
      if (newer.length === 0) await migrateToLatest(database, connection, schema, now);
      await createObjectTables(database, connection);
      await createCubeTables(database, connection, now);
      await addCountColumns(connection);
      await keepRequiredForms(connection, Object.values(migrations));
      await database.commit(connection, false);
      return newer;
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });
}

/** Why this program cannot go on: a newer version has meanwhile changed what it uses; undefined while it can. */
export async function changedMeanwhile(connection: Kysely<Schema>): Promise<string | undefined> {
  const lacked = await lackedForm(connection, isKnown);
  return lacked && tooNew(lacked);
}
