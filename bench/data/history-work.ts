import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import { publisher as entity } from '../../src/entities/publisher.ts';
import type { Database } from '../../src/store/database.ts';
import { openSqlite } from '../../src/store/dialects/sqlite.ts';
import { createObjectInserter, type ObjectInserter } from '../../src/store/insertion.ts';
import { migrate } from '../../src/store/migrate.ts';
import type { Schema } from '../../src/store/schema.ts';
import { publisher } from './publisher.ts';

/** Transactions that add a publisher to a database of this process: its row, and on demand what the history keeps. */
export interface HistoryWork extends AsyncDisposable {
  /** Does so many, each synced to disk; processor time of one in microseconds. */
  cpuUs(count: number, withHistory: boolean): Promise<number>;
}

/** The statements of an addition without the one that records it, as the dialect runs them. */
function withoutHistory({ reader }: Database): Database['compileInsertion'] {
  return ({ table, insert, read }) => {
    const [insertText, readText] = [
      sql`${insert} returning id, revision, team_id`,
      read(sql`(select * from ${sql.table(table)} where id = ${null}) e`),
    ].map((statement) => statement.compile(reader).sql) as [string, string];
    return async (connection, values) => {
      const run = (text: string, parameters: readonly unknown[]) =>
        connection.executeQuery<{ readonly id: number }>(CompiledQuery.raw(text, [...parameters]));
      const [row] = (await run(insertText, values)).rows;
      return (await run(readText, [row?.id])).rows[0];
    };
  };
}

function add(connection: Kysely<Schema>, insert: ObjectInserter, key: string) {
  const doc = JSON.stringify(publisher(key));
  const object = {
    team_id: 1,
    owner_id: null,
    manager_id: null,
    name: '',
    username: key,
    stats_auth: null,
    doc,
  };
  return insert(entity, connection, object, { timeMs: Date.now(), userId: 1, after: doc });
}

async function inTransaction(database: Database, job: (connection: Kysely<Schema>) => Promise<unknown>) {
  await database.onWriter(async (connection) => {
    await database.begin(connection);
    await job(connection);
    await database.commit(connection, true);
  });
}

const team = { name: 'bench', country: '', city: '', zip_code: '', address: '', phone: '' };

/** Opens a database in `folder` for it. */
export async function startHistoryWork(folder: string): Promise<HistoryWork> {
  const database = await openSqlite(join(mkdtempSync(join(folder, 'history-')), 'bourse.db'));
  await migrate(database);
  await database.onWriter((connection) => connection.insertInto('team').values(team).execute());
  const whole = createObjectInserter(database);
  const without = createObjectInserter({ ...database, compileInsertion: withoutHistory(database) });
  let number = 0;
  return {
    async cpuUs(count, withHistory) {
      const start = process.cpuUsage();
      for (let index = 0; index < count; index++) {
        number += 1;
        const key = String(number);
        await inTransaction(database, (connection) => add(connection, withHistory ? whole : without, key));
      }
      const { user, system } = process.cpuUsage(start);
      return (user + system) / count;
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
}
