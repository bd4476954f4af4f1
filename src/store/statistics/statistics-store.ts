import { type Kysely, sql } from 'kysely';
import { Refusal } from '../../fields/fault.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { WriteQueue } from '../writes/write-queue.ts';
import { forgetAddresses } from './address-counts.ts';
import type { StatisticsStore } from './interface.ts';
import { statisticsReads } from './read-counts.ts';
import { statisticsWrites } from './write-counts.ts';

/** Rows deleted at a time, so that other writes do not wait for long. */
const rowsForgottenMax = 1000;
/** Each row is in four B-trees, so deleting this many occupies a thread for about two milliseconds. */
const hoursForgottenMax = 200;
const hourMs = 3_600_000;

type Job<T> = (connection: Kysely<Schema>) => Promise<T>;

/** Values that JSON or an integer cannot hold fail before they are sent. */
function isAboutValues(database: Database, error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || database.isAboutValues(error);
}

/**
 * How counts are written. Where the database has one writer, counts go through its queue and share the commits of the
 * configuration. Otherwise each lot is a transaction of its own; all lots lock their rows in the same order.
 */
function writerOn(database: Database, queue: WriteQueue) {
  const { parallelTransaction } = database;
  const refused = (error: unknown): never => {
    if (!isAboutValues(database, error)) throw error;
    const refusal = new Refusal('invalid', 'The database takes no such counts');
    refusal.cause = error;
    throw refusal;
  };
  const underWay = new Set<Promise<unknown>>();
  return {
    async write<T>(job: Job<T>): Promise<T> {
      const inQueue = () =>
        queue.write(({ connection, touch }) => {
          touch();
          return job(connection);
        });
      const written = (parallelTransaction ? parallelTransaction(job) : inQueue()).catch(refused);
      underWay.add(written);
      return written.finally(() => underWay.delete(written));
    },
    async idle(): Promise<void> {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

async function forget(connection: Kysely<Schema>, expiresMs: number, flushedMs: number): Promise<boolean> {
  const events = await sql`delete from billed_event where (auction_id, event) in (
    select auction_id, event from billed_event where expires < ${expiresMs} limit ${rowsForgottenMax}
  ) returning event`.execute(connection);
  const lots = await sql`delete from statistic_flush where id in (
    select id from statistic_flush where time < ${flushedMs} limit ${rowsForgottenMax}
  ) returning id`.execute(connection);
  const hasAddresses = await forgetAddresses(connection, Math.floor(flushedMs / hourMs), rowsForgottenMax);
  return hasAddresses || Math.max(events.rows.length, lots.rows.length) === rowsForgottenMax;
}

async function forgetHours(connection: Kysely<Schema>, beforeDay: number): Promise<boolean> {
  const key = sql.raw('supply_kind, supply_id, day, hour, demand_kind, demand_id');
  const { rows } = await sql`delete from statistic_hour where (${key}) in (
    select ${key} from statistic_hour where day < ${beforeDay} limit ${hoursForgottenMax}
  ) returning day`.execute(connection);
  return rows.length === hoursForgottenMax;
}

/** The statistics on a database. Where it has one writer, they are written through its queue. */
export function createStatisticsStore(database: Database, queue: WriteQueue) {
  const { write, idle } = writerOn(database, queue);
  const writes = statisticsWrites(database);
  const store: StatisticsStore = {
    ...statisticsReads(database),
    add: (counting) => write((connection) => writes.add(connection, counting)),
    bill: (batch, events) => write((connection) => writes.bill(connection, batch, events)),
    async forget({ expiresMs, flushedMs }) {
      while (await write((connection) => forget(connection, expiresMs, flushedMs)));
    },
    forgetHours: (beforeDay) => write((connection) => forgetHours(connection, beforeDay)),
  };
  return { store, idle };
}
