import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Counts } from '../../src/reference/counters.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { StatisticsStore } from '../../src/store/statistics/interface.ts';
import { countsIn, dailyIn, day, pairCounts, shownIn, startMs } from '../statistics/counting.ts';
import { rawEngines } from './raw-engines.ts';

const tables = ['cube_pair_hour', 'cube_demand_day', 'cube_sub_id_day'];
const supply = { kind: 'PopFeed', id: 1 };
const demand = { kind: 'Campaign', id: 2 };
const before = { requests: 3, wins: 2, invalid: 1, spentNanos: 5, revenueNanos: 7 };
const after = { ...before, requests: 4, clicks: 6 };
const hourMs = 3_600_000;
const range = { fromDay: day, toDay: day };

/** Opens the database as a start does, uses it, and closes it. */
async function opened(url: string, use: (statistics: StatisticsStore) => Promise<void>): Promise<void> {
  const store = await openStore({ url, now: () => startMs });
  try {
    await use(store.statistics);
  } finally {
    await store.close();
  }
}

async function add(statistics: StatisticsStore, counted: Partial<Counts>): Promise<void> {
  const pairs = [pairCounts(supply, demand, counted)];
  const traffic = [
    {
      cube: 'subId' as const,
      day,
      supply,
      demand: undefined,
      values: ['a'],
      counts: countsIn('traffic', counted),
    },
  ];
  await statistics.add([{ id: randomUUID(), timeMs: startMs, pairs, traffic, addresses: [] }]);
}

for (const { name, fresh, run } of rawEngines()) {
  test(`columns of counters are added to a database without them, which keeps its counts, on ${name}`, async () => {
    const url = await fresh();
    await opened(url, (statistics) => add(statistics, before));
    await run(url, [
      ...tables.map((table) => `alter table ${table} drop column clicks`),
      // As of a counter that this program no longer has.
      ...tables.map((table) => `alter table ${table} add column gone bigint not null default 0`),
    ]);
    await opened(url, async (statistics) => {
      const [row] = await statistics.days(demand.kind, [demand.id], range);
      assert.deepEqual(row?.counts, dailyIn(before));
      await add(statistics, { requests: 1, clicks: 6 });
    });
    await opened(url, async (statistics) => {
      const [[onDay], [bySubId], [inHour]] = await Promise.all([
        statistics.days(demand.kind, [demand.id], range),
        statistics.subIds(supply, range),
        statistics.hours(supply, range),
      ]);
      assert.deepEqual(onDay?.counts, dailyIn(after));
      assert.deepEqual(bySubId?.counts, shownIn(after));
      assert.deepEqual(inHour?.counts, countsIn('pair', after));
    });
  });

  test(`a deal counts since the hour of a time while its quarters are not whole, as after an update, on ${name}`, async () => {
    const url = await fresh();
    const object = { kind: 'Deal', id: 3 };
    const hour = Math.floor(startMs / hourMs);
    const since = async (statistics: StatisticsStore, fromMs: number) =>
      (await statistics.countedSince(object.kind, [{ id: object.id, fromMs }]))[0]?.counts.bills;
    const bills = (count: number, quarter: number) => ({
      ...pairCounts(supply, object, { bills: count }, hour),
      quarter,
    });
    await opened(url, async (statistics) => {
      const pairs = [bills(1, 0), bills(2, 2), pairCounts(supply, demand, before)];
      await statistics.add([{ id: randomUUID(), timeMs: startMs, pairs, addresses: [] }]);
      assert.equal(await since(statistics, (hour + 0.5) * hourMs), 2);
    });
    await run(url, [
      'drop table cube_deal_use_quarter',
      "delete from cube_start where name = 'cube_deal_use_quarter'",
    ]);
    await opened(url, async (statistics) => assert.equal(await since(statistics, (hour + 0.5) * hourMs), 3));
  });
}
