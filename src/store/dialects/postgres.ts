import {
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type RawBuilder,
  sql,
} from 'kysely';
import pg from 'pg';
import { Refusal } from '../../fields/fault.ts';
import type { Database, InsertionStatements, RunInsertion, RunWrite } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { createCursorQueries } from './postgres-cursor-queries.ts';
import { listenForChanges } from './postgres-listener.ts';
import { applySessionSettings, keepAliveSeconds } from './postgres-session.ts';

/** Per process: a writer, two batches, a long query and another. */
const connectionsMax = { alone: 10, amongOthers: 5 } as const;
const longQueriesMax = { alone: 3, amongOthers: 1 } as const;
const connectWaitMsMax = 5000;
const statementsMax = 500;
/** A slower statement counts as lost, with its connection: nothing else reveals a hanging server or lost packets. */
const statementMsMax = 15_000;
/** Advisory lock of writers: "BOUR" in ASCII. */
const writersLock = 0x42_4f_55_52;
/** Tells other processes of new revisions. */
const channel = 'bourse_change';
const bigintType = 20;

/** IDs, counts and revisions as numbers: they stay far below 2^53. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === bigintType ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/** The database is away, as opposed to a wrong statement. */
const awayCodes = /^(08|25P03|57P0|53300)/;
const awayMessages =
  /connection (terminated|ended)|timeout (exceeded|expired)|read timeout|not queryable|client was closed/i;

function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Errors of the operating system name their system call.
  if ('syscall' in error) return true;
  return ('code' in error && awayCodes.test(String(error.code))) || awayMessages.test(error.message);
}

/** About values: data exceptions, broken constraints, and limits. */
const valueCodes = /^(22|23|54)/;

const isAboutValues = (error: unknown) =>
  error instanceof Error && 'code' in error && valueCodes.test(String(error.code));

/** Tells clients to retry. The cause is for the log. */
function unavailable(cause: unknown): Refusal {
  const refusal = new Refusal('unavailable', 'The database cannot be reached; try again', {
    retryAfterSeconds: 1,
  });
  refusal.cause = cause;
  return refusal;
}

const deadlockCode = '40P01';
const deadlocksMax = 5;

/** Five attempts at most after deadlocks. On a writer's connection, because Kysely's transactions wait each time. */
async function transactInParallel<T>(
  { onWriter, send }: ReturnType<typeof createWriterConnections>,
  job: (connection: Kysely<Schema>) => Promise<T>,
): Promise<T> {
  const transact = async (connection: Kysely<Schema>) => {
    await send(connection, 'begin');
    try {
      const value = await job(connection);
      await send(connection, 'commit');
      return value;
    } catch (error) {
      await send(connection, 'rollback').catch(() => undefined);
      throw error;
    }
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await onWriter(transact);
    } catch (error) {
      const isDeadlock = error instanceof Error && 'code' in error && error.code === deadlockCode;
      if (!isDeadlock || attempt === deadlocksMax) throw error;
    }
  }
}

/** Prepared statements: a connection parses and plans each name once. */
function createStatementNames() {
  const names = new Map<string, string>();
  return (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= statementsMax || !/^\s*(select|insert|update|delete|with)\b/i.test(text))
      return undefined;
    const name = `s${names.size}`;
    names.set(text, name);
    return name;
  };
}

/** Sends everything until the current callback ends in one write, which wakes the server once. */
function corkNow({ connection: { stream } }: pg.PoolClient): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** For Kysely: prepares statements, makes refusals of lost connections, limits statements to `timeoutMs` (0: no). */
function preparing(pool: pg.Pool, timeoutMs: () => number): PostgresPool {
  const nameOf = createStatementNames();
  const views = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const viewOf = (client: pg.PoolClient) => {
    const query = (text: string, parameters: readonly unknown[]) => {
      const name = nameOf(text);
      const values = [...parameters];
      corkNow(client);
      const query = { text, values, query_timeout: timeoutMs(), ...(name !== undefined && { name }) };
      return client.query(query).catch((error) => {
        throw isAway(error) ? unavailable(error) : error;
      });
    };
    return { query, release: () => client.release() } as unknown as PostgresPoolClient;
  };
  const connect = async () => {
    // Without a connection, whatever the cause, the database is away.
    const client = await pool.connect().catch((error) => {
      throw unavailable(error);
    });
    const view = views.get(client) ?? viewOf(client);
    views.set(client, view);
    return view;
  };
  return { connect, end: () => pool.end(), options: {} };
}

/** Writers hold our lock: Kysely's own around migrations would hide errors on release. */
class WriterDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    const free = async () => undefined;
    return Object.assign(new PostgresAdapter(), { acquireMigrationLock: free, releaseMigrationLock: free });
  }
}

/** `onWriter` gives a Kysely on one connection, `send` bypasses Kysely on it. */
function createWriterConnections(pool: PostgresPool) {
  const kyselys = new WeakMap<PostgresPoolClient, Kysely<Schema>>();
  const clients = new WeakMap<Kysely<Schema>, PostgresPoolClient>();
  const kyselyOn = (client: PostgresPoolClient): Kysely<Schema> => {
    const alone = { query: client.query, release: () => undefined } as PostgresPoolClient;
    const one: PostgresPool = { connect: async () => alone, end: async () => undefined, options: {} };
    const kysely = new Kysely<Schema>({ dialect: new WriterDialect({ pool: one }) });
    kyselys.set(client, kysely);
    clients.set(kysely, client);
    return kysely;
  };
  return {
    onWriter: async <T>(use: (connection: Kysely<Schema>) => Promise<T>): Promise<T> => {
      const client = await pool.connect();
      try {
        return await use(kyselys.get(client) ?? kyselyOn(client));
      } finally {
        client.release();
      }
    },
    /** Sent before it returns; the server runs it after everything sent earlier. */
    send: async <R>(connection: Kysely<Schema>, text: string, values: readonly unknown[] = []) => {
      const client = clients.get(connection);
      if (!client) throw new Error('the connection is not one of a writer');
      return client.query<R>(text, [...values]);
    },
  };
}

