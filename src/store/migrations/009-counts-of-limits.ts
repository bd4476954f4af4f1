import type { Kysely } from 'kysely';
import type { Database } from '../database.ts';
import type { Schema } from '../schema.ts';

const tables = ['statistic_hour', 'statistic_day', 'statistic_sub_id'];
const columns = ['taken', 'promised'];
const fromNothing = 0;

/**
 * Adds the counts from which limits go on after a restart: the bids that they have taken, and the impressions that are
 * promised. The new index finds the promises of the last hours.
 */
export async function countsOfLimits(_: Database, { schema }: Kysely<Schema>): Promise<void> {
  for (const table of tables) {
    for (const name of columns) {
      await schema
        .alterTable(table)
        .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(fromNothing))
        .execute();
    }
  }
  await schema.dropIndex('statistic_hour_day').execute();
  await schema.createIndex('statistic_hour_day').on('statistic_hour').columns(['day', 'hour']).execute();
}
