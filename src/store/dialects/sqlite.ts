import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, type RawBuilder, SqliteDialect, type SqliteStatement, sql } from 'kysely';
import { Refusal } from '../../fields/fault.ts';
import { createRecentCache } from '../../shared/recent-cache.ts';
import { createTimedWork } from '../../shared/timed-work.ts';
import type { Database, InsertionStatements, RunInsertion, RunWrite } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { makeFolder } from './make-folder.ts';
import { type Disk, makeFile, openingError, watchDisk } from './sqlite-disk.ts';
import { createQueryWorker } from './sqlite-query-worker.ts';
import { openWalSync } from './sqlite-wal.ts';

const statementsMax = 500;
const lockWaitMsMax = 15_000;
/** Reads wait only while another process repairs the file after a crash. */
const readWaitMsMax = 1000;
const lockRetryMs = 5;
const pollEveryMs = 200;

function adapt(statement: StatementSync, { translate }: Disk): SqliteStatement {
  const reader = statement.columns().length > 0;
  const translated = <T>(run: () => T): T => {
    try {
      return run();
    } catch (error) {
      throw translate(error);
    }
  };
  return {
    reader,
    all: (parameters) => translated(() => statement.all(...(parameters as SQLInputValue[]))),
    run: (parameters) => translated(() => statement.run(...(parameters as SQLInputValue[]))),
    iterate: (parameters) =>
      statement.iterate(...(parameters as SQLInputValue[])) as IterableIterator<unknown>,
  };
}

/** SQLite, "Result and Error Codes"; undefined for any other error. */
function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}

const isBusy = (error: unknown) => resultCode(error) === 5;

/** TOOBIG, CONSTRAINT, MISMATCH and RANGE. */
const codesOfValues: ReadonlySet<number | undefined> = new Set([18, 19, 20, 25]);

/**
 * Retries while another process has the lock: waiting inside SQLite would block this process. Rejects with
 * `unavailable` after 15 seconds.
 */
async function untilFree(attempt: () => unknown): Promise<void> {
  const endMs = performance.now() + lockWaitMsMax;
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > endMs) {
        const text = 'Another process has been writing to the database for a long time; try again';
        throw new Refusal('unavailable', text, { retryAfterSeconds: 5 });
      }
      await delay(lockRetryMs);
    }
  }
}

interface Connection {
  readonly kysely: Kysely<Schema>;
  readonly prepare: (text: string) => SqliteStatement;
  /** `data_version` (SQLite, PRAGMA): changes with other connections' commits. */
  version(): number;
  close(): Promise<void>;
}

