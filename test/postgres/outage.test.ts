import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { assertAway, type Caller, callerOf, jsonOf, type Reply } from './caller.ts';
import { comeUp, freeze, type Going, goDown, queryOnce } from './hard-stop.ts';
import { holdTags, untilBlocked } from './held-tags.ts';
import { type Load, startLoad } from './load.ts';
import { type ServingProcess, serveInVain, startServing } from './serving-process.ts';

const rounds: readonly Going[] = ['stop', 'SIGKILL', 'SIGQUIT'];
const acknowledgedBetween = 40;
const refusedBetween = 20;
/** Twice a statement's time and that of a new connection, and some for a machine that others use. */
const answeredWithinMs = 2 * (15_000 + 5000) + 20_000;

let postgres: PostgresServer;
let databaseUrl: string;
let bourse: ServingProcess;
let caller: Caller;

before(async () => {
  postgres = await startPostgres();
});
after(() => postgres.remove());

/** Waits for every thread: one that is still starting when the database goes would tell the log that it cannot. */
async function untilAllServe(threads: number): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(`${bourse.url}/metrics`)).text();
    if (metrics.includes(`\nbourse_threads ${threads}\n`)) return;
  }
}

async function start(threads: number): Promise<void> {
  databaseUrl = await postgres.freshDatabase();
  bourse = await startServing(databaseUrl, ['--threads', String(threads)]);
  caller = callerOf(bourse.url, bourse.token);
  await untilAllServe(threads);
}

async function stop(): Promise<void> {
  assert.equal(await bourse.stop(), 0);
  assert.doesNotMatch((await bourse.ended).output, /"level":[56]0|unexpected error|\n\s+at /);
}

/** Ends Bourse's connections to the server and takes all that it gives, and more. */
async function takeAllConnections(): Promise<pg.Client[]> {
  const taken: pg.Client[] = [];
  const clientOf = () => new pg.Client({ connectionString: postgres.url });
  for (;;) {
    const client = clientOf();
    try {
      await client.connect();
      taken.push(client);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === '53300')) throw error;
      const { rows = [] } = (await taken[0]?.query(endAll)) ?? {};
      if (rows.length === 0) return taken;
    }
  }
}

