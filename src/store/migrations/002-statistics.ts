import type { ColumnDefinitionBuilder, CreateTableBuilder, Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

const given = (column: ColumnDefinitionBuilder) => column.notNull();

/** What is counted in every table of the statistics; amounts in nano-USD. */
function withCounts<T extends string, C extends string>(table: CreateTableBuilder<T, C>) {
  return table
    .addColumn('requests', 'bigint', given)
    .addColumn('bids', 'bigint', given)
    .addColumn('wins', 'bigint', given)
    .addColumn('bills', 'bigint', given)
    .addColumn('impressions', 'bigint', given)
    .addColumn('clicks', 'bigint', given)
    .addColumn('invalid', 'bigint', given)
    .addColumn('spent_nanos', 'bigint', given)
    .addColumn('revenue_nanos', 'bigint', given);
}

async function countTables({ schema }: Kysely<Schema>): Promise<void> {
  const hours = schema
    .createTable('statistic_hour')
    .addColumn('supply_kind', 'text', given)
    .addColumn('supply_id', 'integer', given)
    .addColumn('day', 'integer', given)
    .addColumn('hour', 'integer', given)
    .addColumn('demand_kind', 'text', given)
    .addColumn('demand_id', 'integer', given);
  const hourKey = ['supply_kind', 'supply_id', 'day', 'hour', 'demand_kind', 'demand_id'] as const;
  await withCounts(hours)
    .addPrimaryKeyConstraint('statistic_hour_key', [...hourKey])
    .execute();
  const days = schema
    .createTable('statistic_day')
    .addColumn('kind', 'text', given)
    .addColumn('id', 'integer', given)
    .addColumn('day', 'integer', given);
  await withCounts(days).addPrimaryKeyConstraint('statistic_day_key', ['kind', 'id', 'day']).execute();
  await schema.createIndex('statistic_day_day').on('statistic_day').column('day').execute();
  const subIds = schema
    .createTable('statistic_sub_id')
    .addColumn('kind', 'text', given)
    .addColumn('id', 'integer', given)
    .addColumn('day', 'integer', given)
    .addColumn('sub_id', 'text', given);
  await withCounts(subIds)
    .addPrimaryKeyConstraint('statistic_sub_id_key', ['kind', 'id', 'day', 'sub_id'])
    .execute();
}

/** Rollups of what the exchange counts, the events that count once, and secrets that all processes share. */
export async function statistics(_: Database, connection: Kysely<Schema>): Promise<void> {
  const { schema } = connection;
  await countTables(connection);
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
