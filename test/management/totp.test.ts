import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestServer } from '../support/server.ts';
import { type Api, type Reply, startApi } from './api.ts';
import { consoleWith } from './console.ts';
import { assertRefused, faultsOf } from './refusals.ts';
import { codeOf } from './totp-code.ts';
import { type AddedUser, addUser } from './users.ts';

const Password = 'long enough';

interface Protected {
  readonly server: TestServer;
  /** The administrator's access. */
  readonly api: Api;
  readonly user: AddedUser;
  readonly who: Api;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** A user on a server of its own, since failures from one address are limited. */
async function startWithUser() {
  const { server, api } = await startApi();
  return { server, api, user: await addUser(server, { role: 1, teamId: 1 }) };
}

/** A user with a confirmed second factor, which used the code of now: that of the next step counts, too. */
async function protectedUser(): Promise<Protected> {
  const { server, api, user } = await startWithUser();
  const who = api.as(user.token);
  const { body: begun } = await who.post('/api/auth/totp/begin', { Password });
  const secret = String(begun.Secret);
  const confirmed = await who.post('/api/auth/totp/confirm', { Code: codeOf(secret) });
  assert.equal(confirmed.status, 200, confirmed.text);
  return { server, api, user, who, secret, recoveryCodes: confirmed.body.RecoveryCodes as string[] };
}

const logIn = ({ api, user }: Pick<Protected, 'api' | 'user'>, more: object = {}): Promise<Reply> =>
  api.as('').post('/api/auth/login', { Username: user.mail, Password, ...more });

function assertCodeWanted(reply: Reply): void {
  assertRefused(reply, { status: 401, paths: ['Code'] });
  assert.equal(faultsOf(reply)[0]?.Code, 'second_factor');
}

describe('a second factor', () => {
  test('begins with a secret, and is not asked for before it is confirmed', async () => {
    const started = await startWithUser();
    const { api, user } = started;
    const who = api.as(user.token);
    const { body } = await who.post('/api/auth/totp/begin', { Password });
    assert.match(String(body.Secret), /^[A-Z2-7]{32}$/);
    const url = new URL(String(body.Url));
    assert.equal(url.protocol, 'otpauth:');
    assert.deepEqual(
      [url.searchParams.get('secret'), url.searchParams.get('issuer')],
      [body.Secret, 'Bourse'],
    );
    assert.ok(decodeURIComponent(url.pathname).endsWith(user.mail), url.pathname);
    assert.equal((await logIn(started)).status, 200);
    assertRefused(await who.post('/api/auth/totp/confirm', { Code: '12345' }), {
      status: 406,
      paths: ['Code'],
    });
    assert.equal((await logIn(started)).status, 200);
  });

  test('from then on, both ways to log in need a code, and each code counts once', async () => {
    const started = await protectedUser();
    const { server, user, secret, recoveryCodes } = started;
    assertCodeWanted(await logIn(started));
    assertCodeWanted(await logIn(started, { Code: '' }));
    const browser = consoleWith(server.url, '');
    const pair = { Username: user.mail, Password };
    assertCodeWanted(await browser.post('/api/auth/session', pair));
    const Code = codeOf(secret, 1);
    const opened = await browser.post('/api/auth/session', { ...pair, Code });
    assert.equal(opened.status, 200, opened.text);
    assertCodeWanted(await logIn(started, { Code }));
    assertCodeWanted(await logIn(started, { Code: codeOf(secret) }));
    assert.equal((await logIn(started, { Code: recoveryCodes[0] })).status, 200);
    assertCodeWanted(await logIn(started, { Code: codeOf(secret, 5) }));
  });

  test('of many who send a code at the same time, one comes in', async () => {
    const started = await protectedUser();
    const { secret } = started;
    const Code = codeOf(secret, 1);
    const replies = await Promise.all(Array.from({ length: 5 }, () => logIn(started, { Code })));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401, 401, 401, 401]);
  });

