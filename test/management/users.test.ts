import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Api, type Reply, startApi, type Values } from './api.ts';
import { consoleFor } from './console.ts';
import { assertRefused, faultsOf } from './refusals.ts';
import { codeOf } from './totp-code.ts';
import { type AddedUser, addUsers } from './users.ts';

const { server, api } = await startApi();
const nobody = api.as('');
const [manager, analyst, outsider] = (await addUsers(server, [
  { role: 1, teamId: 1 },
  { role: 2, teamId: 1 },
  { role: 0 },
])) as [AddedUser, AddedUser, AddedUser];
const asManager = api.as(manager.token);
const Password = 'long enough';

let invited = 0;

async function invite(
  more: Values = {},
): Promise<{ User: Values & { Id: number }; secret: string; Mail: string }> {
  invited += 1;
  const Mail = `invited-${invited}@example.com`;
  const sent = { Mail, FirstName: 'Grace', LastName: 'Hopper', Role: 1, ...more };
  const reply = await api.post('/api/auth/user/invite', sent);
  assert.equal(reply.status, 200, reply.text);
  const [base, secret = ''] = String(reply.body.Link).split('/#invite=');
  assert.equal(base, server.url);
  return { User: reply.body.User as Values & { Id: number }, secret, Mail };
}

const accept = (Link: string, NewPassword = Password): Promise<Reply> =>
  nobody.post('/api/auth/link', { Link, NewPassword });

const logIn = (Username: string, password = Password): Promise<Reply> =>
  nobody.post('/api/auth/login', { Username, Password: password });

async function member(more: Values = {}): Promise<{ Id: number; Mail: string; who: Api }> {
  const { User, secret, Mail } = await invite(more);
  assert.equal((await accept(secret)).status, 200);
  return { Id: User.Id, Mail, who: api.as(String((await logIn(Mail)).body.AccessToken)) };
}

const rejects = async (who: Api) => assert.equal((await who.get('/api/auth/account')).status, 401);
const works = async (who: Api) => assert.equal((await who.get('/api/auth/account')).status, 200);
const one = async (Id: number) => (await api.get(`/api/auth/user/get?Id=${Id}`)).body;

async function changesOf(Id: number, Entity = 'User'): Promise<readonly unknown[]> {
  const { body } = await api.get(`/api/history/get?Entity=${Entity}&Id=${Id}&Limit=1000`);
  return (body as never as Values[]).map(({ UserId, Operation, Changes }) => [UserId, Operation, Changes]);
}

describe('an invitation', () => {
  test('adds a user without a password, who sets one by the link, once', async () => {
    const { User, secret, Mail } = await invite();
    assert.deepEqual(User, {
      Id: User.Id,
      Mail,
      FirstName: 'Grace',
      LastName: 'Hopper',
      Role: 1,
      PublisherId: 0,
      AdvertiserId: 0,
      Status: 0,
      StatusString: 'Active',
      Invited: 1,
      SecondFactor: 0,
    });
    for (const password of ['', ' ', Password]) assert.notEqual((await logIn(Mail, password)).status, 200);
    for (const weak of ['short', 'Passw0rd!', 'iloveyou', Mail]) {
      assertRefused(await accept(secret, weak), { status: 406, paths: ['NewPassword'] });
    }
    assert.deepEqual((await accept(secret)).body, { Status: 'Ok', Username: Mail });
    assert.equal((await logIn(Mail)).status, 200);
    assert.equal((await one(User.Id)).Invited, 0);
    const again = await accept(secret, 'another long one');
    assertRefused(again, { status: 406, paths: ['Link'] });
    assert.equal(faultsOf(again)[0]?.Code, 'link_used');
    assert.equal((await logIn(Mail)).status, 200);
  });

  test('is told in the history, with whoever set the password', async () => {
    const { User, secret } = await invite({ Role: 2 });
    await accept(secret);
    const [added, ...rest] = await changesOf(User.Id);
    assert.partialDeepStrictEqual(added, [1, 'add']);
    assert.deepEqual(rest, [
      [1, 'update', [{ Field: 'PasswordLink', Written: 1 }]],
      [User.Id, 'update', [{ Field: 'Password', Written: 1 }]],
    ]);
    const { text } = await api.get('/api/history/get?Limit=1000');
    assert.ok(!text.includes(secret));
  });

  test('of many who set the password at the same time, one does', async () => {
    const { secret } = await invite();
    const replies = await Promise.all(
      ['one', 'two', 'three'].map((word) => accept(secret, `password ${word}`)),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 406, 406]);
  });

  test('for show adds nobody; repeated, it answers the same link', async () => {
    const sent = { Mail: 'twice@example.com', FirstName: 'A', LastName: 'B', Role: 1 };
    const path = '/api/auth/user/invite';
    assert.equal((await api.post(`${path}?DryRun=1`, sent)).status, 200);
    const sending = { method: 'POST', body: JSON.stringify(sent), headers: { 'idempotency-key': 'invited' } };
    const [first, second] = [await api.send(path, sending), await api.send(path, sending)];
    assert.deepEqual([first.status, second.text], [200, first.text]);
  });

  const whole = { Mail: 'new@example.com', FirstName: 'A', LastName: 'B', Role: 1 };
  const wrong = [
    [{ ...whole, Mail: server.mail.toUpperCase() }, ['Mail'], 'taken'],
    [{ ...whole, Mail: outsider.mail }, ['Mail'], 'taken'],
    [{ ...whole, Mail: 'no address' }, ['Mail'], 'format'],
    [{ ...whole, Mail: '' }, ['Mail'], 'required'],
    [{ ...whole, Role: 4 }, ['Role'], 'out_of_range'],
    [{ ...whole, Role: 3 }, ['PublisherId'], 'required'],
    [{ ...whole, Role: 3, PublisherId: 1, AdvertiserId: 1 }, ['AdvertiserId'], 'contradiction'],
    [{ ...whole, Role: 3, AdvertiserId: 999 }, ['AdvertiserId'], 'not_found'],
    [{ ...whole, PublisherId: 1 }, ['PublisherId'], 'contradiction'],
    [{ Mail: 'new@example.com' }, ['FirstName', 'LastName', 'Role'], 'required'],
    [{ ...whole, TeamId: 2 }, ['TeamId'], 'unknown_field'],
    [{ ...whole, FirstName: 'x'.repeat(1025) }, ['FirstName'], 'too_long'],
  ] as const;
  for (const [sent, paths, code] of wrong) {
    test(`${JSON.stringify(sent).slice(0, 70)}: 406 ${code}`, async () => {
      const reply = await api.post('/api/auth/user/invite', sent);
      assertRefused(reply, { status: 406, paths });
      assert.equal(faultsOf(reply)[0]?.Code, code);
    });
  }
});

