import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** Settings of teams, and what is fetched of partners' statistics: its state by object. */
export async function reconciliation(_database: Database, connection: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`create table team_setting (
      team_id integer primary key references team (id), measurement_url text not null)`,
    sql`create table partner_fetch (
      kind text not null, id integer not null, team_id integer not null, next_at bigint not null,
      claimed_until bigint not null, claimed_by text not null, asked_by integer not null, last_at bigint,
      state text not null, error text not null, sample text not null, rows_read integer not null,
      from_day integer not null, to_day integer not null, primary key (kind, id))`,
    sql`create index partner_fetch_due on partner_fetch (next_at)`,
  ]) {
    await statement.execute(connection);
  }
}
