import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { publisher as entity } from '../../src/entities/publisher.ts';
import { createRevisions, record } from '../../src/store/change-log.ts';
import type { Database } from '../../src/store/database.ts';
import { openSqlite } from '../../src/store/dialects/sqlite.ts';
import { migrate } from '../../src/store/migrate.ts';
import type { Schema } from '../../src/store/schema.ts';
import { tableOf } from '../../src/store/tables.ts';
import { publisher } from './publisher.ts';

/** Transactions that add a publisher to a database of this process: its row, and on demand what the history keeps. */
export interface HistoryWork extends AsyncDisposable {
  /** Does so many, each synced to disk; processor time of one in microseconds. */
  cpuUs(count: number, withHistory: boolean): Promise<number>;
}

async function add(connection: Kysely<Schema>, key: string, withHistory: boolean): Promise<void> {
  const revisions = createRevisions(connection);
  const revision = await revisions.take(1);
  const document = publisher(key);
  const { id } = await connection
    .insertInto(tableOf(entity.key))
    .values({ team_id: 1, status: 0, revision, doc: JSON.stringify(document), name: '' })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (!withHistory) return;
  const recording = { connection, actor: { teamId: 1, userId: 1 }, now: Date.now, revisions };
  await record(recording, [{ revision, entity, id, operation: 'add', before: null, after: document }]);
}

async function inTransaction(database: Database, job: (connection: Kysely<Schema>) => Promise<void>) {
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
  return {
    async cpuUs(count, withHistory) {
      const start = process.cpuUsage();
      for (let index = 0; index < count; index++) {
        await inTransaction(database, (connection) => add(connection, `${index}`, withHistory));
      }
      const { user, system } = process.cpuUsage(start);
      return (user + system) / count;
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
}
