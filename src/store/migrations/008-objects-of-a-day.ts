import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

/** An index that finds the objects counted on a day, page by page in their order. */
export async function objectsOfADay(_: Database, { schema }: Kysely<Schema>): Promise<void> {
  await schema.dropIndex('statistic_day_day').execute();
  await schema
    .createIndex('statistic_day_objects')
    .on('statistic_day')
    .columns(['day', 'kind', 'id'])
    .execute();
}
