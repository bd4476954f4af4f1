import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { migrations } from '../../src/store/migrations/migrate.ts';
import { openStore } from '../../src/store/open-store.ts';
import { killChildren, startChild } from '../store/child.ts';
import { temporaryPath } from '../store/sqlite-engine.ts';
import { pause } from '../support/pause.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { queryOnce } from './hard-stop.ts';
import { startOn } from './server-pair.ts';
import { startServing } from './serving-process.ts';
import { sharedDatabase } from './shared-database.ts';

const openerModule = new URL('./opener-process.ts', import.meta.url);
const processes = 10;
const rounds = 2;

let server: PostgresServer;
before(async () => {
  server = await startPostgres();
});
after(() => server.remove());
afterEach(killChildren);

/** A fresh database of either kind. */
const databases: readonly (readonly [name: string, fresh: () => Promise<string>])[] = [
  ['PostgreSQL', () => server.freshDatabase()],
  [
    'SQLite',
    async () => {
      const { path, remove } = temporaryPath();
      after(remove);
      return `sqlite:${path}`;
    },
  ],
];

describe('ten processes that start at once on a fresh PostgreSQL database', () => {
  test('all succeed, and each migration is done once; time after time', async () => {
    const children = Array.from({ length: processes }, () => startChild(openerModule, []));
    for (const child of children) assert.equal(await child.line(), 'ready');
    for (let round = 0; round < rounds; round += 1) {
      const url = await server.freshDatabase();
      for (const child of children) child.say(`${Date.now() + 30} ${url}`);
      for (const child of children) assert.equal(await child.line(), 'open');
      const done = await queryOnce<{ name: string }>(url, 'select name from kysely_migration order by name');
      assert.deepEqual(
        done.map(({ name }) => name),
        Object.keys(migrations),
      );
    }
    for (const child of children) child.process.kill();
    await Promise.all(children.map(({ ended }) => ended));
  });
});

for (const [name, fresh] of databases) {
  describe(`servers on one ${name} database`, () => {
    test('five that start at once make one team with one administrator', async (t) => {
      const url = await fresh();
      let administrators = 0;
      const onAdministrator = () => {
        administrators += 1;
      };
      const servers = await Promise.all(Array.from({ length: 5 }, () => startOn(url, { onAdministrator })));
      const store = await openStore({ url, now: Date.now });
      t.after(() => Promise.all([store, ...servers].map((each) => each.close())));
      assert.equal(administrators, 1);
      assert.deepEqual(
        (await store.identity.teams()).map(({ id }) => id),
        [1],
      );
      assert.equal(await store.identity.user(2), undefined);
    });

    sharedDatabase(fresh);
  });
}

test('a process whose listening connection breaks hears of what happened meanwhile, and after', async () => {
  const url = await server.freshDatabase();
  const [writer, listener] = [
    await openStore({ url, now: Date.now }),
    await openStore({ url, now: Date.now }),
  ];
  let calls = 0;
  let onCall: () => void = () => undefined;
  const heard = (count: number) =>
    new Promise<void>((resolve) => {
      onCall = () => calls >= count && resolve();
      onCall();
    });
  listener.feed.onChange(() => {
    calls += 1;
    onCall();
  });
  // Once when it begins to listen.
  await heard(1);
  for (let time = 0; time < 3; time += 1) {
    const next = heard(calls + 1);
    await queryOnce(
      url,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'bourse-listener'",
    );
    await writer.identity.isEmpty().catch(() => undefined);
    await next;
  }
  const next = heard(calls + 1);
  const team = { name: 'team', country: '', city: '', zipCode: '', address: '', phone: '' };
  await writer.identity.addTeam(team);
  await next;
  await listener.close();
  await writer.close();
});

test('of a process of four threads one listens to the database, all follow, and few connections are held', async (t) => {
  const url = await server.freshDatabase();
  const threads = 4;
  const { url: at, token, stop } = await startServing(url, ['--threads', String(threads)]);
  t.after(stop);
  const headers = { authorization: `Bearer ${token}`, connection: 'close' };
  const call = async (path: string, body?: object) => {
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    const answer = await fetch(`${at}/api/${path}`, { headers, ...init });
    assert.equal(answer.status, 200);
    return (await answer.json()) as { readonly Threads?: readonly number[] };
  };
  const served = async () => (await call('exchange/status')).Threads ?? [];
  while ((await served()).length < threads) await pause();
  // Enough at once that every thread opens as many connections as it may.
  const adding = Array.from({ length: 20 }, (_, n) => call('tag/add', { Tag: { Name: `tag ${n}` } }));
  const reading = Array.from({ length: 100 }, () => call('tag/get'));
  await Promise.all([...adding, ...reading]);
  const { Threads = [] } = await call(`exchange/status?Revision=${adding.length}`);
  assert.equal(Threads.length, threads);
  assert.ok(Threads.every((revision) => revision >= adding.length));
  const held = await queryOnce<{ name: string }>(
    url,
    "select application_name as name from pg_stat_activity where application_name like 'bourse%'",
  );
  const listening = held.filter(({ name }) => name === 'bourse-listener').length;
  console.log(
    `# connections of a process of ${threads} threads: ${held.length}, of which ${listening} listen`,
  );
  assert.equal(listening, 1);
  // Five a thread, one that listens, two for limits.
  assert.ok(held.length <= 5 * threads + 3, JSON.stringify(held));
});
