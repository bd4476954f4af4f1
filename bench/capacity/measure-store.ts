import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { openStore } from '../../src/store/open-store.ts';
import { countsIn, pairCounts } from '../../test/statistics/counting.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import type { FigureName } from './figures.ts';
import { cpuSeconds, postmasterOf } from './postgres-cpu.ts';

const [lots, pairsOfLot, batches, eventsOfBatch] = [100, 200, 200, 50];
const lifeMs = 3_600_000;

/** What PostgreSQL takes for what auctions count, and for billable events, as a server of Bourse writes them. */
export async function measureStore(): Promise<Readonly<Partial<Record<FigureName, number>>>> {
  const server = await startPostgres();
  const url = await server.freshDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const postmaster = await postmasterOf(client);
  const written = async () => {
    const answer = await client.query<{ at: string }>("select pg_current_wal_lsn() - '0/0' as at");
    return Number(answer.rows[0]?.at);
  };
  const store = await openStore({ url, now: Date.now });
  const hour = Math.floor(Date.now() / lifeMs);
  const pair = (index: number) =>
    pairCounts(
      { kind: 'VastTag', id: 1 + Math.floor(index / 20) },
      { kind: 'Campaign', id: 1 + (index % 20) },
      { requests: 9, bids: 5, wins: 1 },
      hour,
    );
  const of = async (count: number, job: () => Promise<void>) => {
    const [cpu, at] = [cpuSeconds(postmaster), await written()];
    await job();
    return [((cpuSeconds(postmaster) - cpu) / count) * 1e6, ((await written()) - at) / count] as const;
  };
  const add = async () => {
    for (let lot = 0; lot < lots; lot += 1) {
      const pairs = Array.from({ length: pairsOfLot }, (_, index) => pair(index));
      await store.statistics.add([{ id: randomUUID(), timeMs: Date.now(), pairs, addresses: [] }]);
    }
  };
  const bill = async () => {
    for (let batch = 0; batch < batches; batch += 1) {
      const events = Array.from({ length: eventsOfBatch }, (_, index) => ({
        auctionId: randomUUID(),
        names: ['impressions'],
        expiresMs: Date.now() + lifeMs,
        pair: {
          ...pair(index),
          counts: countsIn('pair', { impressions: 1, spentNanos: 1, revenueNanos: 2 }),
        },
      }));
      const pairs = events.map((event) => event.pair);
      await store.statistics.add([
        {
          id: randomUUID(),
          timeMs: Date.now(),
          pairs: [],
          addresses: [],
          events: { claims: events, countsOf: () => ({ pairs, addresses: [] }) },
        },
      ]);
    }
  };
  try {
    // Once to make the rows and the plans.
    await add();
    const [pairMicros, pairLogBytes] = await of(lots * pairsOfLot, add);
    const [eventMicros, eventLogBytes] = await of(batches * eventsOfBatch, bill);
    return { pairMicros, pairLogBytes, eventMicros, eventLogBytes };
  } finally {
    await store.close();
    await client.end();
    await server.remove();
  }
}
