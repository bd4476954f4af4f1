import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { readConfig } from '../src/config.ts';
import { startBourse } from '../src/main.ts';
import { dayMs, dayOf } from '../src/statistics/days.ts';
import { benchClickHouse, benchOutbox } from './clickhouse.ts';
import { logIn } from './data/api.ts';
import { median } from './speed.ts';

/**
 * Reports on SQLite: `npm run bench:statistics`. First those of the statistics URLs over a year; then those of the
 * management API over a thousand objects, with auctions beside them. With `-- --clickhouse <millions of rows>`, those on
 * ClickHouse alone, and what keeping auctions singly costs.
 */
const objects = 500;
/** Demand objects that each supply object meets. */
const met = 4;
const countries = ['US', 'DE', 'FR', 'GB', 'IT'];
const deviceTypes = [2, 4];
const accounts = 20;
const yearDays = 366;
const quarterDays = 90;
const lastDay = dayOf(Date.now());
const runs = 10;
const targetMs = 100;
const askedMs = 300;
const yearMs = 1000;

const shared = {
  requests: 1000,
  bids: 800,
  wins: 600,
  bills: 500,
  impressions: 500,
  clicks: 5,
  spent_nanos: 1_000_000_000,
  revenue_nanos: 1_500_000_000,
};
const ofCubes = {
  ...shared,
  opportunities: 1000,
  calls: 900,
  answers: 850,
  timeouts: 20,
  no_bids: 50,
  starts: 400,
};
const namesOf = (counts: object) => Object.keys(counts).join();
const valuesOf = (counts: object) => Object.values(counts).join();

const series = (name: string, from: number, to: number) =>
  `${name}(n) as (select ${from} union all select n + 1 from ${name} where n < ${to})`;
const listed = (name: string, values: readonly (string | number)[]) =>
  `${name}(v) as (values ${values.map((value) => `(${typeof value === 'string' ? `'${value}'` : value})`).join()})`;

function fill(path: string, teamId: number): void {
  const database = new DatabaseSync(path, { timeout: 5000 });
  const days = (kept: number) => series('d', lastDay - kept + 1, lastDay);
  const all = (kept: number, ...more: readonly string[]) =>
    `with recursive ${[days(kept), series('s', 1, objects), ...more].join()}`;
  const supply = `${teamId}, 1 + s.n % ${accounts}, 'PopFeed', s.n`;
  const demand = `1 + t.n % ${accounts}, 'Campaign', t.n`;
  const insert = (table: string, keys: string, counts: object, from: string) =>
    database.exec(`insert into ${table} (${keys}, ${namesOf(counts)}) ${from}`);
  const pair = 'slot, team_id, publisher_id, supply_kind, supply_id, advertiser_id, demand_kind, demand_id';
  const meets = `t.n % ${objects / met} = s.n % ${objects / met}`;
  database.exec('begin');
  insert(
    'cube_pair_day',
    pair,
    ofCubes,
    `${all(yearDays, series('t', 1, objects))}
    select d.n, ${supply}, ${demand}, ${valuesOf(ofCubes)} from d, s, t where ${meets}`,
  );
  const ofAudience = 'country, device_type, medium, region';
  const audience = [listed('c', countries), listed('v', deviceTypes)];
  insert(
    'cube_team_audience_day',
    `slot, team_id, ${ofAudience}`,
    ofCubes,
    `${all(quarterDays, ...audience)} select d.n, ${teamId}, c.v, v.v, 'video', 'us-east', ${valuesOf(ofCubes)} from d, c, v`,
  );
  for (const [side, keys] of [
    ['supply', supply],
    ['demand', supply.replace('PopFeed', 'Campaign')],
  ] as const) {
    const owner = side === 'supply' ? 'publisher_id' : 'advertiser_id';
    insert(
      `cube_${side}_day`,
      `slot, team_id, ${owner}, ${side}_kind, ${side}_id`,
      ofCubes,
      `${all(yearDays)} select d.n, ${keys}, ${valuesOf(ofCubes)} from d, s`,
    );
    insert(
      `cube_${side}_audience_day`,
      `slot, team_id, ${owner}, ${side}_kind, ${side}_id, ${ofAudience}`,
      ofCubes,
      `${all(quarterDays, ...audience)} select d.n, ${keys}, c.v, v.v, 'video', 'us-east', ${valuesOf(ofCubes)} from d, s, c, v`,
    );
  }
  insert(
    'cube_sub_id_day',
    'slot, team_id, publisher_id, supply_kind, supply_id, sub_id',
    ofCubes,
    `${all(yearDays)} select d.n, ${teamId}, 1, 'PopFeed', 1, 's' || s.n, ${valuesOf(ofCubes)} from s, d where s.n <= 100`,
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

const [flag, millions = '100'] = process.argv.slice(2);
if (flag === '--clickhouse') {
  await benchOutbox();
  await benchClickHouse(Number(millions));
  process.exit(0);
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
  fill(path, publisher.TeamId);
  const pairs = (objects * met * yearDays).toLocaleString('en');
  console.log(`${pairs} pairs by day filled in ${Math.round(performance.now() - startedMs)} ms`);
  const date = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
  const year = (template: string) =>
    template.replace('{date_from}', date(lastDay - yearDays + 1)).replace('{date_to}', date(lastDay));
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
  const ask = async (question: object): Promise<number> => {
    const times: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const beganMs = performance.now();
      const body = JSON.stringify({
        To: date(lastDay),
        Measures: ['Calls', 'Impressions', 'Revenue'],
        ...question,
      });
      const answer = await fetch(`${url}/api/statistics/report`, {
        method: 'POST',
        headers: api.headers,
        body,
      });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(text);
      times.push(performance.now() - beganMs);
    }
    return median(times);
  };
  const From = date(lastDay - quarterDays + 1);
  const groupings = [
    [],
    ['Day'],
    ['Publisher'],
    ['Advertiser'],
    ['Supply'],
    ['Demand'],
    ['Supply', 'Demand'],
    ['Day', 'Publisher'],
    ['Country'],
    ['Country', 'DeviceType'],
    ['Supply', 'Country'],
    ['Demand', 'Country'],
    ['Day', 'Country'],
  ];
  for (const GroupBy of groupings) {
    const ms = await ask({ From, GroupBy });
    console.log(
      `${quarterDays} days of ${2 * objects} objects by ${GroupBy.join(' × ') || 'nothing'}: ${ms.toFixed(0)} ms (target ${askedMs} ms)`,
    );
  }
  const ms = await ask({ From: date(lastDay - yearDays + 1), GroupBy: ['Month'] });
  console.log(`a year by month: ${ms.toFixed(0)} ms (target ${yearMs} ms)`);
} finally {
  await bourse.close();
  rmSync(folder, { recursive: true, force: true });
}
