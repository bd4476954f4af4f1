import { randomBytes } from 'node:crypto';
import type { Database } from './database/database.ts';
import type { Store } from './interface.ts';
import type { WriteQueue } from './writes/write-queue.ts';

const secretBytes = 32;

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

/** Sealed trackers before the first rotation. */
const firstKeyName = 'trackers';

export function createTrackerKeys(
  { reader }: Pick<Database, 'reader'>,
  queue: WriteQueue,
  secret: Store['secret'],
): Pick<Store, 'trackerKeys' | 'addTrackerKey'> {
  return {
    async trackerKeys() {
      const rows = await reader.selectFrom('tracker_key').selectAll().orderBy('id').execute();
      const first = { id: 0, secret: await secret(firstKeyName), fromMs: 0 };
      const others = rows.map(({ id, secret: text, from_ms: fromMs }) => {
        return { id, secret: Buffer.from(text, 'base64'), fromMs: Number(fromMs) };
      });
      return [first, ...others];
    },
    addTrackerKey: (fromMs) =>
      queue.write(async ({ connection, touch }) => {
        touch();
        const last = await connection
          .selectFrom('tracker_key')
          .select(['id', 'from_ms'])
          .orderBy('id', 'desc')
          .executeTakeFirst();
        if (last && Number(last.from_ms) >= fromMs) return undefined;
        const id = (last?.id ?? 0) + 1;
        const value = randomBytes(secretBytes).toString('base64');
        await connection.insertInto('tracker_key').values({ id, secret: value, from_ms: fromMs }).execute();
        return id;
      }),
  };
}
