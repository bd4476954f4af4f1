import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

/** The owner's ID in one of the log's JSON columns: an object has a publisher, an advertiser, or neither. */
function ownerIn(database: Database, column: string) {
  const whole = sql`('[' || coalesce(${sql.ref(column)}, '{}') || ']')`;
  return sql`(select cast(coalesce(value ->> 'PublisherId', value ->> 'AdvertiserId') as integer)
    from ${database.rowsIn(whole)})`;
}

/**
 * Adds columns for the owner that an object came to with a change and for the owner that it left, each with an index.
 */
export async function ownersInLog(database: Database, connection: Kysely<Schema>): Promise<void> {
  const { schema } = connection;
  for (const [column, values] of [
    ['owner_id', 'after'],
    ['former_owner_id', 'before'],
  ] as const) {
    await schema.alterTable('change').addColumn(column, 'integer').execute();
    await sql`update change set ${sql.ref(column)} = ${ownerIn(database, values)}
      where operation in ('add', 'update')`.execute(connection);
    const index = schema.createIndex(`change_${column.replace('_id', '')}`).on('change');
    await index.columns(['entity', column, 'revision']).where(column, 'is not', null).execute();
  }
}
