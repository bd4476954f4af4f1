import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

const countTables = ['statistic_hour', 'statistic_day', 'statistic_sub_id'];
const fromNothing = 0;

/** Anew, by the hour and with what was promised. What was there concerned that day alone. */
async function addresses({ schema }: Kysely<Schema>): Promise<void> {
  await schema.dropTable('address_impressions').execute();
  await schema
    .createTable('address_impressions')
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('id', 'integer', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('hour', 'integer', (column) => column.notNull())
    .addColumn('impressions', 'bigint', (column) => column.notNull())
    .addColumn('promised', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('address_impressions_key', ['day', 'kind', 'id', 'address', 'hour'])
    .execute();
  await schema
    .createIndex('address_impressions_unshown')
    .on('address_impressions')
    .columns(['day', 'hour'])
    .where(sql.ref('impressions'), '=', sql.lit(0))
    .execute();
}

/** Adds what limits of money and of addresses promise, which a restart goes on with. */
export async function promisedAmounts(_: Database, connection: Kysely<Schema>): Promise<void> {
  for (const table of countTables) {
    await connection.schema
      .alterTable(table)
      .addColumn('promised_nanos', 'bigint', (column) => column.notNull().defaultTo(fromNothing))
      .execute();
  }
  await addresses(connection);
}
