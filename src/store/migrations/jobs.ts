import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/**
 * Only the version before uses the tables `partner_fetch` and `lease`, and heeds `claimed_until` and `claimed_by` of
 * `sending`: the next one drops them.
 */
export async function jobs({ serialKey }: Database, connection: Kysely<unknown>): Promise<void> {
  await sql`create table job (
    id ${serialKey}, kind text not null, key text not null, queue text not null, run_at bigint not null,
    claimed_until bigint not null, claimed_by text not null, attempts integer not null, payload text not null,
    unique (kind, key))`.execute(connection);
  await sql`create index job_due on job (kind, run_at)`.execute(connection);
  await sql`create index job_claimed on job (kind, claimed_until)`.execute(connection);
}
