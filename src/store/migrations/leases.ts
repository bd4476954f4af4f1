import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** Room in each page, so that rows that change every second stay in theirs (PostgreSQL, "Heap-Only Tuples"). */
const updatedOften = ['limit_holder', 'limit_holding'];

/** Limits that processes share, and which promises were kept. */
export async function leases({ serialKey, schema }: Database, db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`create table limit_state (
      id integer primary key, server text not null, epoch integer not null, since bigint not null,
      quiet_until bigint not null, last_holder integer not null)`,
    sql`insert into limit_state (id, server, epoch, since, quiet_until, last_holder) values (1, '', 0, 0, 0, 0)`,
    sql`create table limit_holder (
      id integer primary key, turn bigint not null, ad_resolved bigint not null, offer_resolved bigint not null,
      last bigint not null, has_left integer not null, epoch integer not null)`,
    sql`create table limit_resource (
      id ${serialKey}, kind text not null, object_id integer not null, measure text not null, day integer not null,
      before bigint not null, unique (kind, object_id, measure, day))`,
    sql`create table limit_holding (
      resource bigint not null, holder integer not null, used bigint not null, open bigint not null,
      unused bigint not null, short_at bigint, primary key (resource, holder))`,
    sql`create index limit_holding_holder on limit_holding (holder)`,
    sql`create table kept_promise (
      holder integer not null, "to" text not null, minute bigint not null, kind text not null, id integer not null,
      impressions bigint not null, nanos bigint not null)`,
    sql`create index kept_promise_minute on kept_promise (holder, "to", minute)`,
  ]) {
    await statement.execute(db);
  }
  if (schema === undefined) return;
  for (const table of updatedOften) {
    await sql`alter table ${sql.table(table)} set (fillfactor = 50)`.execute(db);
  }
}
