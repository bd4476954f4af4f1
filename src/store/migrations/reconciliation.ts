import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { createCubeTables, pairTable } from '../statistics/cube-tables.ts';

const partnerTable = 'cube_partner_day';

/** The table of what partners report begins with what the days of pairs have counted of demand. */
async function copyDays(connection: Kysely<Schema>): Promise<void> {
  const pairs = pairTable('day').name;
  await sql`insert into ${sql.table(partnerTable)} (slot, team_id, advertiser_id, demand_kind, demand_id,
      impressions, clicks, revenue_nanos)
    select slot, max(team_id), advertiser_id, demand_kind, demand_id, sum(impressions), sum(clicks),
      sum(revenue_nanos)
    from ${sql.table(pairs)} where demand_kind != ''
    group by slot, advertiser_id, demand_kind, demand_id`.execute(connection);
  await sql`update cube_start set slot = (select slot from cube_start where name = ${pairs})
    where name = ${partnerTable}`.execute(connection);
}

/** Settings of teams, and the state of what is fetched of partners' statistics. */
export async function reconciliation(
  database: Database,
  db: Kysely<unknown>,
  now: () => number,
): Promise<void> {
  const connection = db as Kysely<Schema>;
  for (const statement of [
    sql`create table team_setting (
      team_id integer primary key references team (id), measurement_url text not null)`,
    sql`create table partner_fetch (
      kind text not null, id integer not null, team_id integer not null, next_at bigint not null,
      from_day integer not null, to_day integer not null, claimed_until bigint not null, claimed_by text not null,
      state text not null, last_at bigint, error text not null, sample text not null, row_count integer not null,
      primary key (kind, id))`,
    sql`create index partner_fetch_due on partner_fetch (next_at)`,
  ]) {
    await statement.execute(connection);
  }
  await createCubeTables(database, connection, now);
  await copyDays(connection);
}
