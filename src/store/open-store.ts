import { resolve } from 'node:path';
import { lastRevision } from './change-log.ts';
import { readChanges } from './changes.ts';
import { createCommitNews, type Neighbours } from './commit-news.ts';
import type { Database } from './database.ts';
import { readDemonstrations } from './demonstrations.ts';
import { openPostgres } from './dialects/postgres.ts';
import { openSqlite } from './dialects/sqlite.ts';
import { createFeed } from './feed.ts';
import { createIdentityStore } from './identity-store.ts';
import { createObjectInserter } from './insertion.ts';
import type { Store } from './interface.ts';
import { readText } from './list-texts.ts';
import { migrate } from './migrate.ts';
import { createObjectReader } from './object-query.ts';
import { createAnswerMemory } from './remembered-answers.ts';
import { createSecrets } from './secrets.ts';
import { stateVersion } from './state-version.ts';
import { createStatisticsStore } from './statistics-store.ts';
import { teamReads } from './team-reads.ts';
import { runJob } from './transaction.ts';
import { createWriteQueue } from './write-queue.ts';
import type { WritersTurn } from './writers-turn.ts';

/** The engines by the scheme of their URL. */
const engines: ReadonlyMap<string, (url: string) => Promise<Database>> = new Map([
  ['sqlite', (url: string) => openSqlite(resolve(url.slice('sqlite:'.length)))],
  ['postgres', openPostgres],
  ['postgresql', openPostgres],
]);

function openDatabase(url: string): Promise<Database> {
  const open = engines.get(/^[a-z]+(?=:.)/.exec(url)?.[0] ?? '');
  if (open) return open(url);
  throw new Error(
    'a database URL looks like sqlite:./data/bourse.db or postgres://user:password@host/database',
  );
}

type Company = Pick<StoreOptions, 'writersTurn' | 'neighbours'>;

/** The store on an open and migrated database, which `close` closes too. */
export function storeOn(database: Database, now: () => number, { writersTurn, neighbours }: Company): Store {
  const news = createCommitNews(database, neighbours);
  const queue = createWriteQueue({ database, turn: writersTurn, committed: news.committed });
  const read = createObjectReader(database);
  const insert = createObjectInserter(database);
  const answers = createAnswerMemory(database);
  const statistics = createStatisticsStore(database, queue);
  return {
    identity: createIdentityStore({ ...database, ...stateVersion(database, news.commits) }, queue, now),
    isOnServer: database.pool !== undefined,
    statistics: statistics.store,
    find: async (entity, teamId, filter) =>
      (await read(entity, 'single', database.reader, { teamId, ...filter }))[0],
    page: (entity, teamId, filter, limit) =>
      read(entity, 'array', database.reader, { teamId, ...filter, limit }),
    reads: (teamId) => teamReads({ database, connection: database.reader, read, teamId }),
    text: (entity, id, atRevision) => readText(database.reader, { entity: entity.key, id }, atRevision),
    changes: (teamId, filter, limit) => readChanges(database.reader, teamId, filter, limit),
    revision: () => lastRevision(database.reader),
    onChange: news.onChange,
    feed: createFeed(database, news.onChange),
    secret: createSecrets(database, queue),
    demonstrations: () => readDemonstrations(database.reader),
    load: () => ({ writesWaiting: queue.waiting(), pool: database.pool?.() }),
    trouble: () => database.trouble?.(),
    write: (actor, job, options) =>
      queue.write((desk) => runJob({ database, ...desk, read, insert, answers, actor, now }, job), options),
    close: async () => {
      await queue.idle();
      await statistics.idle();
      await database.close();
    },
  };
}

/** What a store is opened with. */
export interface StoreOptions {
  /** `sqlite:<path>` or `postgres://…`. */
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** For threads of this process that share a file. */
  readonly writersTurn?: WritersTurn | undefined;
  readonly neighbours?: Neighbours | undefined;
}

/**
 * Opens the store at a database URL and migrates it to the program's form. Rejects with a readable error when the URL
 * is malformed or the database cannot be opened.
 */
export async function openStore({ url, now, writersTurn, neighbours }: StoreOptions): Promise<Store> {
  const database = await openDatabase(url);
  await migrate(database);
  database.boundStatements?.();
  // A database server makes writers wait for each other itself, and tells everyone of commits at once.
  return storeOn(database, now, database.pool === undefined ? { writersTurn, neighbours } : {});
}
