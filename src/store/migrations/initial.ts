import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** Of the tables by day and subid, which only the version before writes to (`sub-ids.ts`). */
const counts = sql.raw(
  ['requests', 'bids', 'wins', 'bills', 'impressions', 'clicks', 'invalid', 'spent_nanos', 'revenue_nanos']
    .map((name) => `${name} bigint not null default 0`)
    .join(),
);

type Statements = (database: Database) => readonly RawBuilder<unknown>[];

const people: Statements = ({ serialKey }) => [
  sql`create table team (
    id ${serialKey}, name text not null, country text not null, city text not null, zip_code text not null,
    address text not null, phone text not null)`,
  sql`create table team_setting (
    team_id integer primary key references team (id), measurement_url text not null)`,
  sql`create table "user" (
    id ${serialKey}, team_id integer not null references team (id), mail_key text not null unique,
    mail text not null, first_name text not null, last_name text not null, role integer not null,
    status integer not null, password_hash text not null, second_factor text, partner_kind text,
    partner_id integer)`,
  sql`create table token (
    id ${serialKey}, hash text not null unique, user_id integer not null references "user" (id), label text,
    created_at bigint not null, expires_at bigint, last_used_at bigint, ends_at bigint, address text,
    user_agent text)`,
  sql`create index token_user on token (user_id)`,
  sql`create table link (
    hash text primary key, kind text not null, user_id integer not null references "user" (id),
    expires_at bigint not null, token_id integer, path text)`,
  sql`create index link_user on link (user_id, kind)`,
  sql`create table known_network (
    user_id integer not null references "user" (id), network text not null, seen_at bigint not null,
    primary key (user_id, network))`,
];

const objects: Statements = ({ lastingSerialKey, bigKey, bytes }) => [
  sql`create table connection (
    kind text not null, left_id integer not null, right_id integer not null, left_position bigint not null,
    right_position bigint not null, primary key (kind, left_id, right_id))`,
  sql`create index connection_left on connection (kind, left_id, left_position, right_id, right_position)`,
  sql`create index connection_right on connection (kind, right_id, right_position, left_id, left_position)`,
  sql`create table list_text (
    entity text not null, entity_id integer not null, revision bigint not null, part integer not null,
    text text not null, primary key (entity, entity_id, revision, part))`,
  sql`create table list_line (
    entity text not null, entity_id integer not null, bucket integer not null, buckets integer not null,
    lines ${bytes} not null, primary key (entity, entity_id, bucket))`,
  sql`create table change (
    revision ${bigKey}, time bigint not null, user_id integer not null, team_id integer not null,
    entity text not null, entity_id integer not null, operation text not null, before text,
    after text not null, links text, owner_id integer, former_owner_id integer)`,
  sql`create index change_object on change (entity, entity_id, revision)`,
  sql`create index change_team on change (team_id, revision)`,
  sql`create index change_owner on change (entity, owner_id, revision) where owner_id is not null`,
  sql`create index change_former_owner on change (entity, former_owner_id, revision)
    where former_owner_id is not null`,
  sql`create table answer (
    id ${lastingSerialKey}, team_id integer not null, key_hash text not null, request_hash text not null,
    answer text not null, time bigint not null)`,
  sql`create unique index answer_key on answer (key_hash, team_id)`,
  sql`create table demo (team_id integer primary key, doc text not null)`,
];

const keys: Statements = ({ serialKey }) => [
  sql`create table secret (name text primary key, value text not null)`,
  sql`create table tracker_key (id integer primary key, secret text not null, from_ms bigint not null)`,
  sql`create table edge_key (
    id ${serialKey}, hash text not null unique, label text not null, created_at bigint not null)`,
];

const statistics: Statements = ({ keyOrdered }) => [
  sql`create table statistic_day (
    kind text not null, id integer not null, day integer not null, ${counts},
    taken bigint not null default 0,
    primary key (kind, id, day))`,
  sql`create index statistic_day_objects on statistic_day (day, kind, id)`,
  sql`create table statistic_sub_id (
    kind text not null, id integer not null, day integer not null, sub_id text not null, ${counts},
    primary key (kind, id, day, sub_id))`,
  sql`create table statistic_flush (id text primary key, time bigint not null, requests text not null)`,
  sql`create index statistic_flush_time on statistic_flush (time)`,
  sql`create table late_hour (
    team_id integer not null, hour bigint not null, time bigint not null, primary key (team_id, hour))`,
  sql`create table served_time (began bigint primary key, until bigint not null)`,
  // Each process that writes has rows of its own.
  sql`create table bid_sample (
    day integer not null, kind text not null, id integer not null, hour integer not null, country text not null,
    writer text not null, auctions bigint not null, sampled text not null,
    primary key (day, kind, id, hour, country, writer))`,
  sql`create table partner_fetch (
    kind text not null, id integer not null, team_id integer not null, next_at bigint not null,
    from_day integer not null, to_day integer not null, claimed_until bigint not null, claimed_by text not null,
    state text not null, last_at bigint, error text not null, sample text not null, row_count integer not null,
    primary key (kind, id))`,
  sql`create index partner_fetch_due on partner_fetch (next_at)`,
  sql`create table partner_report (
    kind text not null, id integer not null, day integer not null, fetched_at bigint not null, state text not null,
    impressions bigint not null, clicks bigint not null, nanos bigint not null,
    primary key (kind, id, day, fetched_at)) ${keyOrdered}`,
];

