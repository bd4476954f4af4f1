import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { exchangeKindNames } from '../../src/entities/kinds.ts';
import { createIdentity } from '../../src/identity/identity.ts';
import type { Store } from '../../src/store/interface.ts';
import { openStore } from '../../src/store/open-store.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createApi, type Values } from './api.ts';

let server: TestServer;
let store: Store;
let key: string;

before(async () => {
  server = await startTestServer();
  store = await openStore({ url: server.databaseUrl, now: Date.now });
  key = (await createIdentity({ store, now: Date.now }).addEdgeKey('Frankfurt')).key;
});
after(async () => {
  await store.close();
  await server.close();
});

const ask = (path: string, token = key) => createApi(server.url, token).get(`/api/edge/${path}`);

/** The lines of an answer: the one that begins, objects, and the one that ends. */
async function changes(query = ''): Promise<{ begin: Values; objects: readonly Values[]; end: Values }> {
  const { status, text } = await ask(`changes?Protocol=2${query}`);
  assert.equal(status, 200, text);
  const [begin = {}, ...objects] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Values);
  return { begin, end: objects.pop() ?? {}, objects };
}

/** The objects of the feed, as JSON has them. */
async function fed(): Promise<readonly Values[]> {
  const objects: object[] = [];
  for (const entity of exchangeKindNames)
    for await (const page of store.feed.objects(entity)) objects.push(...page);
  return JSON.parse(JSON.stringify(objects));
}

describe('what edges ask of their home', () => {
  test('all objects, then what has changed, as soon as it has', async () => {
    const api = createApi(server.url, server.token);
    const tag = await api.add('VastTag');
    await api.add('DspVastTag', { VastTags: [tag.Id] });
    const all = await changes();
    const revision = await store.revision();
    assert.partialDeepStrictEqual(all.begin, { protocol: 2, revision, ageMs: 0 });
    assert.deepEqual(all.objects, await fed());
    assert.deepEqual(all.end, { objects: all.objects.length, gone: [] });
    const had = `&Home=${all.begin.home}&AfterRevision=${revision}`;
    const nothing = await changes(had);
    assert.deepEqual(nothing.objects, []);
    const { surroundings: _, ...begin } = nothing.begin;
    assert.deepEqual(begin, { protocol: 2, home: all.begin.home, revision, ageMs: 0, after: revision });
    const known = createHash('sha256')
      .update(JSON.stringify(all.begin.surroundings))
      .digest('hex')
      .slice(0, 16);
    const waiting = changes(`${had}&Surroundings=${known}&WaitSeconds=25`);
    // Without a change it waits: whether that comes before it asks or while it waits, it is told of it.
    await api.update('VastTag', { Id: tag.Id, Name: 'renamed' });
    const next = await waiting;
    assert.equal(next.begin.revision, await store.revision());
    assert.equal(next.begin.surroundings, undefined);
    assert.deepEqual(
      next.objects,
      (await fed()).filter(({ entity, id }) => entity === 'VastTag' && id === tag.Id),
    );
  });

  test('what is no object: keys of trackers and edges', async () => {
    const { begin } = await changes();
    const { trackerKeys, edgeKeys } = begin.surroundings as Record<string, readonly Values[]>;
    const [first] = await store.trackerKeys();
    assert.deepEqual(trackerKeys, [
      { id: 0, secret: Buffer.from(first?.secret ?? []).toString('base64'), fromMs: 0 },
    ]);
    assert.deepEqual(
      edgeKeys?.map(({ hash }) => hash),
      (await store.identity.edgeKeys()).map(({ hash }) => hash),
    );
  });

  test('the text of a list, as a revision has written it', async () => {
    const api = createApi(server.url, server.token);
    const { Id } = await api.add('DomainList', { ListText: 'one.example\nzwei.example' });
    const { textRevision = 0 } = (await store.feed.object('DomainList', Id)) ?? {};
    await api.update('DomainList', { Id, ListText: 'other.example' });
    const { status, text } = await ask(`text?Protocol=2&Entity=DomainList&Id=${Id}&Revision=${textRevision}`);
    assert.deepEqual({ status, text: text.trim() }, { status: 200, text: 'one.example\nzwei.example' });
  });

  test('whether a user may test', async () => {
    assert.deepEqual((await ask('user?Protocol=2&Id=1')).body, { User: { teamId: 1, status: 0, role: 0 } });
    assert.deepEqual((await ask('user?Protocol=2&Id=99')).body, {});
  });

  const refusals: readonly (readonly [name: string, path: string, status: number, text: RegExp])[] = [
    ['no version', 'changes', 406, /Protocol is required/],
    ['another version', 'changes?Protocol=3', 412, /uses version 2 .* and the edge version 3/],
    ['another installation', 'changes?Protocol=2&Home=x', 412, /the edge follows x/],
    ['a later revision', 'changes?Protocol=2&AfterRevision=99999', 412, /restored from a backup/],
    [
      'no entity of the exchange',
      'text?Protocol=2&Entity=User&Id=1&Revision=1',
      406,
      /Entity must be the key/,
    ],
  ];
  for (const [name, path, expected, text] of refusals) {
    test(`refused by name: ${name}`, async () => {
      const answer = await ask(path);
      assert.equal(answer.status, expected);
      assert.match(answer.text, text);
    });
  }

  test('refused to everybody else, administrators too', async () => {
    for (const path of ['changes', 'text', 'user']) {
      assert.equal((await ask(`${path}?Protocol=2`, server.token)).status, 403);
      assert.equal((await ask(`${path}?Protocol=2`, '')).status, 401);
    }
  });
});
