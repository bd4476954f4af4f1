import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

/** Teams, users, tokens, connections, list texts and the log of changes. */
export async function foundation(database: Database, connection: Kysely<Schema>): Promise<void> {
  const { schema } = connection;
  const serial = database.serialKey as never;
  await schema
    .createTable('team')
    .addColumn('id', serial)
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('city', 'text', (c) => c.notNull())
    .addColumn('zip_code', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('phone', 'text', (c) => c.notNull())
    .execute();
  await schema
    .createTable('user')
    .addColumn('id', serial)
    .addColumn('team_id', 'integer', (c) => c.notNull().references('team.id'))
    .addColumn('mail_key', 'text', (c) => c.notNull().unique())
    .addColumn('mail', 'text', (c) => c.notNull())
    .addColumn('first_name', 'text', (c) => c.notNull())
    .addColumn('last_name', 'text', (c) => c.notNull())
    .addColumn('role', 'integer', (c) => c.notNull())
    .addColumn('status', 'integer', (c) => c.notNull())
    .addColumn('password_hash', 'text', (c) => c.notNull())
    .execute();
  await schema
    .createTable('token')
    .addColumn('id', serial)
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('user_id', 'integer', (c) => c.notNull().references('user.id'))
    .addColumn('label', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .execute();
  await schema.createIndex('token_user').on('token').column('user_id').execute();
  await connectionTables(connection);
  await schema
    .createTable('change')
    .addColumn('revision', database.bigKey as never)
    .addColumn('time', 'bigint', (c) => c.notNull())
    .addColumn('user_id', 'integer', (c) => c.notNull())
    .addColumn('team_id', 'integer', (c) => c.notNull())
    .addColumn('entity', 'text', (c) => c.notNull())
    .addColumn('entity_id', 'integer', (c) => c.notNull())
    .addColumn('operation', 'text', (c) => c.notNull())
    .addColumn('before', 'text')
    .addColumn('after', 'text', (c) => c.notNull())
    .addColumn('links', 'text')
    .execute();
  await schema
    .createIndex('change_object')
    .on('change')
    .columns(['entity', 'entity_id', 'revision'])
    .execute();
  await schema.createIndex('change_team').on('change').columns(['team_id', 'revision']).execute();
  await answerTable(connection);
}

async function answerTable({ schema }: Kysely<Schema>): Promise<void> {
  await schema
    .createTable('answer')
    .addColumn('team_id', 'integer', (c) => c.notNull())
    .addColumn('key_hash', 'text', (c) => c.notNull())
    .addColumn('request_hash', 'text', (c) => c.notNull())
    .addColumn('answer', 'text', (c) => c.notNull())
    .addColumn('time', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('answer_key', ['team_id', 'key_hash'])
    .execute();
  await schema.createIndex('answer_time').on('answer').column('time').execute();
}

async function connectionTables({ schema }: Kysely<Schema>): Promise<void> {
  await schema
    .createTable('connection')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('left_id', 'integer', (c) => c.notNull())
    .addColumn('right_id', 'integer', (c) => c.notNull())
    .addColumn('left_position', 'bigint', (c) => c.notNull())
    .addColumn('right_position', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('connection_key', ['kind', 'left_id', 'right_id'])
    .execute();
  await schema
    .createIndex('connection_left')
    .on('connection')
    .columns(['kind', 'left_id', 'left_position', 'right_id', 'right_position'])
    .execute();
  await schema
    .createIndex('connection_right')
    .on('connection')
    .columns(['kind', 'right_id', 'right_position', 'left_id', 'left_position'])
    .execute();
  await schema
    .createTable('list_text')
    .addColumn('entity', 'text', (c) => c.notNull())
    .addColumn('entity_id', 'integer', (c) => c.notNull())
    .addColumn('revision', 'bigint', (c) => c.notNull())
    .addColumn('part', 'integer', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('list_text_key', ['entity', 'entity_id', 'revision', 'part'])
    .execute();
}
