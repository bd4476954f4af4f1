import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { StatisticsStore } from './statistics-interface.ts';
import { statisticsReads } from './statistics-reads.ts';
import { statisticsWrites } from './statistics-writes.ts';
import { createWriteQueue, type Desk, type WriteQueue } from './write-queue.ts';

/** Rows forgotten at a time, so that what waits to be written does not wait for long. */
const rowsForgottenMax = 1000;

/**
 * Where counts are written. A file has one writer: they share the commits of the configuration. A server has many:
 * counts, of which no revision comes, need neither the writers' lock nor to be announced.
 */
function queueFor(database: Database, queue: WriteQueue): WriteQueue {
  if (database.pool === undefined) return queue;
  return createWriteQueue({
    ...database,
    begin: async (connection) => void (await sql`begin`.execute(connection)),
    announce: () => Promise.resolve(),
  });
}

async function forget({ connection }: Desk, expiresMs: number, flushedMs: number): Promise<boolean> {
  const events = await sql`delete from billed_event where (auction_id, event) in (
    select auction_id, event from billed_event where expires < ${expiresMs} limit ${rowsForgottenMax}
  ) returning event`.execute(connection);
  const lots = await sql`delete from statistic_flush where id in (
    select id from statistic_flush where time < ${flushedMs} limit ${rowsForgottenMax}
  ) returning id`.execute(connection);
  return Math.max(events.rows.length, lots.rows.length) === rowsForgottenMax;
}

/** The statistics on a database, written through the queue of its configuration or one of their own. */
export function createStatisticsStore(database: Database, configurationQueue: WriteQueue) {
  const queue = queueFor(database, configurationQueue);
  const writes = statisticsWrites(database);
  const write = <T>(job: (desk: Desk) => Promise<T>) =>
    queue.write((desk) => {
      desk.touch();
      return job(desk);
    });
  const store: StatisticsStore = {
    ...statisticsReads(database),
    add: (counting) => write(({ connection }) => writes.add(connection, counting)),
    bill: (batch, events) => write(({ connection }) => writes.bill(connection, batch, events)),
    async forget({ expiresMs, flushedMs }) {
      while (await write((desk) => forget(desk, expiresMs, flushedMs)));
    },
  };
  return { store, idle: queue.idle };
}