const events: Statements = ({ serialKey }) => [
  sql`create table billed_event (
    auction_id text not null, event text not null, expires bigint not null, batch text not null,
    primary key (auction_id, event))`,
  sql`create index billed_event_expires on billed_event (expires)`,
  sql`create table left_fact (
    position ${serialKey}, id text not null unique, name text not null, facts text not null)`,
  sql`create index left_fact_name on left_fact (name, position)`,
  sql`create table taken_record (source text primary key, place bigint not null, time bigint not null)`,
  sql`create table shipped (
    process text primary key, name text not null, until_time bigint not null, noted bigint not null,
    is_done integer not null)`,
  sql`create table pending_notice (
    id text primary key, due bigint not null, time bigint not null, notices text not null)`,
  sql`create index pending_notice_due on pending_notice (due)`,
];

const limits: Statements = ({ serialKey }) => [
  sql`create table address_impressions (
    day integer not null, kind text not null, id integer not null, address text not null,
    hour integer not null, impressions bigint not null, promised bigint not null,
    primary key (day, kind, id, address, hour))`,
  sql`create index address_impressions_unshown on address_impressions (day, hour) where impressions = 0`,
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
  sql`create index limit_resource_place on limit_resource (((object_id % 64) * 2147483648 + object_id))`,
  sql`create index limit_resource_day on limit_resource (day) where day > 0`,
  sql`create table limit_holding (
    resource bigint not null, holder integer not null, used bigint not null, open bigint not null,
    unused bigint not null, short_at bigint, primary key (resource, holder))`,
  sql`create index limit_holding_holder on limit_holding (holder)`,
  sql`create index limit_holding_short on limit_holding (short_at) where short_at is not null`,
  sql`create table kept_promise (
    holder integer not null, "to" text not null, minute bigint not null, kind text not null, id integer not null,
    impressions bigint not null, nanos bigint not null)`,
  sql`create index kept_promise_minute on kept_promise (holder, "to", minute)`,
];

const messages: Statements = ({ serialKey }) => [
  sql`create table sending (
    id ${serialKey}, team_id integer not null, entity text not null, object_id integer not null, due bigint not null,
    channel text not null, target text not null, state text not null, attempts integer not null,
    next_at bigint not null, last_at bigint, claimed_until bigint not null, claimed_by text not null,
    error text not null, unique (entity, object_id, due, channel, target))`,
  sql`create index sending_team on sending (team_id, entity, id)`,
  sql`create index sending_due on sending (next_at) where state = 'waiting'`,
  sql`create table schedule (
    report_id integer primary key, schedule text not null, planned_until bigint not null)`,
  sql`create table alert_state (
    alert_id integer primary key, checked_at bigint not null, rule text not null, problem text not null,
    no_data text not null default '')`,
  sql`create table alert_log (
    id ${serialKey}, team_id integer not null, alert_id integer not null, kind text not null,
    object_id integer not null, name text not null, rule text not null, held_since bigint not null, began_at bigint,
    cleared_since bigint, ended_at bigint, ending text not null, first_value double precision,
    compared double precision, last_value double precision, detail text not null, begin_sent_at bigint,
    end_sent_at bigint, acknowledged_at bigint, acknowledged_by text, note text, reminded_at bigint)`,
  sql`create unique index alert_log_open on alert_log (alert_id, kind, object_id) where ended_at is null`,
  sql`create index alert_log_alert on alert_log (alert_id, id)`,
  sql`create index alert_log_team on alert_log (team_id, id)`,
  sql`create index alert_log_ended on alert_log (ended_at) where ended_at is not null`,
  sql`create table lease (name text primary key, holder text not null, held_until bigint not null)`,
];

/** Leaves room in pages, so that rows that change every second stay in theirs (PostgreSQL, "Heap-Only Tuples"). */
const fillFactors: Statements = ({ schema }) =>
  schema
    ? ['limit_holder', 'limit_holding'].map(
        (table) => sql`alter table ${sql.table(table)} set (fillfactor = 50)`,
      )
    : [];

/** All tables except those of entities and cubes, which are made from their registries. */
export async function initial(database: Database, connection: Kysely<unknown>): Promise<void> {
  const parts = [people, objects, keys, statistics, events, limits, messages, fillFactors];
  for (const statement of parts.flatMap((part) => part(database))) await statement.execute(connection);
}
