import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** Tables of what is sent by mail and to URLs, and up to when it is planned. */
export async function sending({ serialKey }: Database, connection: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`create table sending (
      id ${serialKey}, team_id integer not null, report_id integer not null, due bigint not null,
      channel text not null, target text not null, state text not null, attempts integer not null,
      next_at bigint not null, last_at bigint, claimed_until bigint not null, claimed_by text not null,
      error text not null, unique (report_id, due, channel, target))`,
    sql`create index sending_team on sending (team_id, id)`,
    sql`create index sending_due on sending (next_at) where state = 'waiting'`,
    sql`create table schedule (
      report_id integer primary key, schedule text not null, planned_until bigint not null)`,
  ]) {
    await statement.execute(connection);
  }
}
