import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { assertAway, type Caller, callerOf, jsonOf } from './caller.ts';
import { queryOnce } from './hard-stop.ts';
import { holdTags, untilBlocked } from './held-tags.ts';
import { type ServingProcess, startServing } from './serving-process.ts';

let postgres: PostgresServer;

before(async () => {
  postgres = await startPostgres();
});
after(() => postgres.remove());

const addTag = (caller: Caller, Name: string) => caller.post('/api/tag/add', { Tag: { Name } });

test('a process that falls silent with the lock of the writers soon holds up no other', async (t) => {
  const databaseUrl = await postgres.freshDatabase();
  const serving = async (): Promise<[ServingProcess, Caller]> => {
    const bourse = await startServing(databaseUrl, ['--threads', '1']);
    t.after(() => bourse.process.kill('SIGKILL'));
    return [bourse, callerOf(bourse.url, bourse.token)];
  };
  const [silent, ofSilent] = await serving();
  const [, caller] = await serving();
  const { Tag } = jsonOf(await addTag(caller, 'before')) as { Tag: { Id: number } };
  const release = await holdTags(t, databaseUrl);
  const cut = ofSilent.post('/api/tag/update', { Tag: { Id: Tag.Id, Name: 'cut' } });
  // It has the lock, and waits for the table; it will never send what comes next, as where its network is gone.
  await untilBlocked(databaseUrl, 1);
  silent.process.kill('SIGSTOP');
  await release();
  jsonOf(await addTag(caller, 'after'));
  silent.process.kill('SIGCONT');
  assertAway(await cut);
  jsonOf(await addTag(ofSilent, 'again'));
  const tags = jsonOf(await caller.get('/api/tag/get')) as readonly { readonly Name: string }[];
  assert.deepEqual(
    tags.map(({ Name }) => Name),
    ['before', 'after', 'again'],
  );
});

describe('the server lets us in no more', () => {
  const role = 'short_lived';
  const urlOf = (databaseUrl: string) => databaseUrl.replace('bourse:bourse@', `${role}:first@`);
  const setPassword = (password: string) =>
    queryOnce(postgres.url, `alter role ${role} with login password '${password}'`);
  const endAll = () =>
    queryOnce(
      postgres.url,
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`,
    );

  test('another password: everything that needs the database is 503 until ours is right again', async (t) => {
    const databaseUrl = await postgres.freshDatabase();
    await queryOnce(postgres.url, `create role ${role} superuser`);
    await setPassword('first');
    const bourse = await startServing(urlOf(databaseUrl), ['--threads', '1']);
    t.after(() => bourse.process.kill('SIGKILL'));
    const caller = callerOf(bourse.url, bourse.token);
    jsonOf(await addTag(caller, 'before'));
    await setPassword('second');
    await endAll();
    assertAway(await addTag(caller, 'away'));
    assertAway(await caller.get('/api/tag/get?Limit=3'));
    jsonOf(await caller.get('/healthz'));
    await setPassword('first');
    jsonOf(await addTag(caller, 'after'));
  });
});
