import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

/** Teams that `bourse demo` has filled, for which a server shows the pages of the demonstration. */
export async function demonstrations(_: Database, { schema }: Kysely<Schema>): Promise<void> {
  await schema
    .createTable('demo')
    .addColumn('team_id', 'integer', (column) => column.primaryKey())
    .addColumn('doc', 'text', (column) => column.notNull())
    .execute();
}
