import { type Kysely, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { Schema } from '../schema.ts';

/** Impressions by address anew, by the hour and with what was promised. What was there concerned that day alone. */
export async function promisedAmounts(_: Database, { schema }: Kysely<Schema>): Promise<void> {
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
