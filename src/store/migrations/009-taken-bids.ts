import type { Kysely } from 'kysely';
import type { Database } from '../database.ts';
import type { Schema } from '../schema.ts';

const fromNothing = 0;

/** Counts the bids that limits have taken, which go on from there after a restart, beside all that were made. */
export async function takenBids(_: Database, { schema }: Kysely<Schema>): Promise<void> {
  for (const table of ['statistic_hour', 'statistic_day', 'statistic_sub_id']) {
    await schema
      .alterTable(table)
      .addColumn('taken', 'bigint', (column) => column.notNull().defaultTo(fromNothing))
      .execute();
  }
}
