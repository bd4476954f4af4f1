import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

const tables = ['statistic_hour', 'statistic_day', 'statistic_sub_id'];
/** An earlier form of this step, which added `taken` alone; databases of that time have applied it. */
const earlierStep = '009-taken-bids';
const fromNothing = 0;

/**
 * Adds the counts from which limits go on after a restart: the bids that they have taken, and the impressions that are
 * promised. The new index finds the promises of the last hours.
 */
export async function countsOfLimits(_: Database, connection: Kysely<Schema>): Promise<void> {
  const { schema } = connection;
  const { rows } = await sql`select name from migration where name = ${earlierStep}`.execute(connection);
  const columns = rows.length > 0 ? ['promised'] : ['taken', 'promised'];
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
