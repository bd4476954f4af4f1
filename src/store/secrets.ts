import { randomBytes } from 'node:crypto';
import type { Database } from './database/database.ts';
import type { Store } from './interface.ts';
import type { WriteQueue } from './writes/write-queue.ts';

const secretBytes = 32;

/** `Store.secret` on a database. */
export function createSecrets({ reader }: Pick<Database, 'reader'>, queue: WriteQueue): Store['secret'] {
  const stored = (name: string, connection = reader) =>
    connection.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirst();
  const make = (name: string) =>
    queue.write(async ({ connection, touch }) => {
      touch();
      const value = randomBytes(secretBytes).toString('base64');
      await connection
        .insertInto('secret')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
      // Another process may have been quicker.
      return stored(name, connection);
    });
  return async (name) => {
    const row = (await stored(name)) ?? (await make(name));
    if (!row) throw new Error(`the secret ${name} was not kept`);
    return Buffer.from(row.value, 'base64');
  };
}
