import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { openStore } from '../../src/store/open-store.ts';
import type { StatisticsStore } from '../../src/store/statistics/interface.ts';
import { day, startMs } from '../statistics/counting.ts';
import { subId } from './market.ts';
import { rawEngines } from './raw-engines.ts';

const feed = { kind: 'PopFeed', id: 1 };
/** The cube's oldest day: the version before deletes what is 93 days old. */
const oldest = day - 93;

/** What the version before had counted under each name: in the table that its statistics URLs read, and in the cube. */
const before: readonly (readonly [ofDay: number, byUrl: object, byCube: object])[] = [
  [oldest - 1, { a: 7 }, {}],
  [oldest, { a: 6 }, { a: 6 }],
  [day - 1, { a: 5, b: 2, '\n': 1, '\\c': 4, other: 3 }, { a: 5, '\\\\c': 4, '\\other': 1, other: 5 }],
  [day, { '': 1, a: 2, b: 1 }, { '': 1, a: 1, other: 2 }],
];
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
const statements = before.flatMap(([ofDay, byUrl, byCube]) => [
  ...Object.entries(byUrl).map(
    ([name, requests]) =>
      `insert into statistic_sub_id (kind, id, day, sub_id, requests) values ('PopFeed', 1, ${ofDay}, ${quoted(name)}, ${requests})`,
  ),
  ...Object.entries(byCube).map(
    ([
      name,
      requests,
    ]) => `insert into cube_sub_id_day (slot, team_id, publisher_id, supply_kind, supply_id, sub_id,
      requests, calls) values (${ofDay}, 1, 2, 'PopFeed', 1, ${quoted(name)}, ${requests}, 9)`,
  ),
]);

/** To the form of the version before. */
const undone = [
  ...['settings', 'revision'].map((column) => `alter table team_setting drop column ${column}`),
  'alter table sending drop column result',
  'drop index change_batch',
  'alter table change drop column batch_id',
  "delete from kysely_migration where name >= '0003-sub-ids'",
];

for (const { name, fresh, run } of rawEngines()) {
  const opened = async (url: string, use: (statistics: StatisticsStore) => Promise<void>) => {
    const store = await openStore({ url, now: () => startMs });
    await use(store.statistics);
    await store.close();
  };
  const told = async (statistics: StatisticsStore) => {
    const rows = await statistics.subIds(feed, { fromDay: oldest - 1, toDay: day });
    return Map.groupBy(rows, (row) => row.day);
  };
  const requestsOn = async (statistics: StatisticsStore, ofDay: number) =>
    Object.fromEntries(
      ((await told(statistics)).get(ofDay) ?? []).map((row) => [row.subId, row.counts.requests]),
    );

  test(`on ${name}, subids that the version before has counted are answered as they were, and counts go on`, async () => {
    const url = await fresh();
    await opened(url, async () => undefined);
    await run(url, [...statements, ...undone]);
    await opened(url, async (statistics) => {
      for (const [ofDay, byUrl] of before) assert.deepEqual(await requestsOn(statistics, ofDay), byUrl);
      const traffic = ['a', 'b', 'new'].map((one) => subId(feed, one));
      await statistics.add([{ id: randomUUID(), timeMs: startMs, pairs: [], addresses: [], traffic }]);
    });
    // A server of the version before still runs: it counts in the cube, and deletes the cube's oldest day.
    await run(url, [
      `update cube_sub_id_day set requests = requests + 1 where slot = ${day} and sub_id = 'a' and publisher_id = 2`,
      `delete from cube_sub_id_day where slot = ${oldest}`,
    ]);
    await opened(url, async (statistics) => {
      assert.deepEqual(await requestsOn(statistics, day), { '': 1, a: 4, b: 2, new: 1 });
      for (const [ofDay, byUrl] of before.slice(0, 3))
        assert.deepEqual(await requestsOn(statistics, ofDay), byUrl);
      assert.equal((await statistics.cubeStarts()).get('subId day'), oldest + 1);
    });
    const [calls] = await run(url, [
      `select sum(calls) as calls from cube_sub_id_day where slot = ${day - 1}`,
    ]);
    assert.equal(Number(calls?.calls), 36, 'reports keep what only they show');
  });
}
