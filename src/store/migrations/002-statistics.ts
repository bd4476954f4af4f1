import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import { declaredCounts } from '../count-columns.ts';
import type { Database } from '../database.ts';
import type { Schema } from '../schema.ts';

const given = (column: ColumnDefinitionBuilder) => column.notNull();

const countTables = [
  sql`create table statistic_hour (
    supply_kind text not null, supply_id integer not null, day integer not null, hour integer not null,
    demand_kind text not null, demand_id integer not null, ${declaredCounts('hour')},
    primary key (supply_kind, supply_id, day, hour, demand_kind, demand_id))`,
  sql`create table statistic_day (
    kind text not null, id integer not null, day integer not null, ${declaredCounts('day')},
    primary key (kind, id, day))`,
  sql`create index statistic_day_day on statistic_day (day)`,
  sql`create table statistic_sub_id (
    kind text not null, id integer not null, day integer not null, sub_id text not null,
    ${declaredCounts('subId')}, primary key (kind, id, day, sub_id))`,
];

/** Rollups of what the exchange counts, the events that count once, and secrets that all processes share. */
export async function statistics(_: Database, connection: Kysely<Schema>): Promise<void> {
  const { schema } = connection;
  for (const statement of countTables) await statement.execute(connection);
  await schema
    .createTable('statistic_flush')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('time', 'bigint', given)
    .addColumn('requests', 'text', given)
    .execute();
  await schema.createIndex('statistic_flush_time').on('statistic_flush').column('time').execute();
  await schema
    .createTable('billed_event')
    .addColumn('auction_id', 'text', given)
    .addColumn('event', 'text', given)
    .addColumn('expires', 'bigint', given)
    .addColumn('batch', 'text', given)
    .addPrimaryKeyConstraint('billed_event_key', ['auction_id', 'event'])
    .execute();
  await schema.createIndex('billed_event_expires').on('billed_event').column('expires').execute();
  await schema
    .createTable('secret')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', given)
    .execute();
}
