import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** Samples of bids, by the hour; each process that writes has rows of its own. */
export async function acting(_database: Database, connection: Kysely<unknown>): Promise<void> {
  await sql`create table bid_sample (
    day integer not null, kind text not null, id integer not null, hour integer not null, country text not null,
    writer text not null, auctions bigint not null, sampled text not null,
    primary key (day, kind, id, hour, country, writer))`.execute(connection);
}
