import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startManaged } from '../operating/managed.ts';
import { createApi, type Reply, startApi } from './api.ts';
import { consoleFor, consoleWith } from './console.ts';
import { assertRefused } from './refusals.ts';

const { server, api } = await startApi();
const { mail: Username, password: Password } = server;
const nobody = api.as('');
const post = (headers: Record<string, string>, body: object = { Username, Password }): Promise<Reply> =>
  nobody.send('/api/auth/session', { method: 'POST', headers, body: JSON.stringify(body) });

describe('POST /api/auth/session', () => {
  test('answers the account, and sets a cookie that only this site sends', async () => {
    const reply = await post({ 'bourse-console': '1', 'sec-fetch-site': 'same-origin' });
    assert.equal(reply.status, 200, reply.text);
    const account = (await api.get('/api/auth/account')).body;
    assert.deepEqual(reply.body, { ...account, ExpiresIn: 3600 });
    const [session = '', browser = '', ...others] = reply.headers.getSetCookie();
    assert.match(session, /^bourse-session=[\w-]{43}; Path=\/api; HttpOnly; SameSite=Strict$/);
    assert.match(browser, /^bourse-browser=[\w.-]+; Path=\/api; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
    assert.deepEqual(others, []);
    assert.equal(reply.headers.get('cache-control'), 'no-store');
  });

  test('the cookie is Secure where the base URL is https', async () => {
    const managed = await startManaged();
    try {
      const reply = await createApi(managed.url, '').send('/api/auth/session', {
        method: 'POST',
        headers: { 'bourse-console': '1' },
        body: JSON.stringify({ Username: 'ada@example.com', Password: 'correct horse battery' }),
      });
      const cookies = reply.headers.getSetCookie();
      assert.equal(cookies.length, 2);
      for (const cookie of cookies) assert.match(cookie, /; SameSite=Strict; Secure(; Max-Age=\d+)?$/);
    } finally {
      await managed.close();
    }
  });

  const refused: readonly [
    about: string,
    headers: Record<string, string>,
    body: object | undefined,
    status: number,
  ][] = [
    ['without the header', {}, undefined, 403],
    ['with another header', { 'bourse-console': 'yes' }, undefined, 403],
    ['from another site', { 'bourse-console': '1', 'sec-fetch-site': 'cross-site' }, undefined, 403],
    ['from a neighbouring site', { 'bourse-console': '1', 'sec-fetch-site': 'same-site' }, undefined, 403],
    ['with a wrong password', { 'bourse-console': '1' }, { Username, Password: 'no' }, 401],
    ['without a password', { 'bourse-console': '1' }, { Username }, 406],
  ];
  for (const [about, headers, body, status] of refused) {
    test(`${about}: ${status}, and no cookie`, async () => {
      const reply = await post(headers, body);
      assertRefused(reply, { status });
      assert.equal(reply.headers.get('set-cookie'), null);
    });
  }
});

describe('the cookie', () => {
  test('opens what the user may see and do', async () => {
    const browser = await consoleFor(server);
    assert.equal((await browser.get('/api/auth/account')).body.Mail, server.mail);
    const added = await browser.post('/api/tag/add', { Tag: { Name: 'from the console' } });
    assert.equal(added.status, 200, added.text);
  });

  const cases: readonly [about: string, headers: Record<string, string>, status: number][] = [
    ['with the header', { 'bourse-console': '1' }, 200],
    ['polling', { 'bourse-console': 'poll' }, 200],
    ['from a page of this server', { 'bourse-console': '1', 'sec-fetch-site': 'same-origin' }, 200],
    ['alone', {}, 403],
    ['with another header', { 'bourse-console': 'true' }, 403],
    ['from another site', { 'bourse-console': '1', 'sec-fetch-site': 'cross-site' }, 403],
    ['from a neighbouring site', { 'bourse-console': '1', 'sec-fetch-site': 'same-site' }, 403],
    ['typed by hand', { 'bourse-console': '1', 'sec-fetch-site': 'none' }, 403],
  ];
  for (const [about, headers, status] of cases) {
    test(`${about}: ${status}`, async () => {
      const { cookie } = await consoleFor(server);
      for (const sent of [cookie, `other=1; ${cookie}; bourse-sessions=2`]) {
        const reply = await nobody.send('/api/auth/account', { headers: { cookie: sent, ...headers } });
        assert.equal(reply.status, status, reply.text);
      }
    });
  }

  test('twice: 401, since a neighbouring host may have set one', async () => {
    const { cookie } = await consoleFor(server);
    const headers = { cookie: `${cookie}; bourse-session=x`, 'bourse-console': '1' };
    assertRefused(await nobody.send('/api/auth/account', { headers }), { status: 401, says: ['twice'] });
  });

  for (const token of ['x', 'x'.repeat(43), '%00', '"', server.token]) {
    test(`that was made up (${token.slice(0, 3)}): 401`, async () => {
      const headers = { cookie: `bourse-session=${token}`, 'bourse-console': '1' };
      assertRefused(await nobody.send('/api/auth/account', { headers }), { status: 401 });
    });
  }

  test('is not looked at beside a token', async () => {
    const { cookie } = await consoleFor(server);
    for (const headers of [{ cookie }, { cookie: 'bourse-session=x', 'sec-fetch-site': 'cross-site' }]) {
      assert.equal((await api.send('/api/auth/account', { headers })).status, 200);
    }
    const wrong = { cookie, 'bourse-console': '1' };
    assertRefused(await api.as('x'.repeat(43)).send('/api/auth/account', { headers: wrong }), {
      status: 401,
    });
  });

  test('holds no access token', async () => {
    const { cookie } = await consoleFor(server);
    const token = cookie.slice('bourse-session='.length);
    assertRefused(await api.as(token).get('/api/auth/account'), { status: 401 });
  });
});

test('logging out ends the session and the cookie, and no other session', async () => {
  const [browser, other] = [await consoleFor(server), await consoleFor(server)];
  const reply = await browser.post('/api/auth/logout', {});
  assert.deepEqual(reply.body, { Status: 'Ok' });
  assert.match(reply.headers.get('set-cookie') ?? '', /^bourse-session=; Path=\/api; .*Max-Age=0/);
  assertRefused(await browser.get('/api/auth/account'), { status: 401 });
  assert.equal((await other.get('/api/auth/account')).status, 200);
});

test('the limits of failures hold for it, together with those of login', async () => {
  const { server: own } = await startApi();
  const user = { Username: 'guessed@example.com', Password: 'wrong' };
  const browser = consoleWith(own.url, '');
  const client = createApi(own.url, '');
  for (let time = 0; time < 5; time += 1) {
    assertRefused(await browser.post('/api/auth/session', user), { status: 401 });
    assertRefused(await client.post('/api/auth/login', user), { status: 401 });
  }
  assertRefused(await browser.post('/api/auth/session', user), { status: 429 });
});
