import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

/**
 * Stores answers to requests with an Idempotency-Key in the order in which they were given, so that old ones are found
 * without an index on time. Answers in the former table are dropped: they would live for 24 hours at most.
 */
export async function answersInOrder(database: Database, { schema }: Kysely<Schema>): Promise<void> {
  await schema.dropTable('answer').execute();
  await schema
    .createTable('answer')
    .addColumn('id', database.lastingSerialKey as never)
    .addColumn('team_id', 'integer', (column) => column.notNull())
    .addColumn('key_hash', 'text', (column) => column.notNull())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('time', 'bigint', (column) => column.notNull())
    .execute();
  const index = schema.createIndex('answer_key').unique().on('answer');
  await index.columns(['key_hash', 'team_id']).execute();
}
