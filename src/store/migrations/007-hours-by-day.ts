import type { Kysely } from 'kysely';
import type { Database } from '../database.ts';
import type { Schema } from '../schema.ts';

/** Finds old counts by the hour, which are forgotten. */
export async function hoursByDay(_: Database, { schema }: Kysely<Schema>): Promise<void> {
  await schema.createIndex('statistic_hour_day').on('statistic_hour').column('day').execute();
}
