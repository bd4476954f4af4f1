import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** What billable events leave for the outbox of the process that has taken them. */
export async function outbox({ serialKey }: Database, db: Kysely<unknown>): Promise<void> {
  await sql`create table left_fact (
    position ${serialKey}, id text not null unique, name text not null, facts text not null)`.execute(db);
  await sql`create index left_fact_name on left_fact (name, position)`.execute(db);
}
