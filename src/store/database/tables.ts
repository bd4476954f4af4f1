import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { entities } from '../../entities/registry.ts';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/** Name of the table of an entity's objects (or of users), from its key: `DspVastTag` → `dsp_vast_tag`. */
export function tableName(key: string): string {
  return key.replaceAll(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** The table of an entity's objects, as Kysely types it. */
export function tableOf(key: string): 'object' {
  return tableName(key) as 'object';
}

async function createObjectTable(
  database: Database,
  connection: Kysely<Schema>,
  name: string,
): Promise<void> {
  await connection.schema
    .createTable(name)
    .ifNotExists()
    .addColumn('id', database.lastingSerialKey as never)
    .addColumn('team_id', 'integer', (column) => column.notNull().references('team.id'))
    .addColumn('owner_id', 'integer')
    .addColumn('manager_id', 'integer')
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('username', 'text')
    .addColumn('stats_auth', 'text')
    .addColumn('doc', 'text', (column) => column.notNull())
    .execute();
  await connection.schema
    .createIndex(`${name}_team`)
    .ifNotExists()
    .on(name)
    .columns(['team_id', 'id'])
    .execute();
  await connection.schema
    .createIndex(`${name}_owner`)
    .ifNotExists()
    .on(name)
    .columns(['owner_id', 'id'])
    .where(sql.ref('owner_id'), 'is not', null)
    .execute();
  await connection.schema
    .createIndex(`${name}_username`)
    .ifNotExists()
    .unique()
    .on(name)
    .column('username')
    .where(sql.ref('username'), 'is not', null)
    .execute();
}

/** Makes the tables of entities that have none yet, so that a new entity needs no migration. */
export async function createObjectTables(database: Database, connection: Kysely<Schema>): Promise<void> {
  for (const { key } of entities) await createObjectTable(database, connection, tableName(key));
}
