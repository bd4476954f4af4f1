import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { addManyTags } from '../../test/console/filled-room.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import type { Measure } from '../measure.ts';
import type { Figure, Row } from '../row.ts';
import { type BourseServer, startBourse } from '../servers/bourse.ts';
import { median } from '../speed.ts';
import { type ConsoleBench, callerOf, tags } from './console-bench.ts';

const atMost = 300;
const dayMs = 86_400_000;
const quarterMs = 900_000;
const grainsMs = { quarter: quarterMs, hour: 4 * quarterMs, day: dayMs } as const;

/** Requests, impressions and money of every tag, today, yesterday and in the current and the previous hour. */
function traffic(nowMs: number): string {
  const rows = Object.entries(grainsMs).flatMap(([grain, ms]) => {
    const slot = Math.floor(nowMs / ms);
    return [slot, slot - 1].map(
      (at) => `insert into cube_supply_${grain}
        (slot, team_id, publisher_id, supply_kind, supply_id, requests, impressions, spent_nanos, revenue_nanos)
        select ${at}, team_id, owner_id, 'VastTag', id, (id * 7919) % 10007, (id * 7919) % 97,
          (id * 104729) % 10007 * 1000000, (id * 104729) % 10007 * 1500000 from vast_tag where true
        on conflict do nothing;`,
    );
  });
  return rows.join('\n');
}

const list = '/api/ortb/vasttag/get?Fields=Id,Name,Status,StatusString,PublisherName';
const filter = (Field: string, Operator: string, ...Values: readonly (string | number)[]) =>
  encodeURIComponent(JSON.stringify([{ Field, Operator, Values }]));

/** What the console's screens ask for; each of a server that has just started. */
const questions: readonly (readonly [what: string, path: string])[] = [
  ['first page', `${list}&Limit=100`],
  ['search', `${list}&Limit=100&Query=zone+777`],
  ['by revenue of today', `${list},Today.Revenue&Limit=100&Sort=-Today.Revenue`],
  [
    'warnings by name',
    `${list},Health.State&Limit=100&Sort=Name&Filter=${filter('Health.State', 'in', 'warning')}`,
  ],
  ['Ctrl K', '/api/search?Query=zone+777&Limit=8'],
  ['Ctrl K, nowhere', '/api/search?Query=nowhere.example&Limit=8'],
  ['health', '/api/health/list?Side=supply&Limit=100'],
  ['history', '/api/history/get?Order=newest&Limit=50'],
];

async function waits({ server, api }: BourseServer, path: string, rounds: number, change: boolean) {
  const all: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    if (change) await api.add('tag', 'Tag', { Name: `Tag ${Math.random()}` });
    const start = performance.now();
    const answer = await fetch(server.url + path, { headers: api.headers });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 200)}`);
    all.push(performance.now() - start);
  }
  return { first: all[0] ?? 0, median: median(all.slice(1)) };
}

async function rowsOf(title: string, start: () => Promise<BourseServer>, rounds: number): Promise<Row[]> {
  const first: Figure[] = [];
  const again: Figure[] = [];
  const changed: Figure[] = [];
  const figure = (what: string, value: number) => ({ what, value, unit: 'milliseconds', atMost }) as const;
  for (const [what, path] of questions) {
    const server = await start();
    await using _stopped = server.server;
    const known = await waits(server, path, rounds, false);
    first.push(figure(what, known.first));
    again.push(figure(what, known.median));
    changed.push(figure(what, (await waits(server, path, rounds, true)).median));
  }
  return [
    { title: `${title}, asked first`, targets: first, details: [] },
    { title: `${title}, asked again`, targets: again, details: [] },
    { title: `${title}, after a change`, targets: changed, details: [] },
  ];
}

/** What the console's lists, its search, health and history ask for, with 20,000 tags that had traffic. */
export const answers: Measure<ConsoleBench> = {
  name: 'answers',
  async run({ folder, rounds }) {
    const rows: Row[] = [];
    const measure = async (name: string, databaseUrl: string, run: (statements: string) => unknown) => {
      const start = () => startBourse(folder, { threads: 1, databaseUrl });
      {
        const bourse = await start();
        await using _server = bourse.server;
        await addManyTags({ api: callerOf(bourse) }, tags);
        await run(traffic(Date.now()));
      }
      rows.push(...(await rowsOf(`${tags.toLocaleString('en')} tags on ${name}`, start, rounds)));
    };
    const path = `${folder}/answers.db`;
    await measure('SQLite', `sqlite:${path}`, (statements) => {
      const database = new DatabaseSync(path);
      database.exec(statements);
      database.close();
    });
    await using postgres = {
      server: await startPostgres(),
      [Symbol.asyncDispose]: () => postgres.server.remove(),
    };
    const databaseUrl = await postgres.server.freshDatabase();
    await measure('PostgreSQL', databaseUrl, async (statements) => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      await client.query(statements);
      await client.end();
    });
    return rows;
  },
};
