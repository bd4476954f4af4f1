import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runReport } from '../../src/statistics/asking/run-report.ts';
import { standardKeptDays } from '../../src/statistics/forgetting.ts';
import { openStore } from '../../src/store/open-store.ts';
import { day, startMs } from '../statistics/counting.ts';
import { questionOf } from '../statistics/ledger.ts';
import { undo } from './earlier-form.ts';
import { rawEngines } from './raw-engines.ts';
import { newActor, roomOf } from './team-room.ts';

/** The table of pairs by hour as databases had it before cubes. */
const before = `create table statistic_hour (
  supply_kind text not null, supply_id integer not null, day integer not null, hour integer not null,
  demand_kind text not null, demand_id integer not null, requests bigint not null default 0,
  impressions bigint not null default 0, revenue_nanos bigint not null default 0,
  promised bigint not null default 0, primary key (supply_kind, supply_id, day, hour, demand_kind, demand_id))`;

for (const { name, fresh, run } of rawEngines()) {
  test(`what was counted by pair and hour stays, for the accounts of now, on ${name}`, async () => {
    const url = await fresh();
    const now = () => startMs + 12 * 3_600_000;
    const first = await openStore({ url, now });
    const room = roomOf({} as never, first, await newActor(first));
    const owner = await room.add('Publisher', { Name: 'p' });
    const supply = await room.add('VastTag', { PublisherId: owner });
    const demand = await room.add('Campaign', { AdvertiserId: await room.add('Advertiser', { Name: 'a' }) });
    const tables = (await run(url, ['select name from cube_start'])).map((row) => String(row.name));
    await first.close();
    const row = (onDay: number, hour: number, values: string) =>
      `insert into statistic_hour values ('VastTag', ${supply}, ${onDay}, ${hour}, ${values})`;
    await run(url, [
      ...tables.map((table) => `drop table ${table}`),
      ...undo('0002-cubes'),
      before,
      row(day - 5, 23, `'', 0, 10, 0, 0, 0`),
      row(day - 5, 23, `'Campaign', ${demand}, 4, 2, 3000, 1`),
      row(day, 1, `'Campaign', ${demand}, 5, 1, 500, 0`),
      `insert into statistic_day (kind, id, day) values ('VastTag', ${supply}, ${day})`,
    ]);
    const store = await openStore({ url, now });
    const question = questionOf(
      { teamId: room.actor.teamId, supplies: [], demands: [] },
      {
        ...{ fromMs: startMs - 5 * 86_400_000, untilMs: startMs + 86_400_000 },
        measures: ['Requests', 'Calls', 'Impressions', 'Revenue'],
      },
    );
    const kept = { nowMs: now(), keptDays: standardKeptDays, starts: await store.statistics.cubeStarts() };
    const rowsOf = async (more: Parameters<typeof questionOf>[1]) =>
      (await runReport(store.statistics, { ...question, ...more }, kept)).rows.map(({ values, figures }) => [
        ...values.flat(),
        ...Object.values(figures),
      ]);
    assert.deepEqual(await rowsOf({ groups: ['Publisher'] }), [[owner, 10, 9, 3, 0.0000035]]);
    assert.deepEqual(await rowsOf({ groups: ['Demand'] }), [
      ['', 0, 10, 0, 0, 0],
      ['Campaign', demand, 0, 9, 3, 0.0000035],
    ]);
    const day0 = { groups: ['Demand'], measures: ['Impressions', 'Revenue', 'ReportedDays'] } as const;
    assert.deepEqual(await rowsOf(day0), [['Campaign', demand, 3, 0.0000035, 0]]);
    const hours = await store.statistics.hours(
      { kind: 'VastTag', id: supply },
      { fromDay: day - 5, toDay: day },
    );
    assert.deepEqual(
      hours.map(({ hour, counts }) => [hour - day * 24, counts.requests, counts.promised]),
      [
        [-5 * 24 + 23, 10, 0],
        [-5 * 24 + 23, 4, 1],
        [1, 5, 0],
      ],
    );
    await assert.rejects(rowsOf({ fromMs: startMs - 6 * 86_400_000 }), /since 2026-08-27T00:00:00Z/);
    await assert.rejects(
      rowsOf({ groups: ['Country'] }),
      /since 2026-09-02T00:00:00Z/,
      'traffic is counted from tomorrow on',
    );
    await store.close();
  });
}
