import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { readConfig } from '../src/config.ts';
import { startBourse } from '../src/main.ts';
import { dayMs, dayOf } from '../src/statistics/days.ts';
import { logIn } from './data/api.ts';
import { median } from './speed.ts';

/** Reports over a year of 100 × 100 pairs a day, on SQLite: `npm run bench:statistics`. */
const objects = 100;
const days = 366;
const lastDay = dayOf(Date.now());
const runs = 20;
const targetMs = 100;

const counts = {
  ...{ requests: 1000, bids: 800, wins: 600, bills: 500, impressions: 500, clicks: 5, invalid: 1 },
  ...{ spent_nanos: 1_000_000_000, revenue_nanos: 1_500_000_000 },
};
const columns = Object.keys(counts).join();
const values = Object.values(counts).join();

function fill(path: string): void {
  const database = new DatabaseSync(path, { timeout: 5000 });
  const series = (name: string, from: number, to: number) =>
    `${name}(n) as (select ${from} union all select n + 1 from ${name} where n < ${to})`;
  const all = `with recursive ${series('d', lastDay - days + 1, lastDay)}, ${series('s', 1, objects)},
    ${series('t', 1, objects)}`;
  database.exec('begin');
  database.exec(`insert into statistic_hour (supply_kind, supply_id, day, hour, demand_kind, demand_id, ${columns})
    ${all} select 'PopFeed', s.n, d.n, (s.n + t.n) % 24, 'Campaign', t.n, ${values} from s, d, t`);
  for (const kind of ['PopFeed', 'Campaign']) {
    database.exec(
      `insert into statistic_day (kind, id, day, ${columns}) ${all} select '${kind}', s.n, d.n, ${values} from s, d`,
    );
  }
  for (const kind of ['Publisher', 'Advertiser']) {
    database.exec(
      `insert into statistic_day (kind, id, day, ${columns}) ${all} select '${kind}', 1, d.n, ${values} from d`,
    );
  }
  database.exec(
    `insert into statistic_sub_id (kind, id, day, sub_id, ${columns})
      ${all} select 'PopFeed', 1, d.n, 's' || s.n, ${values} from s, d`,
  );
  database.exec('commit');
  database.close();
}

async function medianMs(url: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const startedMs = performance.now();
    const answer = await fetch(url);
    await answer.text();
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
    times.push(performance.now() - startedMs);
  }
  return median(times);
}

const folder = mkdtempSync(join(tmpdir(), 'bourse-bench-'));
const path = join(folder, 'bourse.db');
const administrator = { adminMail: 'ada@example.com', adminPassword: 'correct horse battery' };
const config = { ...readConfig({}).config, port: 0, databaseUrl: `sqlite:${path}`, ...administrator };
const bourse = await startBourse(config, { logger: pino({ level: 'silent' }) });
try {
  const { url } = bourse;
  const api = await logIn(url, administrator.adminMail, administrator.adminPassword);
  const add = async (path: string, wrapper: string, values: object) => {
    const id = await api.add(path, wrapper, values);
    return JSON.parse(await api.get(`/api/${path}/get?Id=${id}`));
  };
  const account = { Mail: 'desk@example.com', Name: 'Bench', Country: 'US', Username: 'bench' };
  const publisher = await add('publisher', 'Publisher', account);
  const advertiser = await add('advertiser', 'Advertiser', account);
  const feed = await add('xml/popfeed', 'PopFeed', { PublisherId: publisher.Id });
  const startedMs = performance.now();
  fill(path);
  const pairs = (objects * objects * days).toLocaleString('en');
  console.log(`${pairs} pairs filled in ${Math.round(performance.now() - startedMs)} ms`);
  const date = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
  const year = (template: string) =>
    template.replace('{date_from}', date(lastDay - days + 1)).replace('{date_to}', date(lastDay));
  const reports = {
    'publisher, a year by day': year(publisher.StatsByDateCsv),
    'advertiser, a year by day': year(advertiser.StatsByDateCsv),
    'Pop Feed, a year by day': year(feed.StatsByDateCsv),
    'Pop Feed, a year by day and 100 subids': year(feed.StatsBySubIdCsv),
  };
  for (const [name, report] of Object.entries(reports)) {
    const ms = await medianMs(report);
    const target = name.endsWith('by day') ? ` (target ${targetMs} ms)` : '';
    console.log(`${name}: ${ms.toFixed(1)} ms, median of ${runs}${target}`);
  }
} finally {
  await bourse.close();
  rmSync(folder, { recursive: true, force: true });
}
