import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** Networks from which users have logged in, as keyed hashes. */
export async function knownNetworks(_database: Database, db: Kysely<unknown>): Promise<void> {
  await sql`create table known_network (
    user_id integer not null references "user" (id), network text not null, seen_at bigint not null,
    primary key (user_id, network))`.execute(db);
}
