import type { Kysely, RawBuilder } from 'kysely';
import type { PoolLoad } from './interface.ts';
import type { Schema } from './schema.ts';

/** What differs between database engines; everything else in the store is written once. */
export interface Database {
  readonly reader: Kysely<Schema>;
  readonly writer: Kysely<Schema>;
  /**
   * Begins a transaction that writes, on a connection of `writer`: it holds the one lock of writers, so that
   * revisions become visible in their order. Waits for other processes without blocking this one.
   */
  begin(connection: Kysely<Schema>): Promise<void>;
  /**
   * Runs a job in a transaction of its own, without the lock of writers and beside whoever holds it: for what makes no
   * revision. It may run more than once; only its last run counts. Absent where the database has one writer.
   */
  readonly apart?: <T>(job: (connection: Kysely<Schema>) => Promise<T>) => Promise<T>;
  /** In a transaction that has written: tells the other processes, once it commits. */
  announce(connection: Kysely<Schema>): Promise<void>;
  /** Calls the listener, within a second, after commits of other processes (or any); answers what ends that. */
  onChange(listener: () => void): () => void;
  /**
   * A number that is another one after every commit on another connection, by whichever process: told at once, and
   * without waiting. Absent where that takes asking a server.
   */
  readonly version?: () => number;
  /** Column type of a number that counts up by itself, as the primary key. */
  readonly serialKey: RawBuilder<unknown>;
  /** JSON array of the `member` IDs of a correlated query, in order of `position`. */
  idArray(member: string, position: string, from: RawBuilder<unknown>): RawBuilder<unknown>;
  /** The rows of one column `value` that a JSON array of IDs holds. */
  idsIn(json: string): RawBuilder<number>;
  /** The elements of a JSON array of arrays, one row each, in a column `value`, from which `value ->> 0` picks. */
  rowsIn(json: string): RawBuilder<unknown>;
  /** Connections to a database server, where there is one. */
  pool?(): PoolLoad;
  close(): Promise<void>;
}
