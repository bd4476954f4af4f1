import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { declaredCounts } from '../statistics/count-columns.ts';

const configuration = ({
  serialKey,
  lastingSerialKey,
  bigKey,
  bytes,
}: Database): readonly RawBuilder<unknown>[] => [
  sql`create table team (
    id ${serialKey}, name text not null, country text not null, city text not null, zip_code text not null,
    address text not null, phone text not null)`,
  sql`create table "user" (
    id ${serialKey}, team_id integer not null references team (id), mail_key text not null unique,
    mail text not null, first_name text not null, last_name text not null, role integer not null,
    status integer not null, password_hash text not null, second_factor text)`,
  sql`create table token (
    id ${serialKey}, hash text not null unique, user_id integer not null references "user" (id), label text,
    created_at bigint not null, expires_at bigint, last_used_at bigint, ends_at bigint, address text,
    user_agent text)`,
  sql`create index token_user on token (user_id)`,
  sql`create table link (
    hash text primary key, kind text not null, user_id integer not null references "user" (id),
    expires_at bigint not null, token_id integer, path text)`,
  sql`create index link_user on link (user_id, kind)`,

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
  sql`create table secret (name text primary key, value text not null)`,
  sql`create table demo (team_id integer primary key, doc text not null)`,
];

const statistics = (): readonly RawBuilder<unknown>[] => [
  sql`create table statistic_hour (
    supply_kind text not null, supply_id integer not null, day integer not null, hour integer not null,
    demand_kind text not null, demand_id integer not null, ${declaredCounts('pair')},
    primary key (supply_kind, supply_id, day, hour, demand_kind, demand_id))`,
  sql`create index statistic_hour_demand on statistic_hour (day, hour, demand_kind, demand_id)`,
  sql`create table statistic_day (
    kind text not null, id integer not null, day integer not null, ${declaredCounts('day')}, primary key (kind, id, day))`,
  sql`create index statistic_day_objects on statistic_day (day, kind, id)`,
  sql`create table statistic_sub_id (
    kind text not null, id integer not null, day integer not null, sub_id text not null, ${declaredCounts('subId')},
    primary key (kind, id, day, sub_id))`,
  sql`create table statistic_flush (id text primary key, time bigint not null, requests text not null)`,
  sql`create index statistic_flush_time on statistic_flush (time)`,
  sql`create table billed_event (
    auction_id text not null, event text not null, expires bigint not null, batch text not null,
    primary key (auction_id, event))`,
  sql`create index billed_event_expires on billed_event (expires)`,
  sql`create table address_impressions (
    day integer not null, kind text not null, id integer not null, address text not null,
    hour integer not null, impressions bigint not null, promised bigint not null,
    primary key (day, kind, id, address, hour))`,
  sql`create index address_impressions_unshown on address_impressions (day, hour) where impressions = 0`,
];

/** All tables but those of entities, which are made from the registry. */
export async function initial(database: Database, connection: Kysely<unknown>): Promise<void> {
  for (const statement of [...configuration(database), ...statistics()]) await statement.execute(connection);
}