  test('a recovery code stands for a code, once, however it is written', async () => {
    const started = await protectedUser();
    const { recoveryCodes } = started;
    assert.equal(new Set(recoveryCodes).size, 10);
    const [first = '', second = ''] = recoveryCodes;
    assert.match(first, /^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
    assert.equal((await logIn(started, { Code: first })).status, 200);
    assertCodeWanted(await logIn(started, { Code: first }));
    assert.equal((await logIn(started, { Code: second.toLowerCase().replaceAll('-', ' ') })).status, 200);
  });

  test('a right code helps nobody who does not know the password', async () => {
    const started = await protectedUser();
    const { secret } = started;
    const reply = await logIn(started, { Password: 'wrong', Code: codeOf(secret, 1) });
    assertRefused(reply, { status: 401, paths: [], says: ['Username or Password'] });
    assert.equal((await logIn(started, { Code: codeOf(secret, 1) })).status, 200);
  });

  test('is removed by password and code, and the history tells of both', async () => {
    const started = await protectedUser();
    const { api, user, who, secret, recoveryCodes } = started;
    const remove = (sent: object) => who.post('/api/auth/totp/remove', sent);
    const Code = codeOf(secret, 1);
    assertRefused(await remove({ Password: 'wrong', Code }), { status: 406, paths: ['Password'] });
    assertRefused(await remove({ Password, Code: '000' }), { status: 406, paths: ['Code'] });
    assertCodeWanted(await logIn(started));
    assert.deepEqual((await remove({ Password, Code })).body, { Status: 'Ok' });
    assert.equal((await logIn(started)).status, 200);
    assert.equal((await logIn(started, { Code: recoveryCodes[0] })).status, 200);
    const rows = await api.get(`/api/history/get?Entity=User&Id=${user.id}&Limit=1000`);
    const changes = (rows.body as never as { UserId: number; Changes: object[] }[]).slice(1);
    assert.deepEqual(
      changes.map(({ UserId, Changes }) => [UserId, Changes]),
      [
        [user.id, [{ Field: 'SecondFactor', Old: 0, New: 1 }]],
        [user.id, [{ Field: 'SecondFactor', Old: 1, New: 0 }]],
      ],
    );
    for (const secretText of [secret, ...recoveryCodes]) assert.ok(!rows.text.includes(secretText));
  });

  test('cannot be begun or confirmed again, nor removed where there is none', async () => {
    const { server, api, who, secret } = await protectedUser();
    assertRefused(await who.post('/api/auth/totp/begin', { Password }), {
      status: 406,
      says: ['remove it first'],
    });
    assertRefused(await who.post('/api/auth/totp/confirm', { Code: codeOf(secret, 1) }), { status: 406 });
    const bare = api.as((await addUser(server, { role: 1, teamId: 1 })).token);
    const none = { status: 406, says: ['no second factor'] };
    assertRefused(await bare.post('/api/auth/totp/confirm', { Code: '123456' }), none);
    assertRefused(await bare.post('/api/auth/totp/remove', { Password, Code: '123456' }), none);
    assertRefused(await bare.post('/api/auth/totp/begin', { Password: 'wrong' }), {
      status: 406,
      paths: ['Password'],
    });
  });

  test('is no matter for API keys', async () => {
    const { api, who } = await protectedUser();
    const key = (await who.post('/api/auth/apikey/add', { ApiKey: { Label: 'k' } })).body.ApiKey as {
      Key: string;
    };
    const asKey = api.as(key.Key);
    for (const [path, sent] of [
      ['begin', { Password }],
      ['confirm', { Code: '1' }],
      ['remove', { Password, Code: '1' }],
    ] as const) {
      assertRefused(await asKey.post(`/api/auth/totp/${path}`, sent), { status: 403 });
    }
    assert.equal((await asKey.get('/api/auth/account')).status, 200);
  });
});

test('wrong codes count as failed logins, missing ones do not', async () => {
  const { server: own, api: ownApi } = await startApi();
  const { body } = await ownApi.post('/api/auth/totp/begin', { Password: own.password });
  const secret = String(body.Secret);
  await ownApi.post('/api/auth/totp/confirm', { Code: codeOf(secret) });
  const pair = { Username: own.mail, Password: own.password };
  const send = (more: object) => ownApi.as('').post('/api/auth/login', { ...pair, ...more });
  for (let time = 0; time < 12; time += 1) assertRefused(await send({}), { status: 401 });
  for (let time = 0; time < 5; time += 1) assertRefused(await send({ Code: '000' }), { status: 401 });
  assertRefused(await send({ Code: codeOf(secret, 1) }), { status: 429 });
});
