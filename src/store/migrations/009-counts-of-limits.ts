import type { Kysely } from 'kysely';
import type { Database } from '../database.ts';
import type { Schema } from '../schema.ts';

/** An index that finds the promises of the last hours. */
export async function countsOfLimits(_: Database, { schema }: Kysely<Schema>): Promise<void> {
  await schema.dropIndex('statistic_hour_day').execute();
  await schema.createIndex('statistic_hour_day').on('statistic_hour').columns(['day', 'hour']).execute();
}
