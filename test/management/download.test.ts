import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addUser as addPerson, openFrontDoor } from '../identity/front-door.ts';
import { refused } from '../identity/refused.ts';
import { type Reply, startApi } from './api.ts';
import { type Console, consoleFor } from './console.ts';
import { assertRefused } from './refusals.ts';
import { addUser } from './users.ts';

const { server, api } = await startApi();
const nobody = api.as('');
await api.add('Tag', { Name: 'one' });
const path = '/api/tag/get?ActiveOnly=1&Limit=5';

async function linkFor(who: Pick<Console, 'post'>, Path = path): Promise<string> {
  const reply = await who.post('/api/auth/download', { Path });
  assert.equal(reply.status, 200, reply.text);
  return String(reply.body.Url);
}

/** Fetches as a browser that follows a link. */
const follow = (url: string, headers: Record<string, string> = {}): Promise<Reply> =>
  nobody.send(url, {
    headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin', ...headers },
  });

describe('POST /api/auth/download', () => {
  test('answers a link that a browser follows once, beside its cookie', async () => {
    const browser = await consoleFor(server);
    const url = await linkFor(browser);
    assert.ok(url.startsWith(`${path}&Download=`), url);
    const { cookie } = browser;
    const reply = await follow(url, { cookie });
    assert.deepEqual([reply.status, reply.text], [200, (await api.get(path)).text]);
    assert.equal(reply.headers.get('content-disposition'), 'attachment');
    assertRefused(await follow(url, { cookie }), { status: 401, says: ['already used'] });
  });

  test('of the console, it is worth nothing without that cookie', async () => {
    const [browser, other] = [await consoleFor(server), await consoleFor(server)];
    const url = await linkFor(browser);
    for (const headers of [{}, { cookie: other.cookie }, { cookie: 'bourse-session=x' }]) {
      assertRefused(await follow(url, headers as Record<string, string>), { status: 401 });
    }
    assert.equal((await follow(url, { cookie: browser.cookie })).status, 200);
  });

  test('of a token, it needs no cookie', async () => {
    assert.equal((await follow(await linkFor(api))).status, 200);
    assert.equal((await follow(await linkFor(api, '/api/tag/get'))).status, 200);
  });

  test('is for that path, by GET', async () => {
    const url = await linkFor(api);
    const secret = url.split('Download=')[1];
    for (const wrong of [
      '/api/tag/get?Download=',
      '/api/auth/account?Download=',
      `${path}&Limit=6&Download=`,
    ]) {
      assertRefused(await follow(wrong + secret), { status: 401 });
    }
    assert.equal((await nobody.send(url, { method: 'HEAD' })).status, 401);
    assertRefused(await nobody.send(`/api/tag/add?Download=${secret}`, { method: 'POST', body: '{}' }), {
      status: 401,
    });
    assert.equal((await follow(url)).status, 200);
  });

  test('ends with the session', async () => {
    const browser = await consoleFor(server);
    const url = await linkFor(browser);
    await browser.post('/api/auth/logout', {});
    assertRefused(await follow(url, { cookie: browser.cookie }), { status: 401 });
  });

  test('does what its user may do', async () => {
    const analyst = await addUser(server, { role: 2, teamId: 1 });
    const url = await linkFor(api.as(analyst.token), '/api/auth/session/get?UserId=1');
    assertRefused(await follow(url), { status: 403 });
  });

  test('of many who follow it at the same time, one is served', async () => {
    const url = await linkFor(api);
    const replies = await Promise.all(Array.from({ length: 6 }, () => follow(url)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
  });

  const wrong = [
    '',
    'api/tag/get',
    '/docs',
    '/healthz',
    '/api',
    '//evil.example/api/x',
    'https://evil.example/api/x',
    '/api/../docs',
    '/api/%2e%2e/docs',
    '/\\evil.example/api/x',
    '/api/tag/get?Download=x',
    '/api/tag/get#x',
  ];
  for (const Path of wrong) {
    test(`${JSON.stringify(Path)}: 406`, async () => {
      assertRefused(await api.post('/api/auth/download', { Path }), { status: 406, paths: ['Path'] });
    });
  }

  for (const Path of [
    '/api/tag/get?Name=ü ö',
    '/api/./tag/get',
    '/api/history/get?From=2027-01-31T12:00:00+01:00',
  ]) {
    test(`${Path} is as a browser asks for it`, async () => {
      const url = await linkFor(api, Path);
      const asked = new URL(url, server.url);
      assert.equal(asked.pathname + asked.search, url);
      assert.notEqual((await follow(url)).status, 401);
    });
  }
});

test('a link lasts a minute', async () => {
  const door = await openFrontDoor();
  const { identity, pass } = door;
  const teamId = await identity.addTeam({ name: 'Acme' });
  const bearer = await identity.authenticate((await addPerson(door, 0, teamId)).header);
  const [link, late] = [
    await identity.addDownload(bearer, '/api/x'),
    await identity.addDownload(bearer, '/api/x'),
  ];
  const use = (one: string) => identity.useDownload({ link: one, path: '/api/x', cookie: undefined });
  pass(59_999);
  assert.equal((await use(link)).userId, bearer.userId);
  pass(1);
  await refused(use(late), 'unauthorized');
});
