import type { Kysely, RawBuilder } from 'kysely';
import type { PoolLoad } from './interface.ts';
import type { Schema } from './schema.ts';

/** What adds an object: its row, what is written of it into the log, and what is read of it. */
export interface InsertionStatements {
  readonly table: string;
  /** Inserts the row, or nothing where a unique value is taken. */
  readonly insert: RawBuilder<unknown>;
  /** Records the row that `rows` gives under the name `e`. */
  readonly record: (rows: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** Reads what is shown of that row. */
  readonly read: (rows: RawBuilder<unknown>) => RawBuilder<unknown>;
}

/** Adds an object: with the values of `insert` and of `record`. Answers what `read` reads, undefined if nothing. */
export type RunInsertion = (
  connection: Kysely<Schema>,
  inserted: readonly unknown[],
  recorded: readonly unknown[],
) => Promise<Readonly<Record<string, unknown>> | undefined>;

/** Runs one statement that was compiled, on a connection that `onWriter` lends: with a value for each of its places. */
export type RunWrite<R> = (connection: Kysely<Schema>, values: readonly unknown[]) => Promise<readonly R[]>;

/** What differs between database engines; everything else in the store is written once. */
export interface Database {
  readonly reader: Kysely<Schema>;
  /** Lends a connection that may write, and that nobody else has meanwhile. */
  onWriter<T>(use: (connection: Kysely<Schema>) => Promise<T>): Promise<T>;
  /**
   * Whether insertions and commits are sent as soon as they are called, and run in that order: whoever calls them
   * need not wait for the answer of one before the next.
   */
  readonly isPipelined: boolean;
  /**
   * Begins a transaction that writes, on a connection of `onWriter`: it holds the one lock of writers, so that
   * revisions become visible in their order. Waits for other processes without blocking this one.
   */
  begin(connection: Kysely<Schema>): Promise<void>;
  /**
   * Ends it: everything is durable. Where it `hasWritten`, the other processes are told, and it rejects, with
   * nothing kept, when any statement has failed.
   */
  commit(connection: Kysely<Schema>, hasWritten: boolean): Promise<void>;
  /**
   * From now on no statement takes longer than some seconds: one that does rejects as one that could not reach the
   * database. Before, which is for migrations, each takes its time. Absent where no server can keep silent.
   */
  boundStatements?(): void;
  /**
   * Runs a job in a transaction of its own, without the lock of writers and beside whoever holds it: for what makes no
   * revision. It may run more than once; only its last run counts. Absent where the database has one writer.
   */
  readonly apart?: <T>(job: (connection: Kysely<Schema>) => Promise<T>) => Promise<T>;
  /** Calls the listener, within a second, after commits of other processes (or any); answers what ends that. */
  onChange(listener: () => void): () => void;
  /**
   * A number that is another one after every commit on another connection, by whichever process: told at once, and
   * without waiting. Absent where that takes asking a server.
   */
  readonly version?: () => number;
  /** Column type of a number that counts up by itself, as the primary key. */
  readonly serialKey: RawBuilder<unknown>;
  /** The same where no row is ever deleted. */
  readonly lastingSerialKey: RawBuilder<unknown>;
  /** Column type of a whole number beyond 32 bits, as the primary key. */
  readonly bigKey: RawBuilder<unknown>;
  /** JSON array of the `member` IDs of a correlated query, in order of `position`. */
  idArray(member: string, position: string, from: RawBuilder<unknown>): RawBuilder<unknown>;
  /** The rows of one column `value` that a JSON array of IDs holds. */
  idsIn(json: string): RawBuilder<number>;
  /** Compiles a statement that a writer runs often, past Kysely, which takes as long as a small statement itself. */
  compileWrite<R>(statement: RawBuilder<R>): RunWrite<R>;
  /** Makes one run of the three statements, in one step where the engine can. */
  compileInsertion(statements: InsertionStatements): RunInsertion;
  /** The elements of a JSON array of arrays, one row each, in a column `value`, from which `value ->> 0` picks. */
  rowsIn(json: string | RawBuilder<unknown>): RawBuilder<unknown>;
  /** Connections to a database server, where there is one. */
  pool?(): PoolLoad;
  close(): Promise<void>;
}
