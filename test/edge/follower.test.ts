import assert from 'node:assert/strict';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { createIdentity } from '../../src/identity/identity.ts';
import { edgeProtocol } from '../../src/management/edge/edge-home.ts';
import type { Store } from '../../src/store/interface.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createApi } from '../management/api.ts';
import { type Loopback, listenOnLoopback } from '../support/loopback.ts';
import { pause } from '../support/pause.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { allIn, follow, temporaryFolder, wholeText } from './following.ts';

describe('an edge that follows its home', () => {
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

  test('has all objects, then each change; and all of it without the home', async (t) => {
    const folder = temporaryFolder(t);
    const api = createApi(server.url, server.token);
    const tag = await api.add('VastTag');
    await api.add('DspVastTag', { VastTags: [tag.Id] });
    const lines = Array.from({ length: 20_000 }, (_, line) => `site-${line}.example`).join('\n');
    const list = await api.add('DomainList', { ListText: lines });
    const edge = await follow(t, folder, { url: server.url, key });
    assert.deepEqual(await allIn(edge.kept.feed), await allIn(store.feed));
    const text = await wholeText(store.feed.text('DomainList', list.Id));
    assert.ok((await wholeText(edge.kept.feed.text('DomainList', list.Id))) === text);
    assert.equal(await edge.home.id(), edge.kept.known()?.home);
    const { revision = 0 } = edge.kept.known() ?? {};
    await api.update('VastTag', { Id: tag.Id, Name: 'renamed' });
    await api.update('DomainList', { Id: list.Id, ListText: 'other.example' });
    const last = await store.revision();
    while (edge.kept.known()?.revision !== last) await pause();
    assert.deepEqual(await allIn(edge.kept.feed), await allIn(store.feed));
    assert.equal((await wholeText(edge.kept.feed.text('DomainList', list.Id))).trim(), 'other.example');
    const changed = await edge.kept.feed.changes(revision, 1000);
    assert.deepEqual(changed.map(({ entity, id }) => `${entity}:${id}`).toSorted(), [
      `DomainList:${list.Id}`,
      `VastTag:${tag.Id}`,
    ]);
    const whole = await allIn(edge.kept.feed);
    await edge.close();
    const again = await follow(t, folder, { url: 'http://127.0.0.1:9', key });
    assert.deepEqual(await allIn(again.kept.feed), whole);
    assert.match(again.told[0] ?? '', /cannot be reached or read; this edge continues .*ECONNREFUSED/);
    assert.equal(again.told.length, 1);
    await again.close();
  });

  test('what makes no revision comes, too', async (t) => {
    const folder = temporaryFolder(t);
    const edge = await follow(t, folder, { url: server.url, key });
    const before = edge.kept.sharedState();
    assert.deepEqual(before, await edge.home.sharedState());
    assert.deepEqual(await edge.home.user(1), { teamId: 1, status: 0, role: 0 });
    await createIdentity({ store, now: Date.now }).addEdgeKey('Paris');
    while (edge.kept.sharedState().edgeKeys.length !== before.edgeKeys.length + 1) await pause();
    await edge.close();
  });

  test('a damaged file is put aside, and the configuration comes anew', async (t) => {
    const folder = temporaryFolder(t);
    await (await follow(t, folder, { url: server.url, key })).close();
    writeFileSync(
      join(folder, 'configuration.db'),
      'this is no database, but long enough to be one'.repeat(99),
    );
    const edge = await follow(t, folder, { url: server.url, key });
    assert.deepEqual(edge.told, ['damaged']);
    assert.ok(existsSync(join(folder, 'configuration.db.damaged')));
    assert.deepEqual(await allIn(edge.kept.feed), await allIn(store.feed));
    await edge.close();
  });

  test('a second process on the same folder is refused by name', async (t) => {
    const folder = temporaryFolder(t);
    const edge = await follow(t, folder, { url: server.url, key });
    await assert.rejects(
      follow(t, folder, { url: server.url, key }),
      /BOURSE_EDGE_FOLDER: .* another process/,
    );
    await edge.close();
  });

  test('a folder that cannot be used is named', async (t) => {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, 'file'), '');
    await assert.rejects(
      follow(t, join(folder, 'file', 'edge'), { url: server.url, key }),
      /BOURSE_EDGE_FOLDER: .* cannot be used/,
    );
    if (process.getuid?.() === 0) return;
    chmodSync(folder, 0o500);
    await assert.rejects(
      follow(t, join(folder, 'edge'), { url: server.url, key }),
      /BOURSE_EDGE_FOLDER: .* cannot be used/,
    );
    chmodSync(folder, 0o700);
  });

  test('a wrong key, and a URL of something else, stop the start', async (t) => {
    const folder = temporaryFolder(t);
    const wrong = [
      [{ url: server.url, key: 'x'.repeat(43) }, /BOURSE_EDGE_KEY: .* does not accept the key/],
      [{ url: server.url, key: server.token }, /BOURSE_EDGE_KEY: .* does not accept the key/],
      [{ url: `${server.url}/nothing`, key }, /--edge: .* not a home of edges/],
    ] as const;
    for (const [home, text] of wrong) await assert.rejects(follow(t, folder, home), text);
  });

  test('a key that is revoked is told of once, and what is known stays', async (t) => {
    const folder = temporaryFolder(t);
    const identity = createIdentity({ store, now: Date.now });
    const { id, key: own } = await identity.addEdgeKey('Rome');
    const edge = await follow(t, folder, { url: server.url, key: own });
    await identity.revokeEdgeKey(id);
    // Ends its wait for changes.
    await createApi(server.url, server.token).add('Publisher');
    while (edge.told.length === 0) await pause();
    assert.match(edge.told[0] ?? '', /refuses this edge; this edge continues .* does not accept the key/);
    const { asOfMs } = edge.kept.known() ?? {};
    for (let looks = 0; looks < 20; looks += 1) await pause();
    assert.equal(edge.told.length, 1);
    assert.equal(edge.kept.known()?.asOfMs, asOfMs);
    await edge.close();
  });
});

