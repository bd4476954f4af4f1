import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** How far the outboxes of processes and servers are shipped, and which hours have changed late. */
export async function events(_: Database, db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`create table taken_record (source text primary key, place bigint not null, time bigint not null)`,
    sql`create table shipped (
      process text primary key, name text not null, until_time bigint not null, noted bigint not null,
      is_done integer not null)`,
    sql`create table late_hour (
      team_id integer not null, hour bigint not null, time bigint not null, primary key (team_id, hour))`,
  ]) {
    await statement.execute(db);
  }
}