describe('a reset link', () => {
  test('takes the place of earlier ones, and ends sessions once it is used', async () => {
    const { User, secret, Mail } = await invite();
    const reset = async () =>
      String((await api.post('/api/auth/user/resetlink', { Id: User.Id })).body.Link).split('=')[1] ?? '';
    const first = await reset();
    assertRefused(await accept(secret), { status: 406, paths: ['Link'] });
    assert.equal((await accept(first)).status, 200);
    const who = api.as(String((await logIn(Mail)).body.AccessToken));
    const second = await reset();
    await works(who);
    assert.equal((await accept(second, 'another long one')).status, 200);
    await rejects(who);
    assert.equal((await logIn(Mail, 'another long one')).status, 200);
  });

  for (const Link of ['x', 'x'.repeat(43), 'ü'.repeat(43)]) {
    test(`a made-up one (${Link.length} characters): 406`, async () => {
      assertRefused(await accept(Link), { status: 406, paths: ['Link'] });
    });
  }
});

describe('users', () => {
  test('are shown to administrators, to others themselves, to no other team', async () => {
    const idsOf = async (who: Api) =>
      ((await who.get('/api/auth/user/get')).body as never as { Id: number }[]).map(({ Id }) => Id);
    const all = await idsOf(api);
    assert.ok([1, manager.id, analyst.id].every((id) => all.includes(id)) && !all.includes(outsider.id));
    assert.deepEqual(await idsOf(asManager), [manager.id]);
    assert.deepEqual(await idsOf(api.as(outsider.token)), [outsider.id]);
    const unseen = { status: 406, paths: ['Id'] };
    assertRefused(await asManager.get('/api/auth/user/get?Id=1'), unseen);
    assertRefused(await api.get(`/api/auth/user/get?Id=${outsider.id}`), unseen);
  });

  test('are given other names and roles, which count at once', async () => {
    const { Id, who } = await member({ Role: 2 });
    assertRefused(await who.post('/api/tag/add', { Tag: { Name: 'a' } }), { status: 403 });
    const reply = await api.post('/api/auth/user/update', { Id, LastName: 'Murray', Role: 1 });
    assert.partialDeepStrictEqual(reply.body, { User: { FirstName: 'Grace', LastName: 'Murray', Role: 1 } });
    assert.equal((await who.post('/api/tag/add', { Tag: { Name: 'a' } })).status, 200);
    const before = (await changesOf(Id)).length;
    await api.post('/api/auth/user/update', { Id, Role: 1 });
    const changes = await changesOf(Id);
    assert.equal(changes.length, before);
    assert.deepEqual(changes.at(-1), [
      1,
      'update',
      [
        { Field: 'LastName', Old: 'Hopper', New: 'Murray' },
        { Field: 'Role', Old: 2, New: 1 },
      ],
    ]);
  });

  test('become partners of an account and stop being that, with what they see', async () => {
    const [one, other] = [await api.add('Publisher'), await api.add('Advertiser')];
    const { Id, who } = await member({ Role: 3, PublisherId: one.Id });
    const path = (kind: string) => `/api/portal/${kind}/get`;
    const sees = async () => [
      (await who.get(path('publisher'))).status,
      (await who.get(path('advertiser'))).status,
      (await who.get('/api/publisher/get')).status,
    ];
    assert.deepEqual(await sees(), [200, 403, 403]);
    const change = (values: Values) => api.post('/api/auth/user/update', { Id, ...values });
    assert.equal((await change({ FirstName: 'Ada', Role: 3 })).status, 200);
    assert.deepEqual(await sees(), [200, 403, 403]);
    assertRefused(await change({ AdvertiserId: 0 }), { status: 406, paths: ['PublisherId'] });
    await change({ AdvertiserId: other.Id });
    assert.deepEqual(await sees(), [403, 200, 403]);
    assert.partialDeepStrictEqual((await change({ Role: 1 })).body, { User: { AdvertiserId: 0, Role: 1 } });
    assert.deepEqual(await sees(), [403, 403, 200]);
    const told = (await changesOf(Id)).slice(-2).map((change) => (change as unknown[])[2]);
    assert.deepEqual(told, [
      [
        { Field: 'PublisherId', Old: one.Id, New: 0 },
        { Field: 'AdvertiserId', Old: 0, New: other.Id },
      ],
      [
        { Field: 'Role', Old: 3, New: 1 },
        { Field: 'AdvertiserId', Old: other.Id, New: 0 },
      ],
    ]);
  });

  test('are shut out: sessions, tokens and keys end', async () => {
    const { Id, Mail, who } = await member();
    const browser = await consoleFor({ url: server.url, mail: Mail, password: Password });
    const { ApiKey } = (await who.post('/api/auth/apikey/add', { ApiKey: { Label: 'k' } })).body;
    const asKey = api.as((ApiKey as { Key: string }).Key);
    await works(asKey);
    const reply = await api.post('/api/auth/user/deactivate', { Id });
    assert.partialDeepStrictEqual(reply.body, { User: { Id, Status: 1, StatusString: 'Inactive' } });
    await Promise.all([rejects(who), rejects(asKey)]);
    assert.equal((await browser.get('/api/auth/account')).status, 401);
    assertRefused(await logIn(Mail), { status: 401 });
    assertRefused(await api.post('/api/auth/user/resetlink', { Id }), { status: 406, paths: ['Id'] });
    assert.deepEqual((await changesOf(Id)).at(-1), [1, 'deactivate', [{ Field: 'Status', Old: 0, New: 1 }]]);
    assert.deepEqual((await changesOf((ApiKey as { Id: number }).Id, 'ApiKey')).at(-1), [1, 'revoke', []]);
    await api.post('/api/auth/user/activate', { Id });
    assert.equal((await logIn(Mail)).status, 200);
    await Promise.all([rejects(who), rejects(asKey)]);
  });

  test('are let in again without a second factor they have lost', async () => {
    const { Id, Mail, who } = await member();
    const { body } = await who.post('/api/auth/totp/begin', { Password });
    await who.post('/api/auth/totp/confirm', { Code: codeOf(String(body.Secret)) });
    assert.equal((await one(Id)).SecondFactor, 1);
    assertRefused(await logIn(Mail), { status: 401 });
    const reply = await api.post('/api/auth/user/resettotp', { Id });
    assert.partialDeepStrictEqual(reply.body, { User: { Id, SecondFactor: 0 } });
    assert.equal((await logIn(Mail)).status, 200);
  });

  test('nobody shuts out themselves, or the last administrator', async () => {
    const deactivate = (who: Api, Id: number) => who.post('/api/auth/user/deactivate', { Id });
    const own = await deactivate(api, 1);
    assertRefused(own, { status: 406, paths: ['Id'] });
    assert.equal(faultsOf(own)[0]?.Code, 'own_user');
    const last = await api.post('/api/auth/user/update', { Id: 1, Role: 1 });
    assertRefused(last, { status: 406, paths: ['Id'] });
    assert.equal(faultsOf(last)[0]?.Code, 'last_administrator');
  });

  test('of two administrators who each take the role of the other, one stays', async () => {
    const { server: own, api: first } = await startApi();
    const [other] = await addUsers(own, [{ role: 0, teamId: 1 }]);
    const second = first.as(other?.token ?? '');
    const replies = await Promise.all([
      first.post('/api/auth/user/update', { Id: other?.id, Role: 1 }),
      second.post('/api/auth/user/update', { Id: 1, Role: 1 }),
    ]);
    assert.ok(replies.some(({ status }) => status === 200));
    const accounts = await Promise.all([first, second].map((who) => who.get('/api/auth/account')));
    assert.deepEqual(accounts.map(({ body }) => body.Role).sort(), [0, 1]);
  });

  const writes = ['invite', 'update', 'deactivate', 'activate', 'resetlink', 'resettotp'];
  const bodyOf = (word: string, Id: number) =>
    word === 'invite' ? { Mail: 'x@example.com', FirstName: '', LastName: '', Role: 1 } : { Id };
  for (const word of writes) {
    const path = `/api/auth/user/${word}`;
    test(`${word} is for administrators, of the team`, async () => {
      for (const who of [asManager, api.as(analyst.token)]) {
        assertRefused(await who.post(path, bodyOf(word, manager.id)), { status: 403 });
      }
      if (word === 'invite') return;
      for (const Id of [outsider.id, 999_999]) {
        assertRefused(await api.post(path, { Id }), { status: 406, paths: ['Id'], says: ['not found'] });
      }
    });

    test(`${word} by an API key: ${word === 'deactivate' ? 'takes access away' : '403'}`, async () => {
      const { Id } = await member();
      const { ApiKey } = (await api.post('/api/auth/apikey/add', { ApiKey: { Label: 'k' } })).body;
      const reply = await api.as((ApiKey as { Key: string }).Key).post(path, bodyOf(word, Id));
      assert.equal(reply.status, word === 'deactivate' ? 200 : 403, reply.text);
    });
  }
});

