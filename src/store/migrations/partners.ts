import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** Users may belong to a publisher or an advertiser. */
export async function partners(_database: Database, db: Kysely<unknown>): Promise<void> {
  await sql`alter table "user" add column partner_kind text`.execute(db);
  await sql`alter table "user" add column partner_id integer`.execute(db);
}
