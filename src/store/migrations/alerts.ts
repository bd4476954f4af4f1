import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** Sendings are those of any kind of object: a table can't change what is unique in it, so a new one takes its place. */
const sendings = ({ serialKey, goOnAfter }: Database) => [
  sql`alter table sending rename to sending_of_reports`,
  sql`drop index sending_team`,
  sql`drop index sending_due`,
  sql`create table sending (
    id ${serialKey}, team_id integer not null, entity text not null, object_id integer not null, due bigint not null,
    channel text not null, target text not null, state text not null, attempts integer not null,
    next_at bigint not null, last_at bigint, claimed_until bigint not null, claimed_by text not null,
    error text not null, unique (entity, object_id, due, channel, target))`,
  sql`insert into sending (id, team_id, entity, object_id, due, channel, target, state, attempts, next_at, last_at,
      claimed_until, claimed_by, error)
    select id, team_id, 'Report', report_id, due, channel, target, state, attempts, next_at, last_at, claimed_until,
      claimed_by, error
    from sending_of_reports`,
  sql`drop table sending_of_reports`,
  goOnAfter('sending'),
  sql`create index sending_team on sending (team_id, entity, id)`,
  sql`create index sending_due on sending (next_at) where state = 'waiting'`,
];

/** What alerts have found, how they are, and which process judges them. */
const findings = ({ serialKey }: Database) => [
  sql`create table alert_state (
    alert_id integer primary key, checked_at bigint not null, rule text not null, problem text not null)`,
  sql`create table alert_log (
    id ${serialKey}, team_id integer not null, alert_id integer not null, kind text not null,
    object_id integer not null, name text not null, rule text not null, held_since bigint not null, began_at bigint,
    cleared_since bigint, ended_at bigint, ending text not null, first_value double precision,
    compared double precision, last_value double precision, detail text not null, begin_sent_at bigint,
    end_sent_at bigint)`,
  sql`create unique index alert_log_open on alert_log (alert_id, kind, object_id) where ended_at is null`,
  sql`create index alert_log_alert on alert_log (alert_id, id)`,
  sql`create index alert_log_team on alert_log (team_id, id)`,
  sql`create index alert_log_ended on alert_log (ended_at) where ended_at is not null`,
  sql`create table lease (name text primary key, holder text not null, held_until bigint not null)`,
];

/** Alerts, and sendings of theirs beside those of reports. */
export async function alerts(database: Database, connection: Kysely<unknown>): Promise<void> {
  for (const statement of [...sendings(database), ...findings(database)]) await statement.execute(connection);
}