/** Retries while another process creates it. */
async function openFile(path: string, waitMsMax: number): Promise<DatabaseSync> {
  const database = new DatabaseSync(path, { timeout: waitMsMax });
  try {
    await untilFree(() => database.exec('PRAGMA journal_mode = WAL'));
    // Commits are synced by `openWalSync`.
    database.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Caches prepared statements. */
async function connect(path: string, waitMsMax: number, disk: Disk): Promise<Connection> {
  const database = await openFile(path, waitMsMax);
  const statements = createRecentCache<string, SqliteStatement>(statementsMax);
  const prepare = (text: string) => statements.getOrMake(text, () => adapt(database.prepare(text), disk));
  const close = () => {
    if (database.isOpen) database.close();
  };
  const kysely = new Kysely<Schema>({ dialect: new SqliteDialect({ database: { prepare, close } }) });
  const dataVersion = database.prepare('PRAGMA data_version');
  return {
    kysely,
    prepare,
    version: () => Number(dataVersion.get()?.data_version),
    // Kysely closes nothing that it has never used.
    close: () => kysely.destroy().finally(close),
  };
}

/** Undefined if unreadable: a poll has nobody to tell, and the next reader gets the error. */
function tryVersion(version: () => number): number | undefined {
  try {
    return version();
  } catch {
    return undefined;
  }
}

/** Often, and cheaply. */
function pollForChanges(version: () => number, listener: () => void): () => void {
  let seen = version();
  const poll = () => {
    const now = tryVersion(version) ?? seen;
    if (now !== seen) listener();
    seen = now;
  };
  const work = createTimedWork(pollEveryMs, poll);
  work.start();
  return () => void work.close();
}

type Row = Readonly<Record<string, unknown>>;

/** On the one writing connection, lent by `onWriter`. */
function compileWrite<R>({ kysely, prepare }: Connection, statement: RawBuilder<R>): RunWrite<R> {
  const text = statement.compile(kysely).sql;
  return async (_connection, values) => prepare(text).all(values) as R[];
}

/** SQLite cannot write within a query (SQLite, "The WITH Clause"). */
function compileInsertion(
  writer: Connection,
  { table, insert, record, read }: InsertionStatements,
): RunInsertion {
  const compile = (statement: RawBuilder<unknown>) => compileWrite(writer, statement as RawBuilder<Row>);
  const inserting = compile(sql`${insert} returning id, revision, team_id, owner_id`);
  const recording = compile(
    record(sql`(select ${null} as id, ${null} as revision, ${null} as team_id, ${null} as owner_id) e`),
  );
  const reading = compile(read(sql`(select * from ${sql.table(table)} where id = ${null}) e`));
  return async (connection, values, recorded) => {
    const [row] = await inserting(connection, values);
    if (row === undefined) return undefined;
    await recording(connection, [...recorded, row.id, row.revision, row.team_id, row.owner_id]);
    return (await reading(connection, [row.id]))[0];
  };
}

/** One to write, one to read, so that reads never wait. Creates a missing file. */
async function connectTwice(
  path: string,
  disk: Disk,
): Promise<readonly [writer: Connection, reader: Connection]> {
  try {
    makeFolder(dirname(path));
    makeFile(path);
    return [await connect(path, 0, disk), await connect(path, readWaitMsMax, disk)];
  } catch (error) {
    throw openingError(error, path);
  }
}

export interface SqliteOptions {
  /** Never goes back. */
  readonly now?: () => number;
  /** See `StoreOptions`. */
  readonly leavesCheckpoints?: boolean | undefined;
}

/** Pages of the WAL at which a commit moves them into the file, if nobody else does. */
const pagesLeftMax = 16_000;

/** One file in WAL mode, every commit synced; several processes may share it. */
export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<Database> {
  const { now = () => performance.now(), leavesCheckpoints = false } = options;
  const disk = watchDisk(path, now);
  const [writer, reader] = await connectTwice(path, disk);
  if (leavesCheckpoints) writer.prepare(`pragma wal_autocheckpoint = ${pagesLeftMax}`).all([]);
  // The first read makes the file.
  writer.prepare('select count(*) from sqlite_schema').all([]);
  const wal = await openWalSync(path);
  const aside = createQueryWorker(path);
  return {
    trouble: disk.trouble,
    reader: reader.kysely,
    onWriter: (use) => writer.kysely.connection().execute(use),
    isPipelined: false,
    begin: (connection) => untilFree(() => sql`begin immediate`.execute(connection)),
    // Other processes poll the file.
    commit: async (connection, hasWritten) => {
      await sql`commit`.execute(connection);
      if (hasWritten) await wal.sync();
    },
    streamLongQuery: aside.ask,
    isAboutValues: (error) => codesOfValues.has(resultCode(error)),
    onChange: (listener) => pollForChanges(reader.version, listener),
    version: reader.version,
    keyOrdered: sql`without rowid`,
    byIndex: (name) => sql`indexed by ${sql.id(name)}`,
    serialKey: sql`integer primary key autoincrement`,
    // Without `autoincrement`, SQLite reuses the greatest ID once its row is deleted.
    lastingSerialKey: sql`integer primary key`,
    bigKey: sql`integer primary key`,
    bytes: sql`blob`,
    idArray: (member, position, from) =>
      sql`(select json_group_array(${sql.ref(member)} order by ${sql.ref(position)}) ${from})`,
    members: (json, names) =>
      sql`json_object(${sql.join(names.map((name) => sql`${sql.lit(name)}, ${json} -> ${sql.lit(name)}`))})`,
    // A text search excludes most rows faster than reading JSON.
    hasMember: (json, name) => sql`(instr(${json}, ${`"${name}"`}) > 0 and ${json} -> ${name} is not null)`,
    idsIn: (json) => sql`(select value from json_each(${json}))`,
    compileWrite: (statement) => compileWrite(writer, statement),
    compileInsertion: (statements) => compileInsertion(writer, statements),
    rowsIn: (json) => sql`json_each(${json})`,
    close: async () => {
      await aside.close();
      await reader.close();
      await writer.close();
      await wal.close();
    },
  };
}
