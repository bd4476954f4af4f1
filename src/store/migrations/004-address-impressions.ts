import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

/** Impressions of a day by address, of objects that limit them; kept for that day. */
export async function addressImpressions(_: Database, { schema }: Kysely<Schema>): Promise<void> {
  await schema
    .createTable('address_impressions')
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('id', 'integer', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('impressions', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('address_impressions_key', ['day', 'kind', 'id', 'address'])
    .execute();
}
