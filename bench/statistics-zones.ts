import { mkdtempSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { addZone } from './data/zone.ts';
import { startGenerator } from './load/generator.ts';
import { startBourse } from './servers/bourse.ts';
import { median, percentile, type Request, warmUp } from './speed.ts';

/**
 * Reports in the asker's own zone on SQLite, and auctions beside them: `node bench/statistics-zones.ts`. A database of
 * 500 supply objects that each meet four demand objects in every quarter hour of 31 days and every hour of 90. With
 * `--against <folder>` another checkout, with its `node_modules`, answers the same.
 */
const objects = 500;
const met = 4;
const accounts = 20;
const kept = { quarter: 31, hour: 90, day: 90 } as const;
const perDay = { quarter: 96, hour: 24, day: 1 } as const;
const runs = 7;
const perSecond = 300;
const seconds = 10;
const rounds = 3;
const dayMs = 86_400_000;
const today = Math.floor(Date.now() / dayMs);

const counts = {
  requests: 10,
  bids: 8,
  wins: 6,
  bills: 5,
  impressions: 5,
  clicks: 1,
  opportunities: 10,
  calls: 9,
  answers: 8,
  spent_nanos: 10_000_000,
  revenue_nanos: 15_000_000,
};
const supplyKeys = 'publisher_id, supply_kind, supply_id';
const demandKeys = 'advertiser_id, demand_kind, demand_id';
const supplyOf = `1 + s.n % ${accounts}, 'PopFeed', s.n`;
const demandOf = (id: string) => `1 + ${id} % ${accounts}, 'Campaign', ${id}`;
const metOf = `(1 + s.n % ${objects / met} + ${objects / met} * k.n)`;
/** The cubes that are filled: their keys, their rows in a step of time, and how many pairs are in one of them. */
const cubes = [
  ['team', '', '', '', objects * met],
  ['supply', `${supplyKeys},`, `${supplyOf},`, ', s', met],
  ['demand', `${demandKeys},`, `${demandOf('s.n')},`, ', s', met],
  ['pair', `${supplyKeys}, ${demandKeys},`, `${supplyOf}, ${demandOf(metOf)},`, ', s, k', 1],
] as const;

function fill(path: string, teamId: number): void {
  const database = new DatabaseSync(path, { timeout: 30_000 });
  const has = (table: string) =>
    database.prepare(`select 1 from sqlite_master where name = '${table}'`).get() !== undefined;
  database.exec('begin');
  for (const [cube, keys, values, from, pairs] of cubes) {
    for (const grain of ['quarter', 'hour', 'day'] as const) {
      const table = `cube_${cube}_${grain}`;
      if (!has(table)) continue;
      const [first, until] = [(today - kept[grain]) * perDay[grain], today * perDay[grain]];
      const times = (pairs * 96) / perDay[grain];
      const sums = Object.values(counts).map((count) => count * times);
      database.exec(`with recursive
        d(n) as (select ${first} union all select n + 1 from d where n < ${until} - 1),
        s(n) as (select 1 union all select n + 1 from s where n < ${objects}),
        k(n) as (select 0 union all select n + 1 from k where n < ${met} - 1)
        insert into ${table} (slot, team_id, ${keys} ${Object.keys(counts).join()})
        select d.n, ${teamId}, ${values} ${sums.join()} from d${from}`);
    }
  }
  database.exec('commit');
  database.close();
}

const dateOf = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
const questions = [
  { name: '7 days by day', days: 7, GroupBy: ['Day'] },
  { name: '30 days by day', days: 30, GroupBy: ['Day'] },
  { name: '30 days by day beside those before', days: 30, GroupBy: ['Day'], CompareTo: 'Period' },
  { name: '89 days by day', days: 89, GroupBy: ['Day'] },
  { name: '30 days by day and publisher', days: 30, GroupBy: ['Day', 'Publisher'] },
  { name: '30 days by day and supply', days: 30, GroupBy: ['Day', 'Supply'] },
  { name: '89 days by supply', days: 89, GroupBy: ['Supply'] },
];
const zones = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu'];

const { values } = parseArgs({ options: { against: { type: 'string' } } });
const folder = mkdtempSync(join(tmpdir(), 'bourse-bench-'));
try {
  const bourse = await startBourse(folder, {
    threads: 1,
    ...(values.against !== undefined && { checkout: values.against }),
  });
  await using server = bourse.server;
  const { request } = await addZone(bourse, 'campaign');
  const beganMs = performance.now();
  fill(join(folder, 'bourse.db'), 1);
  console.log(`filled in ${((performance.now() - beganMs) / 1000).toFixed(0)} s`);
  // The connection of before has been closed in the meantime.
  await fetch(server.url).catch(() => undefined);
  const ask = async ({ name: _, days, ...question }: (typeof questions)[number], TimeZone: string) => {
    const sentMs = performance.now();
    const From = dateOf(today - days);
    const asked = {
      ...question,
      From,
      To: dateOf(today - 1),
      TimeZone,
      Measures: ['Calls', 'Revenue', 'Ctr'],
    };
    const answer = await fetch(`${server.url}/api/statistics/report`, {
      method: 'POST',
      headers: bourse.api.headers,
      body: JSON.stringify(asked),
    });
    await answer.text();
    return answer.status === 200 ? performance.now() - sentMs : undefined;
  };
  for (const question of questions) {
    const texts: string[] = [];
    for (const zone of zones) {
      const first = await ask(question, zone);
      const times: number[] = [];
      for (let run = 0; run < runs && first !== undefined; run += 1)
        times.push((await ask(question, zone)) ?? 0);
      texts.push(
        first === undefined
          ? `${zone} refused`
          : `${zone} ${median(times).toFixed(0)} (first ${first.toFixed(0)})`,
      );
    }
    console.log(`${question.name}, ms: ${texts.join('; ')}`);
  }

  using load = startGenerator();
  const asked: Request = { ...request, connections: 32 };
  await warmUp(load, server, asked);
  const waitsOf = async () =>
    (await load.run({ ...asked, origin: server.url, perSecond, until: { seconds } })).waitsMs;
  // Whoever asks for reports is on another machine.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  /** The 99th percentile while these questions are asked one after the other, with a pause behind each, and how many were. */
  const beside = async (asked: typeof questions, pauseMs = 0) => {
    const state = { isOver: false, reports: 0 };
    const asking = (async () => {
      while (!state.isOver) {
        for (const [question, zone] of asked.flatMap((one) => zones.map((zone) => [one, zone] as const))) {
          if (state.isOver) return;
          await ask(question, zone);
          state.reports += 1;
          if (pauseMs > 0) await delay(pauseMs);
        }
      }
    })();
    const p99 = percentile(await waitsOf(), 0.99);
    state.isOver = true;
    await asking;
    return `${p99.toFixed(1)} (${state.reports} reports)`;
  };
  const byDay = questions.filter(({ GroupBy }) => GroupBy.length === 1);
  for (let round = 0; round < rounds; round += 1) {
    const alone = percentile(await waitsOf(), 0.99).toFixed(1);
    const texts = [
      `alone ${alone}`,
      `by day and by supply, every 0.1 s ${await beside(byDay, 100)}`,
      `without a pause ${await beside(byDay)}`,
    ];
    console.log(
      `${perSecond} auctions a second, p99 in ms: ${texts.join('; ')}; by all ${await beside(questions)}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
