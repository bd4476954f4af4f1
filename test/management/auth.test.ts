import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../src/management/endpoints.ts';
import { compileCheck } from '../../src/management/input/validation.ts';
import { startTestServer } from '../support/server.ts';
import { type Api, type Reply, startApi, type Values } from './api.ts';
import { assertRefused, type Expected } from './refusals.ts';
import { addUsers } from './users.ts';

const { server, api } = await startApi();
const { mail, password } = server;
const nobody = api.as('');
const [manager, analyst] = await addUsers(server, [
  { role: 1, teamId: 1 },
  { role: 2, teamId: 1 },
]);
assert.ok(manager && analyst);
const asManager = api.as(manager.token);
const asAnalyst = api.as(analyst.token);

const answerChecks = new Map(
  endpoints
    .filter(({ path }) => path.startsWith('/api/auth/'))
    .map(({ name, returns }) => [name, compileCheck(returns.schema)]),
);

/** The body of a success, which must be what the operation's schema says. */
function answered(reply: Reply, operation: string): Values {
  assert.equal(reply.status, 200, reply.text);
  assert.deepEqual(answerChecks.get(operation)?.(reply.body, ''), [], reply.text);
  assert.equal(reply.headers.get('cache-control'), 'no-store');
  return reply.body;
}

async function logIn(): Promise<Api> {
  const body = answered(
    await nobody.post('/api/auth/login', { Username: mail, Password: password }),
    'login',
  );
  return api.as(String(body.AccessToken));
}

async function addKey(who: Api, more: Values = {}): Promise<Values> {
  const reply = await who.post('/api/auth/apikey/add', { ApiKey: { Label: 'nightly report', ...more } });
  return answered(reply, 'addApiKey').ApiKey as Values;
}

const rejects = async (who: Api) => assert.equal((await who.get('/api/auth/account')).status, 401);
const works = async (who: Api) => assert.equal((await who.get('/api/auth/account')).status, 200);

describe('POST /api/auth/login', () => {
  test('answers Status, UID, AccessToken and ExpiresIn', async () => {
    const body = answered(
      await nobody.post('/api/auth/login', { Username: mail, Password: password }),
      'login',
    );
    assert.deepEqual(Object.keys(body), ['Status', 'UID', 'AccessToken', 'ExpiresIn']);
    assert.deepEqual(
      { ...body, AccessToken: '…' },
      { Status: 'Ok', UID: 1, AccessToken: '…', ExpiresIn: 3600 },
    );
    assert.match(String(body.AccessToken), /^[\w-]{43}$/);
    await works(api.as(String(body.AccessToken)));
  });

  const rows: readonly { sent: unknown; expected: Expected }[] = [
    {
      sent: { Username: mail, Password: 'wrong hush' },
      expected: { status: 401, says: ['Username or Password is wrong'], never: ['hush', mail] },
    },
    {
      sent: { Username: 'no@example.com', Password: password },
      expected: { status: 401, never: [password] },
    },
    { sent: {}, expected: { status: 406, paths: ['Username', 'Password'], says: ['is required'] } },
    { sent: [], expected: { status: 406, paths: [''], says: ['`Username` and `Password`'] } },
    { sent: 'text', expected: { status: 406, paths: [''] } },
    { sent: null, expected: { status: 406, paths: [''] } },
    { sent: { Username: 1, Password: null }, expected: { status: 406, paths: ['Username', 'Password'] } },
    { sent: { Username: '', Password: '' }, expected: { status: 406, paths: ['Username', 'Password'] } },
    {
      sent: { Login: { Username: mail, Password: password } },
      expected: { status: 406, paths: ['Login', 'Username', 'Password'], never: [password] },
    },
    {
      sent: { Username: mail, Password: 'a\0b' },
      expected: { status: 406, paths: ['Password'] },
    },
    {
      sent: { Username: mail, Pasword: password },
      expected: {
        status: 406,
        paths: ['Password', 'Pasword'],
        says: ['did you mean `Password`?'],
        never: [password],
      },
    },
    { sent: { Username: 'x'.repeat(321), Password: 'x'.repeat(1025) }, expected: { status: 406 } },
  ];
  for (const { sent, expected } of rows) {
    test(`${JSON.stringify(sent).slice(0, 70)}: ${expected.status}`, async () => {
      assertRefused(await nobody.post('/api/auth/login', sent), expected);
    });
  }

  for (const body of ['', '{', 'Username=a']) {
    test(`${JSON.stringify(body)}: 400`, async () => {
      assertRefused(await nobody.send('/api/auth/login', { method: 'POST', body }), { status: 400 });
    });
  }
});

