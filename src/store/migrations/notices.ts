import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** Notices to bidders, kept in the transaction that counts their event. */
export async function notices(_: Database, db: Kysely<unknown>): Promise<void> {
  await sql`create table pending_notice (
    id text primary key, due bigint not null, time bigint not null, notices text not null)`.execute(db);
  await sql`create index pending_notice_due on pending_notice (due)`.execute(db);
}
