import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { entities } from '../../entities/registry.ts';
import { programVersion } from '../../program-version.ts';
import type { Database } from '../database/database.ts';
import type { RequiredFormTable } from '../database/required-form-table.ts';
import { runAtOnce } from '../database/run-at-once.ts';
import type { Schema } from '../database/schema.ts';
import { tableName } from '../database/tables.ts';
import { createCubeTables, hasCubeTables } from '../statistics/cube-tables.ts';
import { changeBatch } from './change-batch.ts';
import { initial } from './initial.ts';
import { jobs } from './jobs.ts';
import { keepRequiredForms, lackedForm, type Step } from './required-form.ts';
import { sendingResult } from './sending-result.ts';
import { subIds } from './sub-ids.ts';
import { teamSettings } from './team-settings.ts';

/** In order of name. @internal */
export const migrations: Readonly<Record<string, Step>> = {
  '0001-initial': { up: initial },
  '0002-jobs': { up: jobs },
  '0003-sub-ids': { up: subIds },
  '0004-team-settings': { up: teamSettings },
  '0005-sending-result': { up: sendingResult },
  '0006-change-batch': { up: changeBatch },
};

const isKnown = (migration: string) => Object.hasOwn(migrations, migration);

/** The migrations that a database has had. */
const log = 'kysely_migration';
/** In the oldest databases, before the first release. */
const formerLog = 'migration';

/** For a database of another version. */
const remedies =
  'Start that version on it; or restore a backup made by this version; or use an empty database, and transfer the \
configuration along with `bourse export` there and `bourse apply` here';

/** Why this program cannot use a newer database. */
function tooNew({ migration, version }: Readonly<RequiredFormTable>): string {
  return `this database needs Bourse ${version} or newer; this is ${programVersion()}. A newer version has changed \
something that this one uses (${migration})`;
}

const known = Object.keys(migrations).toSorted();

/** What a database has. */
interface PresentForm {
  readonly schema: string | undefined;
  /** Columns by table. */
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>;
  /** Migrations of the two logs, in order. */
  readonly done: readonly string[];
  readonly former: readonly string[];
}

async function presentForm(database: Database, connection: Kysely<Schema>): Promise<PresentForm> {
  const [schema, all] = await Promise.all([
    database.schema?.(connection),
    connection.introspection.getTables({ withInternalKyselyTables: true }),
  ]);
  const here = all.filter((table) => table.schema === schema);
  const tables = new Map(here.map(({ name, columns }) => [name, new Set(columns.map((one) => one.name))]));
  const namesIn = async (table: string) => {
    if (!tables.has(table)) return [];
    const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(
      connection,
    );
    return rows.map(({ name }) => name);
  };
  const [done, former] = await Promise.all([namesIn(log), namesIn(formerLog)]);
  return { schema, tables, done, former };
}

const hasAllMigrations = ({ done }: PresentForm) => known.every((name, index) => done[index] === name);

/** Whether nothing is to be created. An index younger than its table needs a migration. */
function isCurrent(form: PresentForm): boolean {
  const { tables } = form;
  return (
    hasAllMigrations(form) &&
    tables.has('required_form') &&
    entities.every(({ key }) => tables.has(tableName(key))) &&
    hasCubeTables(tables)
  );
}

/** They only add. Throws if there are others. */
async function newerMigrations(connection: Kysely<Schema>, form: PresentForm): Promise<string[]> {
  const { tables, done, former } = form;
  const unknown = [...former, ...done].filter((name) => !isKnown(name));
  if (unknown.length === 0) return [];
  if (!tables.has('required_form') || !hasAllMigrations(form) || former.length > 0)
    throw new Error(
      `it was made by an unreleased version of Bourse, whose changes this one does not know \
(${unknown.join(', ')}). ${remedies}`,
    );
  const lacked = await lackedForm(connection, isKnown);
  if (lacked) throw new Error(`${tooNew(lacked)}. ${remedies}`);
  return unknown;
}

/** So that a new entity needs no migration. */
async function createObjectTables({ lastingSerialKey }: Database, connection: Kysely<Schema>): Promise<void> {
  await runAtOnce(entities, async ({ key }) => {
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
  });
}

/** On a connection with a transaction. */
async function migrateToLatest(
  database: Database,
  connection: Kysely<Schema>,
  schema: string | undefined,
): Promise<void> {
  const steps = Object.entries(migrations).map(([name, { up }]): [string, Migration] => [
    name,
    { up: (db) => up(database, db) },
  ]);
  const migrator = new Migrator({
    db: connection,
    provider: { getMigrations: async () => Object.fromEntries(steps) },
    // It would commit by itself; our transaction holds the writers' lock.
    disableTransactions: true,
    ...(schema !== undefined && { migrationTableSchema: schema }),
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/**
 * All or nothing; several processes may start at once. Returns newer versions' migrations that only added. Rejects if
 * an unknown version changed what this one uses.
 */
export async function migrate(database: Database, now: () => number): Promise<readonly string[]> {
  return database.onWriter(async (connection) => {
    const found = await presentForm(database, connection);
    // At most starts nothing is to be done, and nobody waits for the writers' lock.
    if (isCurrent(found)) return newerMigrations(connection, found);
    await database.begin(connection);
    try {
      const form = await presentForm(database, connection);
      const newer = await newerMigrations(connection, form);
      // Kysely only knows its own migrations; with newer ones after them, all of ours are done.
      if (newer.length === 0) await migrateToLatest(database, connection, form.schema);
      await createObjectTables(database, connection);
      await createCubeTables(database, connection, now);
      await keepRequiredForms(connection, Object.values(migrations));
      await database.commit(connection, false);
      return newer;
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });
}

/** A newer version has meanwhile changed what it uses; undefined while it can go on. */
export async function changedMeanwhile(connection: Kysely<Schema>): Promise<string | undefined> {
  const lacked = await lackedForm(connection, isKnown);
  return lacked && tooNew(lacked);
}