for (const [about, body] of [
  ['no body', undefined],
  ['an empty body', ''],
  ['an empty object', '{}'],
] as const) {
  test(`refresh and logout take ${about}`, async () => {
    const sending = { method: 'POST', ...(body === undefined ? {} : { body }) };
    const old = await logIn();
    const renewed = answered(await old.send('/api/auth/refresh', sending), 'refresh');
    await rejects(old);
    const fresh = api.as(String(renewed.AccessToken));
    assert.deepEqual(answered(await fresh.send('/api/auth/logout', sending), 'logout'), { Status: 'Ok' });
    await rejects(fresh);
  });
}

test('refresh and logout refuse members, and keep the token', async () => {
  const who = await logIn();
  for (const path of ['/api/auth/refresh', '/api/auth/logout']) {
    assertRefused(await who.post(path, { Token: 'x' }), { status: 406, paths: ['Token'] });
    assertRefused(await who.post(path, []), { status: 406 });
    assertRefused(await who.send(path, { method: 'POST', body: '{' }), { status: 400 });
  }
  await works(who);
});

for (const query of ['DryRun=1', 'Id=1']) {
  test(`what keeps no answer takes no parameters: ?${query}`, async () => {
    const who = await logIn();
    const posted: readonly (readonly [path: string, body: unknown])[] = [
      ['login', { Username: 'admin@example.com', Password: 'any' }],
      ['refresh', {}],
      ['logout', {}],
      ['apikey/get', {}],
    ];
    for (const [path, body] of posted) {
      const reply = await who.post(`/api/auth/${path}?${query}`, body);
      assertRefused(reply, { status: 406, paths: [query.split('=')[0] ?? ''] });
    }
    await works(who);
  });
}

test('an analyst refreshes and logs out', async () => {
  const [other] = await addUsers(server, [{ role: 2, teamId: 1 }]);
  const renewed = answered(
    await api.as(other?.token ?? '').send('/api/auth/refresh', { method: 'POST' }),
    'refresh',
  );
  const fresh = api.as(String(renewed.AccessToken));
  answered(await fresh.send('/api/auth/logout', { method: 'POST' }), 'logout');
});

