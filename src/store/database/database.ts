import type { Kysely, RawBuilder } from 'kysely';
import type { PoolLoad } from '../interface.ts';
import type { Schema } from './schema.ts';

/** The three statements that add an object: they insert its row, record it in the change log, and read it back. */
export interface InsertionStatements {
  readonly table: string;
  /** Inserts the row, or nothing where a unique value is taken. */
  readonly insert: RawBuilder<unknown>;
  /** Writes the log's row for the new object; `rows` is a source of the object's row, under the name `e`. */
  readonly record: (rows: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** Reads from the same source what the answer shows. */
  readonly read: (rows: RawBuilder<unknown>) => RawBuilder<unknown>;
}

/**
 * Adds an object, given the values for `insert` and for `record`. Answers the row that `read` reads, or undefined when
 * nothing was inserted.
 */
export type RunInsertion = (
  connection: Kysely<Schema>,
  inserted: readonly unknown[],
  recorded: readonly unknown[],
) => Promise<Readonly<Record<string, unknown>> | undefined>;

/** Runs a compiled statement on a connection that `onWriter` lends, with one value for each placeholder. */
export type RunWrite<R> = (connection: Kysely<Schema>, values: readonly unknown[]) => Promise<readonly R[]>;

/** What differs between database engines; everything else in the store is written once. */
export interface Database {
  readonly reader: Kysely<Schema>;
  /** Lends a connection that may write; nobody else uses it until `use` has ended. */
  onWriter<T>(use: (connection: Kysely<Schema>) => Promise<T>): Promise<T>;
  /**
   * Whether insertions and commits are sent as soon as they are called, and run in that order: the caller need not wait
   * for one answer before the next call.
   */
  readonly isPipelined: boolean;
  /**
   * Begins a writing transaction on a connection of `onWriter`. It holds the writers' lock, of which there is only one,
   * so that revisions become visible in their order. Waits for other processes without blocking this one.
   */
  begin(connection: Kysely<Schema>): Promise<void>;
  /**
   * Commits the transaction: once this resolves, everything is durable. With `hasWritten`, other processes get to know
   * of it, and it rejects, keeping nothing, when any statement of the transaction has failed.
   */
  commit(connection: Kysely<Schema>, hasWritten: boolean): Promise<void>;
  /**
   * From now on, a statement that takes longer than some seconds rejects as if the database could not be reached. Until
   * this is called, statements have no limit, since migrations may take long. Absent where the database is no server.
   */
  boundStatements?(): void;
  /**
   * Runs a job in a transaction of its own, without the writers' lock and in parallel with whoever holds it: for writes
   * that make no revision. It may run more than once; only its last run counts. Absent where the database has one
   * writer.
   */
  readonly parallelTransaction?: <T>(job: (connection: Kysely<Schema>) => Promise<T>) => Promise<T>;
  /**
   * Calls the listener within a second after a commit of another process, perhaps also after one of this process.
   * Answers a function that stops this.
   */
  onChange(listener: () => void): () => void;
  /**
   * Runs a query that may read much without stopping what else this process does. Rows come in parts, each row as an
   * array of its columns.
   */
  streamLongQuery(
    text: string,
    values: readonly unknown[],
  ): AsyncIterable<readonly (readonly (string | number)[])[]>;
  /** Whether an error of a statement is about its values, as opposed to the state of the database. */
  isAboutValues(error: unknown): boolean;
  /**
   * A number that changes with every commit on another connection, by whichever process. It is read at once, without
   * waiting. Absent where only a server could tell it.
   */
  readonly version?: () => number;
  /** Name of the schema in which tables are made; absent where the engine has none. */
  readonly schema?: (connection: Kysely<Schema>) => Promise<string>;
  /** What ends the declaration of a table whose rows lie in the order of their key, where the engine can do that. */
  readonly keyOrdered: RawBuilder<unknown>;
  /** Column type of a primary key that counts up by itself and never gives a number twice. */
  readonly serialKey: RawBuilder<unknown>;
  /** The same for tables where no row is ever deleted, or where a deleted ID may be given again. */
  readonly lastingSerialKey: RawBuilder<unknown>;
  /** Column type of a whole number beyond 32 bits, as the primary key. */
  readonly bigKey: RawBuilder<unknown>;
  /** Column type of bytes. */
  readonly bytes: RawBuilder<unknown>;
  /** Subquery: a JSON array of column `member` of the rows of `from`, in order of column `position`. */
  idArray(member: string, position: string, from: RawBuilder<unknown>): RawBuilder<unknown>;
  /** JSON text of an object with only these members of a JSON text; those that it lacks are null. At most fifty. */
  members(json: RawBuilder<unknown>, names: readonly string[]): RawBuilder<unknown>;
  /** Whether the object of a JSON text has a member of that name; not true where the text is null. */
  hasMember(json: RawBuilder<unknown>, name: string): RawBuilder<boolean>;
  /** Subquery: one row for each ID of a JSON array, in a column `value`. */
  idsIn(json: string): RawBuilder<number>;
  /**
   * Compiles a statement that writers run often. It runs without Kysely, which takes as long as a small statement
   * itself.
   */
  compileWrite<R>(statement: RawBuilder<R>): RunWrite<R>;
  /** Compiles the three statements into one function; they are one statement where the engine allows it. */
  compileInsertion(statements: InsertionStatements): RunInsertion;
  /**
   * One row for each element of a JSON array, in a column `value`; where elements are arrays, `value ->> 0` reads the
   * first member.
   */
  rowsIn(json: string | RawBuilder<unknown>): RawBuilder<unknown>;
  /** Follows a table in `from`: the index by which its rows are found, where the engine would choose a worse one. */
  byIndex(name: string): RawBuilder<unknown>;
  /** What keeps the database from being written to, as far as is known; absent where a server looks after its disk. */
  trouble?(): string | undefined;
  /** How busy the pool of connections is; absent where the database is no server. */
  pool?(): PoolLoad;
  close(): Promise<void>;
}
