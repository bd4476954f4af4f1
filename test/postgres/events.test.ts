import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  type ExchangeRoom,
  furnish,
  type Stored,
  todays,
  type Values,
  zoneUrl,
} from '../exchange/exchange-room.ts';
import { film } from '../exchange/vast-room.ts';
import { pause } from '../support/pause.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { comeUp, goDown, queryOnce } from './hard-stop.ts';
import { type ServingProcess, startServing } from './serving-process.ts';

const ads = 60;
const Cpm = 1000;

let postgres: PostgresServer;
before(async () => {
  postgres = await startPostgres();
});
after(() => postgres.remove());

/** A figure of `/metrics`, the sum of its values; undefined where there is none. */
async function figure({ url }: ServingProcess, name: string): Promise<number | undefined> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const values = metrics
    .split('\n')
    .filter((line) => line.startsWith(name) && /^[ {]/.test(line.slice(name.length)));
  return values.length === 0
    ? undefined
    : values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

describe('billable events on PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-events-'));
  const outbox = join(folder, 'outbox');
  const env = { BOURSE_OUTBOX: outbox, BOURSE_REGION: 'main', BOURSE_REGIONS: 'main=http://127.0.0.1:1' };
  let databaseUrl: string;
  let bourse: ServingProcess;
  let room: ExchangeRoom;
  let supply: Stored;
  let shown = 0;

  const start = (more: NodeJS.ProcessEnv = {}) =>
    startServing(databaseUrl, ['--threads', '2'], { ...env, ...more });
  const kill = async () => {
    bourse.process.kill('SIGKILL');
    await bourse.ended;
  };
  const collect = async (): Promise<string[]> => {
    const { pathname, search } = new URL(zoneUrl(supply));
    const found: string[] = [];
    for (let ad = 0; ad < ads; ad += 1) {
      const answer = await fetch(`${bourse.url}${pathname}${search}`, { headers: { connection: 'close' } });
      found.push(...((await answer.text()).match(/\/track\/impression\?t=[\w.:~-]+/g) ?? []));
    }
    assert.equal(found.length, ads);
    return found;
  };
  const call = async (paths: readonly string[]): Promise<number[]> =>
    Promise.all(
      paths.map(
        async (path) => (await fetch(bourse.url + path, { headers: { connection: 'close' } })).status,
      ),
    );
  const acknowledged = async (paths: readonly string[]) =>
    assert.deepEqual(
      await call(paths),
      paths.map(() => 200),
    );
  /** Waits until so many impressions have counted, and looks at whether each figure says the same. */
  const assertCounted = async () => {
    const { port } = new URL(bourse.url);
    const report = todays(supply.StatsByDateJson).replace(/:\d+\//, `:${port}/`);
    for (;;) {
      const [row = {}] = (await (await fetch(report)).json()) as Values[];
      if (Number(row.Bills) < shown) continue;
      return assert.deepEqual([row.Bills, row.NetImpressions, row.Spent], [shown, shown, shown]);
    }
  };

  before(async () => {
    databaseUrl = await postgres.freshDatabase();
    bourse = await start();
    const server = { url: bourse.url, token: bourse.token, mail: '', password: '', databaseUrl };
    room = await furnish({ ...server, close: async () => undefined });
    const { Id } = await room.add('campaign', { ...film, Cpm });
    supply = await room.add('ortb/vasttag', { Bidfloor: Cpm, Tmax: 5000, Campaigns: [Id] });
    await room.served();
  });
  after(async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  });

  test('are acknowledged while it is away, outlive kill -9, and count once, also when they come again', async () => {
    const paths = await collect();
    const [before, away] = [paths.slice(0, 20), paths.slice(20)];
    await acknowledged(before);
    shown += before.length;
    await assertCounted();
    await goDown(postgres, 'SIGKILL');
    await acknowledged([...away, ...away, ...before]);
    shown += away.length;
    while (!(await figure(bourse, 'bourse_events_waiting_bytes'))) await pause();
    assert.ok(Number(await figure(bourse, 'bourse_events_oldest_seconds')) > 0);
    await kill();
    await comeUp(postgres);
    bourse = await start();
    await assertCounted();
    await acknowledged(paths);
    await assertCounted();
    while ((await figure(bourse, 'bourse_events_waiting_bytes')) !== 0) await pause();
    await assertCounted();
  });

  test('are shipped by another process where theirs was killed, and once where both get them', async () => {
    const paths = await collect();
    const other = await start();
    await goDown(postgres, 'stop');
    await acknowledged(paths);
    shown += paths.length;
    const first = bourse;
    bourse = other;
    await acknowledged(paths);
    bourse = first;
    await kill();
    await comeUp(postgres);
    bourse = await start();
    await assertCounted();
    assert.equal(await other.stop(), 0);
    await assertCounted();
    const [{ count = '' } = {}] = await queryOnce<{ count: string }>(
      databaseUrl,
      'select count(*) from shipped where is_done = 1',
    );
    assert.equal(count, '1');
  });

  test('are refused where the outbox cannot be written to, which is said, and count when they come again', async () => {
    const paths = await collect();
    await kill();
    const file = join(folder, 'file');
    writeFileSync(file, 'no folder');
    await assert.rejects(start({ BOURSE_OUTBOX: file }), /BOURSE_OUTBOX: .* cannot be used/);
    // A disk that fails later: the folders of threads are made with their first record.
    bourse = await start();
    const [part = ''] = readdirSync(outbox).map((name) => join(outbox, name, '0'));
    const spoil = () => {
      rmSync(part, { recursive: true, force: true });
      mkdirSync(join(part, '..'), { recursive: true });
      writeFileSync(part, 'no folder');
      chmodSync(part, 0o444);
    };
    spoil();
    assert.deepEqual(
      await call(paths),
      paths.map(() => 503),
    );
    assert.ok(Number(await figure(bourse, 'bourse_events_unkept_total')) >= paths.length);
    await kill();
    rmSync(part);
    bourse = await start();
    await acknowledged(paths);
    shown += paths.length;
    await assertCounted();
  });
});