describe('API keys', () => {
  test('add shows the key once, with its members in order', async () => {
    const key = await addKey(asManager, { ExpiresAt: '2999-12-31T23:59:59Z' });
    const members = ['Id', 'Label', 'Key', 'UserId', 'CreatedAt', 'ExpiresAt', 'LastUsedAt'];
    assert.deepEqual(Object.keys(key), members);
    assert.equal(key.UserId, manager.id);
    assert.equal(key.ExpiresAt, '2999-12-31T23:59:59.000Z');
    assert.equal(key.LastUsedAt, '');
    await works(api.as(String(key.Key)));
    for (const reply of [
      await asManager.get('/api/auth/apikey/get'),
      await asManager.send('/api/auth/apikey/get', { method: 'POST' }),
      await asManager.post('/api/auth/apikey/get', {}),
    ]) {
      const listed = answered(reply, 'getApiKeys') as unknown as readonly Values[];
      const found = listed.find(({ Id }) => Id === key.Id);
      assert.deepEqual(
        Object.keys(found ?? {}),
        members.filter((name) => name !== 'Key'),
      );
      assert.ok(!reply.text.includes(String(key.Key)));
    }
  });

  test('a key that was fetched can be sent back as another', async () => {
    const { Id, ...first } = await addKey(asManager);
    const second = await addKey(asManager, { Id, ...first });
    assert.notEqual(second.Id, Id);
    assert.equal(second.ExpiresAt, '');
  });

  test('the administrator sees all of the team, others their own', async () => {
    const mine = await addKey(api);
    const idsFor = async (who: Api) => {
      const listed = (await who.get('/api/auth/apikey/get')).body as unknown as readonly Values[];
      return listed.map(({ UserId }) => UserId);
    };
    assert.deepEqual(new Set(await idsFor(api)), new Set([mine.UserId, manager.id]));
    assert.deepEqual(new Set(await idsFor(asManager)), new Set([manager.id]));
    assert.deepEqual(await idsFor(asAnalyst), []);
  });

  test('revoke ends the key at once', async () => {
    const key = await addKey(asManager);
    const reply = await api.post('/api/auth/apikey/revoke', { ApiKey: { Id: key.Id } });
    const { Key: _, ...rest } = key;
    assert.deepEqual(answered(reply, 'revokeApiKey'), { Status: 'Ok', ApiKey: rest });
    await rejects(api.as(String(key.Key)));
  });

  const adding: readonly { sent: unknown; expected: Expected }[] = [
    { sent: {}, expected: { status: 406, says: ['`ApiKey`'] } },
    { sent: { Key: { Label: 'x' } }, expected: { status: 406, says: ['`ApiKey`', '`Key`'] } },
    { sent: { ApiKey: {} }, expected: { status: 406, paths: ['ApiKey.Label'] } },
    { sent: { ApiKey: { Label: '' } }, expected: { status: 406, paths: ['ApiKey.Label'] } },
    { sent: { ApiKey: { Label: 'x'.repeat(101) } }, expected: { status: 406, paths: ['ApiKey.Label'] } },
    {
      sent: { ApiKey: { Label: 'x', Expires: '2999-01-01T00:00:00Z' } },
      expected: { status: 406, paths: ['ApiKey.Expires'], says: ['did you mean `ExpiresAt`?'] },
    },
    ...[
      '2999-01-01',
      'soon',
      '2999-01-01T00:00:00',
      '2999-13-01T00:00:00Z',
      '2999-02-29T00:00:00Z',
      '2020-01-01T00:00:00Z',
      '9999-12-31T23:59:59-14:00',
      1,
      null,
    ].map((ExpiresAt) => ({
      sent: { ApiKey: { Label: 'x', ExpiresAt } },
      expected: { status: 406, paths: ['ApiKey.ExpiresAt'] },
    })),
  ];
  for (const { sent, expected } of adding) {
    test(`add ${JSON.stringify(sent).slice(0, 70)}: ${expected.status}`, async () => {
      assertRefused(await api.post('/api/auth/apikey/add', sent), expected);
    });
  }

  const revoking: readonly { sent: unknown; expected: Expected }[] = [
    { sent: { ApiKey: {} }, expected: { status: 406, paths: ['ApiKey.Id'] } },
    { sent: { ApiKey: { Id: '1' } }, expected: { status: 406, paths: ['ApiKey.Id'] } },
    { sent: { ApiKey: { Id: 0 } }, expected: { status: 406, paths: ['ApiKey.Id'] } },
    {
      sent: { ApiKey: { Id: 987_654 } },
      expected: { status: 406, paths: ['ApiKey.Id'], says: ['not found'] },
    },
  ];
  for (const { sent, expected } of revoking) {
    test(`revoke ${JSON.stringify(sent)}: ${expected.status}`, async () => {
      assertRefused(await api.post('/api/auth/apikey/revoke', sent), expected);
    });
  }

  test('an analyst neither adds nor revokes: 403, before the values are looked at', async () => {
    assertRefused(await asAnalyst.post('/api/auth/apikey/add', { wrong: 1 }), { status: 403 });
    assertRefused(await asAnalyst.post('/api/auth/apikey/revoke', { wrong: 1 }), { status: 403 });
  });

  test("a manager does not revoke another's key, nor learn whether there is one", async () => {
    const key = await addKey(api);
    const asked = async (Id: number) => {
      const reply = await asManager.post('/api/auth/apikey/revoke', { ApiKey: { Id } });
      assertRefused(reply, { status: 406, paths: ['ApiKey.Id'] });
      return reply.text.replaceAll(String(Id), 'N');
    };
    assert.equal(await asked(Number(key.Id)), await asked(999_999));
    await works(api.as(String(key.Key)));
  });

  test('fetching takes no parameters', async () => {
    assertRefused(await api.get('/api/auth/apikey/get?Id=1'), { status: 406, paths: ['Id'] });
  });
});

