import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { entityOf } from '../../src/entities/registry.ts';
import type { Store } from '../../src/store/interface.ts';
import { openStore } from '../../src/store/open-store.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Child, killChildren, startChild } from './child.ts';
import { changesIn, integrityOf, temporaryPath } from './sqlite-engine.ts';

const writerModule = new URL('./writer-process.ts', import.meta.url);
const openerModule = new URL('./opener-process.ts', import.meta.url);
const lockerModule = new URL('./locker-process.ts', import.meta.url);
const tag = entityOf('Tag');
const bareTeam = { name: 'team', country: '', city: '', zipCode: '', address: '', phone: '' };

function startWriters(
  path: string,
  teamId: number,
  { processes, each }: { processes: number; each: number },
): Child[] {
  return Array.from({ length: processes }, (_, index) =>
    startChild(writerModule, [path, String(teamId), `process ${index}`, String(each)]),
  );
}

/** Lets every child begin at once, and answers what each printed. */
async function finish(children: readonly Child[]): Promise<number[][]> {
  for (const child of children) child.say('go');
  const lines = await Promise.all(children.map((child) => child.line()));
  assert.deepEqual(
    await Promise.all(children.map(({ ended }) => ended)),
    children.map(() => 0),
  );
  return lines.map((line) => JSON.parse(line) as number[]);
}

