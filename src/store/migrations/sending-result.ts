import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** The version before leaves it empty. */
export async function sendingResult(_: Database, connection: Kysely<unknown>): Promise<void> {
  await sql`alter table sending add column result text not null default ''`.execute(connection);
}