test('ten failures from one address: 429 with Retry-After', async () => {
  const { api: other } = await startApi();
  const attempt = () =>
    other.as('').post('/api/auth/login', { Username: 'x@example.com', Password: 'wrong' });
  for (let time = 0; time < 10; time += 1) assertRefused(await attempt(), { status: 401 });
  const reply = await attempt();
  assertRefused(reply, { status: 429, says: ['Too many failed logins'] });
  const wait = Number(reply.headers.get('retry-after'));
  assert.ok(wait > 0 && wait <= 60, `Retry-After: ${wait}`);
});

test('who has failed too often waits no longer where the clock is set back, and no less where it goes ahead', async (t) => {
  const startMs = Date.now();
  t.mock.timers.enable({ apis: ['Date'], now: startMs });
  const server = await startTestServer();
  t.after(server.close);
  const attempt = () =>
    fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      body: JSON.stringify({ Username: 'x@example.com', Password: 'wrong' }),
    });
  for (let time = 0; time < 10; time += 1) assert.equal((await attempt()).status, 401);
  for (const hours of [-1, 0, 1]) {
    t.mock.timers.setTime(startMs + hours * 3_600_000);
    const { status, headers } = await attempt();
    const wait = Number(headers.get('retry-after'));
    assert.deepEqual([status, wait > 0 && wait <= 60], [429, true], `${hours} h: ${status}, ${wait} s`);
  }
});

describe('from which address a login comes', () => {
  const rows: readonly (readonly [
    trustedProxies: number,
    what: string,
    failing: (time: number) => string,
    then: string,
    status: number,
  ])[] = [
    [1, 'another client of the proxy is let in', () => '192.0.2.1', '192.0.2.2', 200],
    [1, 'the client itself is not', () => '192.0.2.1', '192.0.2.1', 429],
    [
      1,
      'what a client writes is not looked at',
      (time) => `198.51.100.${time}, 192.0.2.1`,
      '9.9.9.9, 192.0.2.1',
      429,
    ],
    [2, 'the first of our proxies tells', () => '192.0.2.1, 10.0.0.1', '192.0.2.2, 10.0.0.1', 200],
    [0, 'without a proxy the header means nothing', (time) => `192.0.2.${time}`, '192.0.2.99', 429],
  ];
  for (const [trustedProxies, what, failing, then, status] of rows) {
    test(`${trustedProxies} proxies: ${what}`, async () => {
      const { server: own, api: other } = await startApi({ trustedProxies });
      const logIn = (forwarded: string, Username: string, Password: string) =>
        other.as('').send('/api/auth/login', {
          method: 'POST',
          body: JSON.stringify({ Username, Password }),
          headers: { 'x-forwarded-for': forwarded },
        });
      for (let time = 0; time < 10; time += 1) {
        const reply = await logIn(failing(time), `nobody-${time}@example.com`, 'wrong password');
        assertRefused(reply, { status: 401 });
      }
      assert.equal((await logIn(then, own.mail, own.password)).status, status);
    });
  }
});
