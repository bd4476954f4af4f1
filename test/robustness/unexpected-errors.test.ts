import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { added, type Json } from './api.ts';
import { assertErrorBody } from './error-shape.ts';
import { type LoggedServer, startLoggedServer } from './logged-server.ts';

interface LogRow {
  readonly level: number;
  readonly msg?: string;
  readonly err?: { readonly stack?: string };
}

function unexpected(server: LoggedServer): LogRow[] {
  const rows = server.log().split('\n').filter(Boolean);
  return rows.map((row) => JSON.parse(row) as LogRow).filter(({ level }) => level >= 50);
}

/** Every call that reads or writes the database, and so fails with it. */
const calls: readonly (readonly [
  name: string,
  call: (api: LoggedServer['api']) => ReturnType<LoggedServer['api']['get']>,
])[] = [
  ['an array', (api) => api.get('/api/tag/get')],
  ['one object', (api) => api.get('/api/tag/get?Id=1')],
  ['an add', (api) => api.post('/api/tag/add', { Tag: { Name: 'a' } })],
  ['an update', (api) => api.post('/api/tag/update', { Tag: { Id: 1, Name: 'b' } })],
  ['a deactivation', (api) => api.post('/api/tag/deactivate', { Tag: { Id: 1 } })],
];

describe('a fault of the database', () => {
  let server: LoggedServer | undefined;
  before(async () => {
    server = await startLoggedServer();
    await added(server.api, 'tag', 'Tag', { Name: 'a' });
    const elsewhere = new DatabaseSync(server.databasePath);
    elsewhere.exec('alter table tag rename to lost');
    elsewhere.close();
  });
  after(() => server?.close());

  for (const [name, call] of calls) {
    test(`${name} is answered 500 with the error body; the stack is in the log alone`, async () => {
      assert.ok(server);
      const before = unexpected(server).length;
      const reply = await call(server.api);
      assert.equal(reply.status, 500);
      assertErrorBody(reply, name);
      assert.doesNotMatch(reply.text, /sqlite|no such table|tag\b/i);
      const [row, ...more] = unexpected(server).slice(before);
      assert.equal(more.length, 0);
      assert.match(row?.err?.stack ?? '', /no such table[\s\S]*\n\s+at /);
    });
  }

  test('everything else is served', async () => {
    assert.ok(server);
    assert.equal((await server.api.get('/api/publisher/get')).status, 200);
    await added(server.api, 'domainlist', 'DomainList', { Name: 'a', ListText: 'a.example' });
  });
});

describe('a database that is gone', () => {
  test('every call is answered 500 or 503 with the error body, and the server lives', async () => {
    const server = await startLoggedServer();
    await server.store.close();
    for (const [name, call] of calls) {
      const reply = await call(server.api);
      assert.ok([500, 503].includes(reply.status), `${name}: ${reply.status}`);
      assertErrorBody(reply, name);
    }
    const login = { Username: 'ada@example.com', Password: server.password };
    assertErrorBody(await server.api.post('/api/auth/login', login));
    assert.equal((await server.api.get('/healthz')).status, 200);
    assert.ok(unexpected(server).every(({ err }) => (err?.stack ?? '').includes('\n')));
    await server.close();
  });
});

describe('a damaged file', () => {
  test('an object that cannot be read is a 500, its neighbours are not', async () => {
    const server = await startLoggedServer();
    const ids = [
      await added(server.api, 'tag', 'Tag', { Name: 'a' }),
      await added(server.api, 'tag', 'Tag', { Name: 'b' }),
    ];
    const elsewhere = new DatabaseSync(server.databasePath);
    elsewhere.prepare('update tag set doc = ? where id = ?').run('{"Name":', ids[0]?.Id ?? 0);
    elsewhere.close();
    assertErrorBody(await server.api.get(`/api/tag/get?Id=${ids[0]?.Id}`));
    assert.equal((await server.api.get(`/api/tag/get?Id=${ids[1]?.Id}`)).status, 200);
    assert.equal(unexpected(server).length, 1);
    await server.close();
  });
});

/** Does everything that handles a credential, rightly and wrongly; answers every credential there was. */
async function handleCredentials({ api, token, password }: LoggedServer): Promise<string[]> {
  const login = async (Password: string) =>
    api.post('/api/auth/login', { Username: 'ada@example.com', Password });
  const session = (await login(password)).body;
  await login('wr0ng-p4ssword-of-a-user');
  await api.post('/api/auth/login', '{"Username":"ada@example.com","Password":"br0ken-json-password');
  await api.post('/api/auth/login', {
    Username: 'ada@example.com',
    Password: 'in-an-unknown-field',
    Pasword: 'misspelt-passw0rd',
  });
  const refreshed = (
    await api.post('/api/auth/refresh', '', { authorization: `Bearer ${session.AccessToken}` })
  ).body;
  const key = (await api.post('/api/auth/apikey/add', { ApiKey: { Label: 'machine' } })).body.ApiKey as Json;
  const wrongToken = 'x'.repeat(43);
  await api.post('/api/tag/add', {}, { authorization: `Bearer ${wrongToken}` });
  await api.get(`/api/tag/get?access_token=${wrongToken}&auth=query-auth-value`);
  await api.get('/api/nowhere?auth=query-auth-value&password=query-passw0rd');
  const account = { Name: 'a', Mail: 'a@example.com', Country: 'US', Username: 'log' };
  const publisher = await added(api, 'publisher', 'Publisher', account);
  const feed = await added(api, 'xml/popfeed', 'PopFeed', { PublisherId: publisher.Id });
  const tag = await added(api, 'ortb/vasttag', 'VastTag', { PublisherId: publisher.Id });
  await api.get(`/api/xml/popfeed/get?Id=${feed.Id}`);
  await api.post('/api/auth/logout', '', { authorization: `Bearer ${refreshed.AccessToken}` });
  const made = [
    session.AccessToken,
    refreshed.AccessToken,
    key.Key,
    publisher.StatsAuth,
    feed.Auth,
    feed.AuthDirectUrl,
    tag.Auth,
  ];
  for (const credential of made) assert.ok(String(credential).length >= 22, String(credential));
  return [
    ...made.map(String),
    token,
    password,
    wrongToken,
    'wr0ng-p4ssword-of-a-user',
    'br0ken-json-password',
    'in-an-unknown-field',
    'misspelt-passw0rd',
    'query-auth-value',
    'query-passw0rd',
  ];
}

describe('the log', () => {
  test('holds no token, password or auth value, at any level, not even of a request that fails', async () => {
    const server = await startLoggedServer();
    const credentials = await handleCredentials(server);
    const elsewhere = new DatabaseSync(server.databasePath);
    elsewhere.exec('alter table tag rename to lost; alter table publisher rename to lost_too');
    elsewhere.close();
    await server.api.post('/api/tag/add', { Tag: { Name: 'a' } });
    await server.api.get('/api/publisher/get?Id=1');
    assert.ok(unexpected(server).length >= 2);
    assert.match(server.log(), /"path":"\/api\/tag\/add"/, 'requests are logged');
    for (const credential of credentials) assert.ok(!server.log().includes(credential), credential);
    await server.close();
  });
});
