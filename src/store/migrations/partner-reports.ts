import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** What partners have said of days, each time that it was another than before. It begins with what they say now. */
export async function partnerReports({ keyOrdered }: Database, db: Kysely<unknown>): Promise<void> {
  await sql`create table partner_report (
    kind text not null, id integer not null, day integer not null, fetched_at bigint not null, state text not null,
    impressions bigint not null, clicks bigint not null, nanos bigint not null,
    primary key (kind, id, day, fetched_at)) ${keyOrdered}`.execute(db);
  await sql`insert into partner_report (kind, id, day, fetched_at, state, impressions, clicks, nanos)
    select c.demand_kind, c.demand_id, c.slot, coalesce(max(p.last_at), 0), 'reported', sum(c.partner_impressions),
      sum(c.partner_clicks), sum(c.partner_nanos)
    from cube_partner_day c left join partner_fetch p on p.kind = c.demand_kind and p.id = c.demand_id
    where c.reported_days > 0
    group by c.demand_kind, c.demand_id, c.slot`.execute(db);
}
