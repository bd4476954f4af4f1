import type { Kysely } from 'kysely';
import type { Database } from '../database.ts';
import type { Schema } from '../schema.ts';

const fromNothing = 0;

/** Counts the impressions that are promised, which a restart goes on from; and finds those of the last hours. */
export async function promisedImpressions(_: Database, { schema }: Kysely<Schema>): Promise<void> {
  for (const table of ['statistic_hour', 'statistic_day', 'statistic_sub_id']) {
    await schema
      .alterTable(table)
      .addColumn('promised', 'bigint', (column) => column.notNull().defaultTo(fromNothing))
      .execute();
  }
  await schema.dropIndex('statistic_hour_day').execute();
  await schema.createIndex('statistic_hour_day').on('statistic_hour').columns(['day', 'hour']).execute();
}
