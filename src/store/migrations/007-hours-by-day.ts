import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

/** An index that finds old hourly counts, which are deleted. */
export async function hoursByDay(_: Database, { schema }: Kysely<Schema>): Promise<void> {
  await schema.createIndex('statistic_hour_day').on('statistic_hour').column('day').execute();
}