const home = 'abcdef';
const surroundings = { trackerKeys: [], teamSettings: [], demonstrations: [], edgeKeys: [] };
const begin = (more: object = {}) =>
  JSON.stringify({ protocol: edgeProtocol, home, revision: 5, ageMs: 0, surroundings, ...more });
const object = (id: number, more: object = {}) =>
  JSON.stringify({ entity: 'Publisher', id, teamId: 1, status: 0, settings: {}, connections: {}, ...more });
const end = (objects: number, gone: readonly object[] = []) => JSON.stringify({ objects, gone });
const answerOf = (...lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
const good = answerOf(begin(), object(1), object(2), end(2));

type Answering = (request: IncomingMessage, response: ServerResponse) => void;
const lines = { 'content-type': 'application/x-ndjson; charset=utf-8' };
const say = (body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Answering => {
  return (_request, response) => void response.writeHead(200, { ...lines, ...headers }).end(body);
};
const cutAt = (body: Buffer, bytes: number, headers: Readonly<Record<string, string>> = {}): Answering => {
  return (_request, response) => {
    response.writeHead(200, { ...lines, ...headers });
    response.write(body.subarray(0, bytes), () => response.destroy());
  };
};

describe('an edge with a home that answers badly', () => {
  let answering: Answering = say(good);
  let asked = 0;
  let server: Loopback;
  before(async () => {
    server = await listenOnLoopback(
      createServer((request, response) => {
        asked += 1;
        answering(request, response);
      }),
    );
  });
  after(() => server.close());
  const from = () => ({ url: server.url, key: 'k' });

  const broken: readonly (readonly [name: string, answering: Answering, says: RegExp])[] = [
    ['no end', say(answerOf(begin(), object(1))), /cut off/],
    ['an end within a line', say(good.slice(0, -5)), /cut off/],
    ['fewer objects than it says', say(answerOf(begin(), object(1), end(2))), /1 objects of 2/],
    ['more behind its end', say(`${good}${object(3)}\n`), /continues after/],
    ['garbage', say(answerOf(begin(), '<html>', end(0))), /line 2 .* is not an object/],
    [
      'an object without an ID',
      say(answerOf(begin(), '{"entity":"Publisher"}', end(1))),
      /not an object of the/,
    ],
    ['a wrong first line', say(answerOf(begin({ revision: 'five' }), end(0))), /first line/],
    ['wrong surroundings', say(answerOf(begin({ surroundings: { trackerKeys: 1 } }), end(0))), /first line/],
    ['a wrong last line', say(answerOf(begin(), '{"objects":0,"gone":[1]}')), /last line/],
    ['nothing', say(''), /cut off/],
    ['a line without end', say(`${begin()}\n"${'x'.repeat(17 * 1024 * 1024)}`), /no end/],
    ['a connection that ends', cutAt(Buffer.from(good), 300), /other side closed|terminated|ECONNRESET/],
    [
      'a half of gzip',
      say(gzipSync(good).subarray(0, 120), { 'content-encoding': 'gzip' }),
      /unexpected end/,
    ],
    [
      'a half of brotli',
      say(brotliCompressSync(good).subarray(0, 90), { 'content-encoding': 'br' }),
      /unexpected end/,
    ],
    ['no gzip', say(good, { 'content-encoding': 'gzip' }), /incorrect header/],
    ['another installation', say(answerOf(begin({ home: 'fedcba' }), end(0))), /follows abcdef/],
    ['an earlier revision', say(answerOf(begin({ revision: 4 }), end(0))), /restored from a backup/],
    ['another version', say(answerOf(begin({ protocol: 99 }), end(0))), /version 99 .* this edge version 2/],
    ['trouble', (_, response) => void response.writeHead(500).end(), /answers 500/],
  ];
  for (const [name, bad, says] of broken) {
    test(`changes nothing: ${name}`, async (t) => {
      const folder = temporaryFolder(t);
      answering = say(good);
      const edge = await follow(t, folder, from());
      const before = await allIn(edge.kept.feed);
      assert.equal(before.length, 2);
      answering = bad;
      while (edge.told.length === 0) await pause();
      assert.match(edge.told[0] ?? '', says);
      assert.deepEqual(await allIn(edge.kept.feed), before);
      assert.equal(edge.kept.known()?.revision, 5);
      answering = say(
        answerOf(begin({ revision: 6, after: 5 }), object(3), end(1, [{ entity: 'Publisher', id: 1 }])),
      );
      while (edge.kept.known()?.revision !== 6) await pause();
      assert.deepEqual(
        (await allIn(edge.kept.feed)).map((one) => (one as { id: number }).id),
        [2, 3],
      );
      while (edge.told.length < 2) await pause();
      assert.match(edge.told[1] ?? '', /is read again/);
      await edge.close();
    });
  }

  const starts: readonly (readonly [name: string, answering: Answering, says: RegExp])[] = [
    ['of another version', say(answerOf(begin({ protocol: 99 }), end(0))), /version 99/],
    ['that is a page', say('<html>', { 'content-type': 'text/html' }), /--edge: .* it answers text\/html/],
    [
      'that is elsewhere',
      (_, response) => void response.writeHead(301, { location: '/x' }).end(),
      /--edge: .* answers 301/,
    ],
    [
      'that refuses by name',
      (_, response) => void response.writeHead(412).end('{"Error":"no, as I said"}'),
      /no, as I said/,
    ],
  ];
  for (const [name, bad, says] of starts) {
    test(`does not start with a home ${name}`, async (t) => {
      const folder = temporaryFolder(t);
      answering = bad;
      await assert.rejects(follow(t, folder, from()), says);
    });
  }

  test('waits for a home that is away, and says so once', async (t) => {
    const folder = temporaryFolder(t);
    answering = (_, response) => void response.writeHead(503).end();
    asked = 0;
    const starting = follow(t, folder, from());
    while (asked < 4) await pause();
    answering = say(good);
    const edge = await starting;
    assert.equal(edge.told.filter((text) => text.includes('waits for it before it starts')).length, 1);
    assert.equal((await allIn(edge.kept.feed)).length, 2);
    await edge.close();
    const ending = new AbortController();
    answering = (_, response) => void response.writeHead(503).end();
    asked = 0;
    const stopped = follow(t, temporaryFolder(t), from(), { signal: ending.signal });
    while (asked < 2) await pause();
    ending.abort('SIGTERM');
    await assert.rejects(stopped, (reason) => reason === 'SIGTERM');
  });

  test('reads what is compressed, in each way', async (t) => {
    for (const [encoding, compress] of [
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
      ['zstd', zstdCompressSync],
    ] as const) {
      const folder = temporaryFolder(t);
      answering = say(compress(Buffer.from(good)), { 'content-encoding': encoding });
      const edge = await follow(t, folder, from());
      assert.equal((await allIn(edge.kept.feed)).length, 2);
      await edge.close();
    }
  });

  test('texts of lists come whole or not at all, and those that came are not fetched again', async (t) => {
    const folder = temporaryFolder(t);
    const list = (id: number) => object(id, { entity: 'DomainList', textRevision: 3 });
    const whole = answerOf(begin(), list(1), list(2), end(2));
    const texts: string[] = [];
    let isCut = true;
    answering = (request, response) => {
      const url = request.url ?? '';
      if (!url.includes('/text?')) return say(whole)(request, response);
      texts.push(/Id=(\d+)/.exec(url)?.[1] ?? '');
      const headers = { 'content-type': 'text/plain' };
      const body = Buffer.from('a.example\nb.example\n');
      return url.includes('Id=2&') && isCut
        ? cutAt(body, 10, headers)(request, response)
        : say(body, headers)(request, response);
    };
    const starting = follow(t, folder, from());
    while (texts.filter((id) => id === '2').length < 2) await pause();
    isCut = false;
    const edge = await starting;
    assert.equal(texts.filter((id) => id === '1').length, 1);
    for (const id of [1, 2])
      assert.equal(await wholeText(edge.kept.feed.text('DomainList', id)), 'a.example\nb.example\n');
    await assert.rejects(wholeText(edge.home.text('DomainList', 1, 2)), /not here/);
    await edge.close();
  });
});
