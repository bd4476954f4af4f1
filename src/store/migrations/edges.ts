import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** Keys of edges, and further keys of trackers. */
export async function edges({ serialKey }: Database, db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`create table edge_key (
      id ${serialKey}, hash text not null unique, label text not null, created_at bigint not null)`,
    sql`create table tracker_key (id integer primary key, secret text not null, from_ms bigint not null)`,
  ]) {
    await statement.execute(db);
  }
}