type Send = ReturnType<typeof createWriterConnections>['send'];

/** Waits for the writers' lock. */
async function sendLocked(send: Send, connection: Kysely<Schema>): Promise<void> {
  await send(connection, `begin; select pg_advisory_xact_lock(${writersLock})`);
}

/** A run is sent before it returns. */
function compileWrite<R>(kysely: Kysely<Schema>, send: Send, statement: RawBuilder<R>): RunWrite<R> {
  const text = statement.compile(kysely).sql;
  return async (connection, values) => (await send<R>(connection, text, values)).rows;
}

/** Makes one statement of the three (PostgreSQL, "Data-Modifying Statements in WITH"). */
function compileInsertion(
  kysely: Kysely<Schema>,
  send: Send,
  { insert, record, read }: InsertionStatements,
): RunInsertion {
  const inserted = sql.id('e');
  const whole = sql`with e as (${insert} returning *), recorded as (${record(inserted)}) ${read(inserted)}`;
  const run = compileWrite(kysely, send, whole as RawBuilder<Readonly<Record<string, unknown>>>);
  return async (connection, insertedValues, recordedValues) =>
    (await run(connection, [...insertedValues, ...recordedValues]))[0];
}

/** Shorter JSON is read faster here than there, where each cast checks all of it. */
const wholeBytesMax = 4096;

const members: Database['members'] = (json, names) => {
  const pairs = names.map((name) => sql`${sql.lit(name)}, x.${sql.id(name)}`);
  const columns = names.map((name) => sql`${sql.id(name)} json`);
  return sql`case when octet_length(${json}) <= ${sql.lit(wholeBytesMax)} then ${json} else (
    select json_build_object(${sql.join(pairs)})
    from json_to_record(${json}::json) as x(${sql.join(columns)}))::text end`;
};

const hasMember: Database['hasMember'] = (json, name) =>
  sql`(position(${`"${name}"`} in ${json}) > 0 and ${json}::json -> ${name}::text is not null)`;

/**
 * PostgreSQL 15 or newer, shared by any number of processes. While it is away, steps reject with
 * `Refusal('unavailable')`; afterwards the next one succeeds. `threads` of this process open it.
 */
export async function openPostgres(url: string, threads: number): Promise<Database> {
  const share = threads === 1 ? 'alone' : 'amongOthers';
  const connecting = {
    connectionString: url,
    connectionTimeoutMillis: connectWaitMsMax,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveSeconds * 1000,
  };
  const pool = new pg.Pool({
    ...connecting,
    types,
    max: connectionsMax[share],
    application_name: 'bourse',
    pipeline: true,
    onConnect: applySessionSettings,
  });
  // A broken connection fails its statement, if any, and is replaced. Without listeners, it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  let timeoutMs = 0;
  const prepared = preparing(pool, () => timeoutMs);
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: prepared }) });
  const writers = createWriterConnections(prepared);
  const { onWriter, send } = writers;
  const listener = listenForChanges(connecting, channel);
  return {
    reader: kysely,
    onWriter,
    isPipelined: true,
    begin: (connection) => sendLocked(send, connection),
    commit: async (connection, hasWritten) => {
      // After a failed statement `notify` fails too, while `commit` alone would undo everything without an error.
      await send(connection, hasWritten ? `notify ${channel}; commit` : 'commit');
    },
    boundStatements: () => {
      timeoutMs = statementMsMax;
    },
    parallelTransaction: (job) => transactInParallel(writers, job),
    streamLongQuery: createCursorQueries(kysely, longQueriesMax[share]),
    isAboutValues,
    onChange: listener.onChange,
    schema: async (connection) => {
      const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(connection);
      return rows[0]?.name ?? 'public';
    },
    keyOrdered: sql``,
    byIndex: () => sql``,
    serialKey: sql`bigint generated by default as identity primary key`,
    lastingSerialKey: sql`bigint generated by default as identity primary key`,
    bigKey: sql`bigint primary key`,
    bytes: sql`bytea`,
    idArray: (member, position, from) =>
      sql`(select coalesce(json_agg(${sql.ref(member)} order by ${sql.ref(position)}), '[]') ${from})`,
    members,
    hasMember,
    idsIn: (json) => sql`(select value::integer from json_array_elements_text(${json}::json) as value)`,
    compileWrite: (statement) => compileWrite(kysely, send, statement),
    compileInsertion: (statements) => compileInsertion(kysely, send, statements),
    rowsIn: (json) => sql`json_array_elements(${json}::json) as value`,
    clock: async () => {
      const read = sql<{ ms: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;
      return (await read.execute(kysely)).rows[0]?.ms ?? Number.NaN;
    },
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      await listener.close();
      await kysely.destroy();
      if (!pool.ended) await pool.end();
    },
  };
}