/** Reads all tags again and again until told to stop; each time what was seen before must still be there. */
async function watch(store: Store, teamId: number, isDone: () => boolean): Promise<number> {
  let seen: readonly number[] = [];
  let reads = 0;
  while (!isDone()) {
    const ids = (await store.page(tag, teamId, {}, 100_000)).map(({ id }) => id);
    assert.deepEqual(ids.slice(0, seen.length), seen, 'an object was lost, or came before one that was seen');
    seen = ids;
    reads += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return reads;
}

afterEach(killChildren);

describe('several processes on one file', () => {
  let path = '';
  let remove: () => void = () => undefined;
  beforeEach(() => {
    remove();
    ({ path, remove } = temporaryPath());
  });
  after(() => remove());

  test('write at once while another reads: nothing is lost, nothing corrupt, revisions are in order', async () => {
    const store = await openStore({ url: `sqlite:${path}`, now: Date.now });
    const teamId = await store.identity.addTeam(bareTeam);
    const children = startWriters(path, teamId, { processes: 4, each: 60 });
    for (const child of children) assert.equal(await child.line(), 'open');
    let isDone = false;
    const watching = watch(store, teamId, () => isDone);
    const ids = await finish(children).finally(() => {
      isDone = true;
    });
    assert.ok((await watching) > 1);
    const all = (await store.page(tag, teamId, {}, 1000)).map(({ id }) => id);
    assert.deepEqual(
      ids.flat().toSorted((a, b) => a - b),
      all,
    );
    assert.equal(all.length, 240);
    assert.ok(ids.every((own) => own.every((id, index) => index === 0 || id > (own[index - 1] ?? 0))));
    await store.close();
    const revisions = changesIn(path);
    assert.deepEqual(
      revisions.map(({ revision }) => revision),
      revisions.map((_, index) => index + 1),
    );
    assert.deepEqual(
      revisions.map(({ entityId }) => entityId),
      all,
    );
    assert.equal(integrityOf(path), 'ok');
  });

  test('open and bring to form a fresh database at once, ten of them, time after time', async () => {
    const children = Array.from({ length: 10 }, () => startChild(openerModule, []));
    for (const child of children) assert.equal(await child.line(), 'ready');
    for (let round = 0; round < 4; round += 1) {
      for (const child of children) child.say(`${Date.now() + 30} ${path}-${round}`);
      for (const child of children) assert.equal(await child.line(), 'open');
      assert.equal(integrityOf(`${path}-${round}`), 'ok');
    }
    for (const child of children) child.process.kill();
    await Promise.all(children.map(({ ended }) => ended));
  });

  test('open, write and close again and again beside each other', async () => {
    const store = await openStore({ url: `sqlite:${path}`, now: Date.now });
    const teamId = await store.identity.addTeam(bareTeam);
    await store.close();
    const come = async (name: string) => {
      for (let time = 0; time < 2; time += 1) {
        const child = startChild(writerModule, [path, String(teamId), name, '3']);
        child.say('go');
        assert.equal(await child.line(), 'open');
        assert.equal((JSON.parse(await child.line()) as number[]).length, 3);
        assert.equal(await child.ended, 0);
      }
    };
    await Promise.all(['a', 'b', 'c'].map(come));
    const again = await openStore({ url: `sqlite:${path}`, now: Date.now });
    assert.equal((await again.page(tag, teamId, {}, 1000)).length, 18);
    await again.close();
    assert.equal(integrityOf(path), 'ok');
  });

  test('one waits for the lock of another without spending its own time on it', async () => {
    const store = await openStore({ url: `sqlite:${path}`, now: Date.now });
    const holder = startChild(lockerModule, [path]);
    assert.equal(await holder.line(), 'locked');
    const write = store.identity.addTeam(bareTeam);
    const begun = performance.eventLoopUtilization();
    // A process's start is the time that passes; ours has nothing to do in it but to ask for the lock.
    const other = startChild(openerModule, []);
    assert.equal(await other.line(), 'ready');
    const { utilization } = performance.eventLoopUtilization(begun);
    assert.ok(utilization < 0.5, `busy for ${Math.round(utilization * 100)} % of the wait`);
    holder.say('go');
    assert.equal(await write, 1);
    await store.close();
  });

  test('one is killed in the middle of a write: the others go on', async () => {
    const store = await openStore({ url: `sqlite:${path}`, now: Date.now });
    const teamId = await store.identity.addTeam(bareTeam);
    const [victim, other] = startWriters(path, teamId, { processes: 2, each: 200 });
    assert.ok(victim && other);
    assert.deepEqual([await victim.line(), await other.line()], ['open', 'open']);
    for (const child of [victim, other]) child.say('go');
    while ((await store.page(tag, teamId, {}, 1000)).length < 20)
      await new Promise((resolve) => setImmediate(resolve));
    victim.process.kill('SIGKILL');
    const ids = JSON.parse(await other.line()) as number[];
    assert.equal(ids.length, 200);
    const all = new Set((await store.page(tag, teamId, {}, 1000)).map(({ id }) => id));
    assert.ok(ids.every((id) => all.has(id)));
    await store.close();
    assert.equal(integrityOf(path), 'ok');
  });
});

describe('while another process holds the writers’ lock', () => {
  let server: TestServer | undefined;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server?.close());

  function running(): TestServer {
    assert.ok(server);
    return server;
  }

  const call = (path: string, body?: unknown) =>
    fetch(`${running().url}${path}`, {
      headers: { authorization: `Bearer ${running().token}` },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });

  test('a running server answers reads at once, and writes when it is free', async () => {
    const child = startChild(lockerModule, [running().databaseUrl.replace('sqlite:', '')]);
    assert.equal(await child.line(), 'locked');
    const order: string[] = [];
    const write = call('/api/tag/add', { Tag: { Name: 'waits' } }).then((answer) => {
      order.push('written');
      return answer.json() as Promise<{ Status: string; Tag: { Id: number } }>;
    });
    for (let read = 0; read < 300; read += 1) {
      const answer = await call('/api/tag/get');
      assert.equal(answer.status, 200);
      await answer.arrayBuffer();
    }
    order.push('read');
    child.say('go');
    assert.equal(await child.line(), 'free');
    const { Status, Tag } = await write;
    assert.equal(Status, 'Ok');
    assert.deepEqual(order, ['read', 'written']);
    assert.equal((await call(`/api/tag/get?Id=${Tag.Id}`)).status, 200);
    assert.equal(await child.ended, 0);
  });

  test('a request is explained and a configuration planned at once', async () => {
    const add = async (path: string, wrapper: string, values: object) => {
      const answer = await call(`/api/${path}/add`, { [wrapper]: values });
      return ((await answer.json()) as Record<string, { Id: number; ZoneUrls: { ZoneUrl: string }[] }>)[
        wrapper
      ];
    };
    const desk = { Username: 'desk', Mail: 'desk@example.com', Name: 'Desk', Country: 'DE' };
    const publisher = await add('publisher', 'Publisher', desk);
    const vastTag = await add('ortb/vasttag', 'VastTag', { PublisherId: publisher?.Id, Name: 'Homepage' });
    const { headers } = await call(`/api/ortb/vasttag/get?Id=${vastTag?.Id}`);
    const [revision] = /\d+/.exec(headers.get('etag') ?? '') ?? [];
    assert.equal((await call(`/api/exchange/status?Revision=${revision}`)).status, 200);
    const child = startChild(lockerModule, [running().databaseUrl.replace('sqlite:', '')]);
    assert.equal(await child.line(), 'locked');
    const Request = { Url: vastTag?.ZoneUrls[0]?.ZoneUrl };
    const explained = await call('/api/exchange/explain', { VastTag: { Id: vastTag?.Id }, Request });
    const planned = await call('/api/config/plan', { Config: { Version: 1, Publisher: [desk] } });
    // Whoever waits for the lock is refused before it is free.
    assert.deepEqual([explained.status, planned.status], [200, 200]);
    assert.match(await planned.text(), /"unmanaged","Entity":"VastTag"/);
    child.say('go');
    assert.equal(await child.ended, 0);
  });

  test('several writes wait, and every one succeeds', async () => {
    const child = startChild(lockerModule, [running().databaseUrl.replace('sqlite:', '')]);
    assert.equal(await child.line(), 'locked');
    const writes = Array.from({ length: 50 }, (_, index) =>
      call('/api/tag/add', { Tag: { Name: `${index}` } }),
    );
    assert.equal((await call('/healthz')).status, 200);
    child.say('go');
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    assert.deepEqual(new Set(statuses), new Set([200]));
    assert.equal(await child.ended, 0);
  });
});
