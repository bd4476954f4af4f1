import { type Kysely, sql } from 'kysely';
import { Refusal } from '../../fields/fault.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { WriteQueue } from '../writes/write-queue.ts';
import { forgetAddresses } from './address-counts.ts';
import { forgetBidSamples, keepBidSamples, readBidSamples } from './bid-samples.ts';
import { type CubeTable, cubeTables, slotOf, uniqueColumns } from './cube-tables.ts';
import type { CommitNotice, StatisticsStore } from './interface.ts';
import { forgetKeptPromises } from './kept-promises.ts';
import { dropLeftFacts } from './left-facts.ts';
import { claimNotices, hasDueNotices, noticeLeaseMs, updateNotices } from './pending-notices.ts';
import { statisticsReads } from './read-counts.ts';
import { allShippedUntil, forgetShipped, noteShipped } from './shipped.ts';
import { countsWriter } from './write-counts.ts';

/** At a time, so that other writes do not wait for long. */
const rowsForgottenMax = 1000;
/** Each row is in up to three B-trees: about two milliseconds. */
const stepsForgottenMax = 200;
/** In one B-tree, and many. */
const minutesForgottenMax = 500;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

type Job<T> = (connection: Kysely<Schema>) => Promise<T>;

/** Values that JSON or an integer cannot hold fail before they are sent. */
function isAboutValues(database: Database, error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || database.isAboutValues(error);
}

/**
 * With a single writer counts share the configuration's queue and commits; otherwise each batch is a transaction, all
 * locking in the same order.
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
      const written = (parallelTransaction ?? queue.writeRows)(job).catch(refused);
      underWay.add(written);
      return written.finally(() => underWay.delete(written));
    },
    async idle(): Promise<void> {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

async function forget(connection: Kysely<Schema>, expiresMs: number, flushedMs: number): Promise<boolean> {
  await forgetShipped(connection, flushedMs);
  const neededNoMore = await allShippedUntil(connection, expiresMs);
  const events = await sql`delete from billed_event where (auction_id, event) in (
    select auction_id, event from billed_event where expires < ${neededNoMore} limit ${rowsForgottenMax}
  ) returning event`.execute(connection);
  const lots = await sql`delete from statistic_flush where id in (
    select id from statistic_flush where time < ${flushedMs} limit ${rowsForgottenMax}
  ) returning id`.execute(connection);
  const hasAddresses = await forgetAddresses(connection, Math.floor(flushedMs / hourMs), rowsForgottenMax);
  return hasAddresses || Math.max(events.rows.length, lots.rows.length) === rowsForgottenMax;
}

/** Returns whether more may be left. */
async function forgetRows(connection: Kysely<Schema>, table: CubeTable, beforeDay: number): Promise<boolean> {
  const key = sql.join(uniqueColumns(table).map((name) => sql.ref(name)));
  const slot = slotOf(table.grain, beforeDay * dayMs);
  const rowsMax = table.kept === 'minutes' ? minutesForgottenMax : stepsForgottenMax;
  const { rows } = await sql`delete from ${sql.table(table.name)} where (${key}) in (
    select ${key} from ${sql.table(table.name)} where slot < ${slot} limit ${rowsMax}
  ) returning slot`.execute(connection);
  return rows.length === rowsMax;
}

async function forgetNames(connection: Kysely<Schema>, beforeDay: number): Promise<boolean> {
  const { rows } = await sql`delete from cube_name where (cube, kind, id, day, name) in (
    select cube, kind, id, day, name from cube_name where day < ${beforeDay} limit ${rowsForgottenMax}
  ) returning day`.execute(connection);
  return rows.length === rowsForgottenMax;
}

/** With a single writer, through its queue. */
export function createStatisticsStore(database: Database, queue: WriteQueue, now: () => number) {
  const { write, idle } = writerOn(database, queue);
  const writeCounts = countsWriter(database, now);
  const listeners = new Set<(written: CommitNotice) => void>();
  const tell = (written: CommitNotice) => {
    for (const listener of listeners) listener(written);
  };
  const store: StatisticsStore = {
    ...statisticsReads(database),
    async add(batches, taken) {
      tell(await write((connection) => writeCounts(connection, batches, taken)));
    },
    onWritten: (listener) => void listeners.add(listener),
    noteShipped: (process) => write((connection) => noteShipped(connection, process)),
    claimNotices: async (batchesMax) =>
      (await hasDueNotices(database.reader, now()))
        ? write((connection) => claimNotices(connection, batchesMax, now()))
        : { batches: [], expired: 0 },
    updateNotices: (batches, leaseMs = noticeLeaseMs) =>
      write((connection) => updateNotices(connection, batches, now() + leaseMs)),
    forgetKeptPromises: (of) => write((connection) => forgetKeptPromises(connection, of)),
    dropLeftFacts: (ids) => write((connection) => dropLeftFacts(connection, ids)),
    async forget({ expiresMs, flushedMs }) {
      while (await write((connection) => forget(connection, expiresMs, flushedMs)));
    },
    async forgetCubes(kept, beforeDay) {
      for (const table of cubeTables.filter((one) => one.kept === kept)) {
        if (await write((connection) => forgetRows(connection, table, beforeDay))) return true;
      }
      return false;
    },
    keepBidSamples: (writer, samples) =>
      write((connection) => keepBidSamples(database, connection, writer, samples)),
    bidSamples: (supply, day) => readBidSamples(database.reader, supply, day),
    forgetBidSamples: (beforeDay) => write((connection) => forgetBidSamples(connection, beforeDay)),
    forgetNames: (beforeDay) => write((connection) => forgetNames(connection, beforeDay)),
  };
  return { store, idle };
}