function replyOf(settled: PromiseSettledResult<Reply>): Reply {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

const addTag = (Name: string) => caller.post('/api/tag/add', { Tag: { Name } });

/** The database goes and comes back, while the load goes on. */
async function survive(load: Load, going: Going): Promise<void> {
  const { acknowledged, counts } = load;
  const start = acknowledged.size;
  await load.until(() => acknowledged.size >= start + acknowledgedBetween);
  const { refusedWrites, refusedReads } = counts;
  await goDown(postgres, going);
  await load.until(
    () =>
      counts.refusedWrites >= refusedWrites + refusedBetween &&
      counts.refusedReads >= refusedReads + refusedBetween,
  );
  await comeUp(postgres);
  const [reads, writes] = [counts.reads, acknowledged.size];
  await load.until(() => counts.reads > reads && acknowledged.size > writes);
}

/** Each acknowledged key has one object, each object a key, and each change the revision after the one before. */
async function assertCounts({ acknowledged }: Load, sinceId = 0): Promise<void> {
  const tags = jsonOf(await caller.get(`/api/tag/get?AfterId=${sinceId}`)) as { Id: number; Name: string }[];
  const byKey = new Map(tags.map(({ Id, Name }) => [Name, Id]));
  assert.equal(byKey.size, tags.length, 'a write was doubled');
  for (const [key, id] of acknowledged) assert.equal(byKey.get(key), id, 'an acknowledged write was lost');
  assert.equal(tags.length, acknowledged.size, 'a write is there that nobody was told of');
  const changes = await queryOnce<{ revision: string; entity: string; entity_id: number }>(
    databaseUrl,
    'select revision, entity, entity_id from change order by change.revision',
  );
  assert.deepEqual(
    changes.map(({ revision }) => Number(revision)),
    changes.map((_, index) => index + 1),
  );
  assert.deepEqual(
    changes.flatMap(({ entity, entity_id: id }) => (entity === 'Tag' && id > sinceId ? [id] : [])),
    tags.map(({ Id }) => Id),
  );
}

const endAll = `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'bourse%'`;

describe('the database goes away and comes back', () => {
  before(() => start(2));
  after(stop);

  test('again and again, in order and by kill -9, under load: nothing lost, nothing doubled', async (t) => {
    const load = startLoad(caller);
    for (const going of rounds) await survive(load, going);
    await load.stop();
    await assertCounts(load);
    assert.equal(bourse.process.exitCode, null, 'the same process serves');
    t.diagnostic(`${load.acknowledged.size} adds, ${JSON.stringify(load.counts)}`);
  });

  for (const going of ['SIGQUIT', 'SIGKILL'] as const) {
    test(`reads and writes under way at ${going} are answered 503`, async (t) => {
      const name = `under way at ${going}`;
      await holdTags(t, databaseUrl);
      // Of an array, the first part: once that is sent, the answer can only break off.
      // Neither has been asked for before, so that both need the database.
      const paths = [`/api/tag/get?Limit=${going.length + 100}`, '/api/tag/get?Id=1&ActiveOnly=1&AfterId=0'];
      const reads = paths.map((path) => caller.get(path));
      const replies = Promise.allSettled([addTag(name), ...reads]);
      await untilBlocked(databaseUrl, 3);
      await goDown(postgres, going);
      const answered = await replies;
      await comeUp(postgres);
      for (const each of answered) assertAway(replyOf(each));
      const tags = jsonOf(await caller.get('/api/tag/get')) as { Name: string }[];
      assert.ok(!tags.some(({ Name }) => Name === name));
      jsonOf(await addTag(name));
    });
  }

  // In order, the server ends who holds the lock as it ends all others, one after the other: whoever waits for the
  // lock may get it, and be done, before it is its own turn. Then the answer is a true one.
  test('reads and writes under way at an orderly stop are answered 503, or as they were done', async (t) => {
    const name = 'under way at an orderly stop';
    const addOnce = () => caller.post('/api/tag/add', { Tag: { Name: name } }, { 'idempotency-key': name });
    const before = jsonOf(await caller.get('/api/tag/get?Limit=2'));
    await holdTags(t, databaseUrl);
    const write = addOnce();
    const read = caller.get('/api/tag/get?Limit=2&AfterId=0&ActiveOnly=1');
    const replies = Promise.all([write, read]);
    await untilBlocked(databaseUrl, 2);
    await goDown(postgres, 'stop');
    const [written, seen] = await replies;
    await comeUp(postgres);
    if (seen.status === 200) assert.deepEqual(jsonOf(seen), before);
    else assertAway(seen);
    if (written.status !== 200) assertAway(written);
    // Refused or done, the same key makes one of it.
    const repeated = jsonOf(await addOnce());
    if (written.status === 200) assert.deepEqual(repeated, jsonOf(written));
    const tags = jsonOf(await caller.get('/api/tag/get')) as { Name: string }[];
    assert.equal(tags.filter(({ Name }) => Name === name).length, 1);
  });

  test('while it is away, everything that needs it is 503, and the rest is served', async () => {
    await goDown(postgres, 'stop');
    const login = { Username: 'ada@example.com', Password: 'correct horse battery' };
    const calls = [
      caller.get('/api/tag/get'),
      caller.get('/api/tag/get?Id=1'),
      addTag('away'),
      caller.post('/api/tag/add?DryRun=1', { Tag: { Name: 'away' } }),
      caller.post('/api/auth/login', login),
      caller.post('/api/auth/apikey/add', { ApiKey: { Label: 'away' } }),
      caller.get('/api/info/countries'),
    ];
    const refused = await Promise.allSettled(calls);
    const served = await Promise.allSettled(
      ['/healthz', '/api/openapi.json'].map((path) => caller.get(path)),
    );
    await comeUp(postgres);
    for (const each of refused) assertAway(replyOf(each));
    for (const each of served) jsonOf(replyOf(each));
    jsonOf(await caller.post('/api/auth/login', login));
  });

  test('the server ends every connection, idle or not, time after time under load', async () => {
    const { Id } = (jsonOf(await addTag('before')) as { Tag: { Id: number } }).Tag;
    const load = startLoad(caller);
    for (let time = 0; time < 8; time += 1) {
      const start = load.acknowledged.size;
      await load.until(() => load.acknowledged.size >= start + 10);
      await queryOnce(databaseUrl, endAll);
    }
    await load.stop();
    await assertCounts(load, Id);
  });
});

describe('the database stands still without a word', () => {
  before(() => start(1));
  after(stop);

  test('requests that wait for it are answered 503 in time, and served once it wakes', async (t) => {
    // Connections that are idle then, as they are in life: what hangs is their next statement.
    const some = await Promise.all([addTag('before'), caller.get('/api/tag/get?Limit=7')]);
    for (const reply of some) jsonOf(reply);
    const wake = await freeze(postgres);
    t.after(wake);
    const calls = () => [
      addTag('frozen'),
      ...Array.from({ length: 5 }, (_, at) => caller.get(`/api/tag/get?Limit=${100 + at}`)),
      caller.post('/api/auth/login', { Username: 'ada@example.com', Password: 'correct horse battery' }),
    ];
    const beganMs = performance.now();
    for (const reply of await Promise.all(calls())) assertAway(reply);
    for (const reply of await Promise.all(calls())) assertAway(reply);
    const tookMs = performance.now() - beganMs;
    assert.ok(tookMs < answeredWithinMs, `two rounds took ${Math.round(tookMs)} ms`);
    jsonOf(await caller.get('/healthz'));
    wake();
    jsonOf(await addTag('after'));
    jsonOf(await caller.get('/api/tag/get?Limit=7'));
    assert.equal(bourse.process.exitCode, null, 'the same process serves');
  });
});

describe('all connections of the pool are in use', () => {
  // In one thread: each has a pool of its own.
  before(() => start(1));
  after(stop);

  test('requests that wait too long for one are answered 503; those that have one, when they may go on', async (t) => {
    const release = await holdTags(t, databaseUrl);
    const first = Array.from({ length: 10 }, (_, index) => caller.get(`/api/tag/get?Limit=${1000 + index}`));
    await untilBlocked(databaseUrl, 10);
    const more = Array.from({ length: 40 }, (_, index) =>
      index % 2 ? caller.get('/api/publisher/get') : addTag('waits'),
    );
    for (const reply of await Promise.all(more)) assertAway(reply);
    await release();
    for (const reply of await Promise.all(first)) jsonOf(reply);
    jsonOf(await addTag('goes on'));
  });

  test('a server that has no connection left is one that is away', async () => {
    const others = await takeAllConnections();
    const calls = Array.from({ length: 20 }, (_, index) =>
      index % 2 ? addTag('no') : caller.get('/api/tag/get'),
    );
    for (const reply of await Promise.all(calls)) assertAway(reply);
    await Promise.all(others.map((client) => client.end()));
    jsonOf(await addTag('again'));
  });
});

describe('a start where the database cannot be reached', () => {
  const faulty: readonly (readonly [name: string, url: () => string, says: RegExp])[] = [
    ['nobody listens', () => 'postgres://bourse:s3cret@127.0.0.1:9/bourse', /reach|refused/i],
    ['there is no such database', () => postgres.url.replace(/\w+$/, 'nowhere'), /"nowhere" does not exist/],
    ['the password is wrong', () => postgres.url.replace(':bourse@', ':s3cret@'), /password|authentication/i],
  ];
  for (const [name, url, says] of faulty) {
    test(`${name}: it says so and ends with 1, at once`, async () => {
      const startedMs = performance.now();
      const { code, output } = await serveInVain(url());
      assert.equal(code, 1, output);
      assert.match(output, /^BOURSE_DATABASE_URL: the database cannot be opened: /m);
      assert.match(output, says);
      assert.doesNotMatch(output, /s3cret|\n\s+at /);
      assert.ok(
        performance.now() - startedMs < 9000,
        'it ends before the pool would let go of an idle connection',
      );
    });
  }
});
