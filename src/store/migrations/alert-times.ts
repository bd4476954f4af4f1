import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';

const dayMs = 86_400_000;

/**
 * When processes have served, so that alerts take no time without one for a time without traffic; and of what alerts have
 * found, who has acknowledged it, and when it was told again. What came before is taken for served from the first whole
 * day that has counts to the last counts.
 */
export async function alertTimes(_: Database, db: Kysely<unknown>): Promise<void> {
  await sql`create table served_time (began bigint primary key, until bigint not null)`.execute(db);
  await sql`alter table alert_state add column no_data text not null default ''`.execute(db);
  for (const column of [
    'acknowledged_at bigint',
    'acknowledged_by text',
    'note text',
    'reminded_at bigint',
  ]) {
    await sql`alter table alert_log add column ${sql.raw(column)}`.execute(db);
  }
  await sql`insert into served_time (began, until)
    select first.began, last.until
    from (select (min(day) + 1) * cast(${sql.lit(dayMs)} as bigint) as began from statistic_day) as first
      cross join (select max(time) as until from statistic_flush) as last
    where first.began < last.until`.execute(db);
}
