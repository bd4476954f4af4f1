import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** The version before leaves it empty. */
export async function changeBatch(_: Database, connection: Kysely<unknown>): Promise<void> {
  await sql`alter table change add column batch_id text`.execute(connection);
  await sql`create index change_batch on change (team_id, batch_id, revision) where batch_id is not null`.execute(
    connection,
  );
}
