import { resolve } from 'node:path';
import { createAlertStore } from './alerts/alert-store.ts';
import type { Database } from './database/database.ts';
import { readDemonstrations } from './demonstrations.ts';
import { openPostgres } from './dialects/postgres.ts';
import { openSqlite } from './dialects/sqlite.ts';
import { createFeed } from './feed.ts';
import { createIdentityStore } from './identity/identity-store.ts';
import type { Store, StoreOptions } from './interface.ts';
import { createJobStore } from './jobs/job-store.ts';
import { lastRevision } from './log/change-log.ts';
import { readBatchParts, readChanged, readChanges, readRevisions } from './log/read-changes.ts';
import { changedMeanwhile, migrate } from './migrations/migrate.ts';
import { createObjectInserter } from './objects/insertion.ts';
import { findLines } from './objects/list-lines.ts';
import { readText } from './objects/list-texts.ts';
import { countObjects, createObjectReader } from './objects/object-query.ts';
import { teamReads } from './objects/team-reads.ts';
import { createReconciliationStore } from './reconciliation/reconciliation-store.ts';
import { createAnswerMemory } from './remembered-answers.ts';
import { createSecrets, createTrackerKeys } from './secrets.ts';
import { createSendingStore } from './sending/sending-store.ts';
import { createStatisticsStore } from './statistics/statistics-store.ts';
import { runJob } from './transaction.ts';
import { createCommitListeners } from './writes/commit-listeners.ts';
import { stateVersion } from './writes/state-version.ts';
import { createWriteQueue } from './writes/write-queue.ts';

type OpenEngine = (options: Omit<StoreOptions, 'now'>) => Promise<Database>;

const openFile: OpenEngine = ({ url, leavesCheckpoints }) =>
  openSqlite(resolve(url.slice('sqlite:'.length)), { leavesCheckpoints });
const openServer: OpenEngine = ({ url, threads = 1 }) => openPostgres(url, threads);

const engines: ReadonlyMap<string, OpenEngine> = new Map([
  ['sqlite', openFile],
  ['postgres', openServer],
  ['postgresql', openServer],
]);

function openDatabase(options: StoreOptions): Promise<Database> {
  const open = engines.get(/^[a-z]+(?=:.)/.exec(options.url)?.[0] ?? '');
  if (open) return open(options);
  throw new Error(
    'a database URL looks like sqlite:./data/bourse.db or postgres://user:password@host/database',
  );
}

/** The database is open and migrated, and closed by `close`; `newerMigrations` is from `migrate`. */
export function storeOn(
  database: Database,
  { now, writerLock, sharedCommits }: Omit<StoreOptions, 'url' | 'threads'>,
  newerMigrations: readonly string[] = [],
): Store {
  const commits = createCommitListeners(database, sharedCommits);
  const queue = createWriteQueue({ database, writerLock, committed: commits.committed });
  const read = createObjectReader(database);
  const insert = createObjectInserter(database);
  const answers = createAnswerMemory(database);
  const statistics = createStatisticsStore(database, queue, now);
  const secret = createSecrets(database, queue);
  return {
    identity: createIdentityStore({ ...database, ...stateVersion(database, commits.count) }, queue, now),
    isOnServer: database.pool !== undefined,
    clock: database.clock,
    statistics: statistics.store,
    jobs: createJobStore(database, queue),
    sending: createSendingStore(database, queue),
    alerts: createAlertStore(database, queue),
    reconciliation: createReconciliationStore(database, queue),
    find: async (entity, teamId, filter) =>
      (await read(entity, 'single', database.reader, { teamId, ...filter }))[0],
    page: (entity, teamId, filter, limit, form = 'array') =>
      read(entity, form, database.reader, { teamId, ...filter, limit }),
    count: (entity, teamId) => countObjects(database.reader, entity, teamId),
    reads: (teamId) => teamReads({ database, connection: database.reader, read, teamId }),
    text: (entity, id, atRevision) => readText(database.reader, { entity: entity.key, id }, atRevision),
    findLines: (entity, teamId, text, limit) => findLines(database, entity, teamId, text, limit),
    changes: (teamId, filter, limit) => readChanges(database, teamId, filter, limit),
    revisions: (teamId, filter, limit) => readRevisions(database, teamId, filter, limit),
    batchParts: (teamId, batchIds) => readBatchParts(database.reader, teamId, batchIds),
    changed: (teamId, afterRevision, limit) => readChanged(database.reader, teamId, afterRevision, limit),
    revision: () => lastRevision(database.reader),
    feed: createFeed(database, commits.onChange),
    secret,
    ...createTrackerKeys(database, queue, secret),
    demonstrations: () => readDemonstrations(database.reader),
    load: () => ({ writesWaiting: queue.waiting(), pool: database.pool?.() }),
    trouble: () => database.trouble?.(),
    newerMigrations,
    changedMeanwhile: () => changedMeanwhile(database.reader),
    write: (actor, job, options) =>
      queue.write(
        (context) => runJob({ database, ...context, read, insert, answers, actor, now }, job),
        options,
      ),
    close: async () => {
      await queue.idle();
      await statistics.idle();
      await database.close();
    },
  };
}

/** Rejects with a readable error if the URL is malformed or the database cannot be opened. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const database = await openDatabase(options);
  const migrated = options.isMigrated ? Promise.resolve([]) : migrate(database, options.now);
  const newerMigrations = await migrated.catch(async (error) => {
    // Otherwise idle connections would keep the process for ten seconds.
    await database.close();
    throw error;
  });
  database.boundStatements?.();
  // A database server makes writers wait for each other itself.
  const writerLock = database.pool ? undefined : options.writerLock;
  return storeOn(database, { ...options, writerLock }, newerMigrations);
}
