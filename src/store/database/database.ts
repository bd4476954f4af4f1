import type { Kysely, RawBuilder } from 'kysely';
import type { PoolLoad } from '../interface.ts';
import type { Schema } from './schema.ts';

/** They insert an object's row, record it in the change log, and read it back. */
export interface InsertionStatements {
  readonly table: string;
  /** Inserts nothing if a unique value is taken. */
  readonly insert: RawBuilder<unknown>;
  /** The log's row for the new object; `rows` is a source of its row, named `e`. */
  readonly record: (rows: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** From the same source. */
  readonly read: (rows: RawBuilder<unknown>) => RawBuilder<unknown>;
}

/** Values are for `insert` and `record`. Returns the row of `read`, or undefined if nothing was inserted. */
export type RunInsertion = (
  connection: Kysely<Schema>,
  inserted: readonly unknown[],
  recorded: readonly unknown[],
) => Promise<Readonly<Record<string, unknown>> | undefined>;

/** On a connection of `onWriter`, with one value per placeholder. */
export type RunWrite<R> = (connection: Kysely<Schema>, values: readonly unknown[]) => Promise<readonly R[]>;

/** All differences between engines; the rest of the store is written once. */
export interface Database {
  readonly reader: Kysely<Schema>;
  /** Lends a writing connection exclusively until `use` has ended. */
  onWriter<T>(use: (connection: Kysely<Schema>) => Promise<T>): Promise<T>;
  /** Insertions and commits are sent as called, and run in that order: callers need not wait for each answer. */
  readonly isPipelined: boolean;
  /** Takes the writers' lock, so that revisions become visible in order. Waits without blocking. */
  begin(connection: Kysely<Schema>): Promise<void>;
  /** Durable once resolved. With `hasWritten` others learn of it, and it rejects if any statement failed. */
  commit(connection: Kysely<Schema>, hasWritten: boolean): Promise<void>;
  /** From now on slow statements reject as if the database were away; migrations may take long. Servers only. */
  boundStatements?(): void;
  /**
   * Its own transaction without the writers' lock, for writes without a revision. May run more than once; only the last
   * run counts. Absent for a single writer.
   */
  readonly parallelTransaction?: <T>(job: (connection: Kysely<Schema>) => Promise<T>) => Promise<T>;
  /** Within a second after another process's commit, perhaps also after own ones. Returns a function that stops it. */
  onChange(listener: () => void): () => void;
  /** For much data, without blocking this process. Rows come in batches, as arrays of columns. */
  streamLongQuery(
    text: string,
    values: readonly unknown[],
  ): AsyncIterable<readonly (readonly (string | number)[])[]>;
  /** As opposed to the state of the database. */
  isAboutValues(error: unknown): boolean;
  /** Changes with every commit on another connection; read at once. Absent if only a server could tell it. */
  readonly version?: () => number;
  /** Absent if the engine has none. */
  readonly schema?: (connection: Kysely<Schema>) => Promise<string>;
  /** Ends the declaration of a table stored in key order, if the engine can. */
  readonly keyOrdered: RawBuilder<unknown>;
  /** Counts up by itself and never reuses a number. */
  readonly serialKey: RawBuilder<unknown>;
  /** For tables without deletions, or where a deleted ID may be reused. */
  readonly lastingSerialKey: RawBuilder<unknown>;
  /** Primary key of a whole number beyond 32 bits. */
  readonly bigKey: RawBuilder<unknown>;
  readonly bytes: RawBuilder<unknown>;
  /** Subquery: a JSON array of `member` of the rows of `from`, ordered by `position`. */
  idArray(member: string, position: string, from: RawBuilder<unknown>): RawBuilder<unknown>;
  /** JSON with these members (null or absent if missing), and any others. At most a dozen. */
  members(json: RawBuilder<unknown>, names: readonly string[]): RawBuilder<unknown>;
  /** Null has no member. */
  hasMember(json: RawBuilder<unknown>, name: string): RawBuilder<boolean>;
  /** Subquery: a row per ID of a JSON array, in a column `value`. */
  idsIn(json: string): RawBuilder<number>;
  /** For frequent statements: without Kysely, which takes as long as a small statement itself. */
  compileWrite<R>(statement: RawBuilder<R>): RunWrite<R>;
  /** One statement if the engine allows it. */
  compileInsertion(statements: InsertionStatements): RunInsertion;
  /** A row per element of a JSON array, in a column `value`; of nested arrays `value ->> 0` reads the first member. */
  rowsIn(json: string | RawBuilder<unknown>): RawBuilder<unknown>;
  /** Follows a table in `from`, if the engine would choose a worse index. */
  byIndex(name: string): RawBuilder<unknown>;
  /** What prevents writes, as far as is known; absent if a server looks after its disk. */
  trouble?(): string | undefined;
  /** Absent if the database is no server. */
  pool?(): PoolLoad;
  /** Milliseconds since 1970, by the server's clock; absent likewise. */
  readonly clock?: () => Promise<number>;
  close(): Promise<void>;
}