describe('sessions', () => {
  type Session = Values & { Id: number };
  const sessionsOf = async (who: { get: Api['get'] }, query = '') => {
    const reply = await who.get(`/api/auth/session/get${query}`);
    assert.equal(reply.status, 200, reply.text);
    return reply.body as never as Session[];
  };
  const browse = (mail: string) => consoleFor({ url: server.url, mail, password: Password });

  test('tell where they began, and which one asks', async () => {
    const { Id, Mail, who } = await member();
    const browser = await browse(Mail);
    const [token, session, ...others] = await sessionsOf(browser);
    assert.deepEqual(others, []);
    assert.partialDeepStrictEqual(token, { UserId: Id, LastUsed: '', Address: '127.0.0.1', IsCurrent: 0 });
    assert.partialDeepStrictEqual(session, { UserId: Id, UserAgent: 'node', IsCurrent: 1 });
    assert.ok(!Number.isNaN(Date.parse(String(session?.Created))));
    assert.deepEqual(
      (await sessionsOf(who)).map(({ IsCurrent }) => IsCurrent),
      [1, 0],
    );
    assert.equal((await sessionsOf(api, `?UserId=${Id}`)).length, 2);
  });

  test('are ended one by one, by their user or an administrator', async () => {
    const { Id, Mail, who } = await member();
    const [first, second] = [await browse(Mail), await browse(Mail)];
    const ids = (await sessionsOf(who)).map((session) => session.Id);
    assert.deepEqual((await who.post('/api/auth/session/end', { Id: ids[1] })).body, { Status: 'Ok' });
    assert.equal((await first.get('/api/auth/account')).status, 401);
    const before = (await changesOf(Id)).length;
    assert.equal((await api.post('/api/auth/session/end', { Id: ids[2] })).status, 200);
    assert.equal((await second.get('/api/auth/account')).status, 401);
    await works(who);
    const told = (await changesOf(Id)).slice(before);
    assert.deepEqual(told, [[1, 'update', [{ Field: 'Sessions', Written: 1 }]]]);
  });

  test('of others do not exist for those who are no administrators, nor those of other teams', async () => {
    const [{ Id = 0 } = {}] = await sessionsOf(api);
    const [{ Id: outside = 0 } = {}] = await sessionsOf(api.as(outsider.token));
    for (const who of [asManager, api.as(analyst.token)]) {
      assertRefused(await who.post('/api/auth/session/end', { Id }), { status: 406, paths: ['Id'] });
      assertRefused(await who.get('/api/auth/session/get?UserId=1'), { status: 403 });
    }
    assertRefused(await api.post('/api/auth/session/end', { Id: outside }), { status: 406, paths: ['Id'] });
    assertRefused(await api.get(`/api/auth/session/get?UserId=${outsider.id}`), { status: 406 });
    await Promise.all([works(api), works(api.as(outsider.token))]);
  });

  test('an API key is no session, and ends by being revoked', async () => {
    const { who } = await member();
    const { ApiKey } = (await who.post('/api/auth/apikey/add', { ApiKey: { Label: 'k' } })).body;
    const { Id, Key } = ApiKey as { Id: number; Key: string };
    assert.ok((await sessionsOf(who)).every((session) => session.Id !== Id));
    assertRefused(await who.post('/api/auth/session/end', { Id }), { status: 406 });
    await works(api.as(Key));
  });
});
