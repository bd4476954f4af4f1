import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createIdentity } from '../../src/identity/identity.ts';
import { openConfiguredStore } from '../../src/store/configured-store.ts';
import { type Api, posted, startApi, type Values } from './api.ts';
import { addUsers } from './users.ts';

const { server, api } = await startApi();
const [manager, analyst, outsider] = await addUsers(server, [
  { role: 1, teamId: 1 },
  { role: 2, teamId: 1 },
  { role: 0 },
]);
assert.ok(manager && analyst && outsider);

async function history(caller: Api, query: string): Promise<readonly Values[]> {
  const reply = await caller.get(`/api/history/get?Limit=1000&${query}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body as unknown as readonly Values[];
}

/** The rows of one user or key, without their number and time. */
async function rowsOf(Entity: string, Id: unknown): Promise<readonly Values[]> {
  const rows = await history(api, `Entity=${Entity}&Id=${Id}`);
  return rows.map(({ Revision: _, Time: __, UserName: ___, ...row }) => row);
}

async function addKey(who: Api, values: Values): Promise<Values> {
  return posted(await who.post('/api/auth/apikey/add', { ApiKey: values }), 'ApiKey');
}

suite('the history of users and API keys', () => {
  test('tells of the first administrator and of users who were added', async () => {
    const byProgram = { UserId: 0, Entity: 'User', Operation: 'add' };
    const told = (Mail: string, FirstName: string, Role: number) => [
      { Field: 'Mail', New: Mail },
      { Field: 'FirstName', New: FirstName },
      { Field: 'LastName', New: '' },
      { Field: 'Role', New: Role },
      { Field: 'Status', New: 0 },
    ];
    assert.deepEqual(await rowsOf('User', 1), [
      { ...byProgram, Id: 1, Changes: told(server.mail, 'Admin', 0) },
    ]);
    const [row] = await history(api, `Entity=User&Id=${analyst.id}`);
    assert.partialDeepStrictEqual(row, { ...byProgram, UserName: 'Bourse', Id: analyst.id });
  });

  test('tells that a password was written, and not which', async () => {
    const store = await openConfiguredStore(server.databaseUrl);
    const [{ Changes }] = (await rowsOf('User', manager.id)) as [Values & { Changes: Values[] }];
    const mail = String(Changes.find(({ Field }) => Field === 'Mail')?.New);
    await createIdentity({ store, now: Date.now }).setPassword(mail, 'another long one');
    await store.close();
    assert.deepEqual((await rowsOf('User', manager.id)).at(-1), {
      UserId: 0,
      Entity: 'User',
      Id: manager.id,
      Operation: 'update',
      Changes: [{ Field: 'Password', Written: 1 }],
    });
    assert.doesNotMatch(JSON.stringify(await history(api, '')), /another long one|argon2/);
  });

  test('tells who added and who revoked an API key', async () => {
    const [other] = await addUsers(server, [{ role: 1, teamId: 1 }]);
    const ExpiresAt = '2999-01-01T00:00:00.000Z';
    const key = await addKey(api.as(other?.token ?? ''), { Label: 'nightly report', ExpiresAt });
    await api.post('/api/auth/apikey/revoke', { ApiKey: { Id: key.Id } });
    const row = { Entity: 'ApiKey', Id: key.Id };
    assert.deepEqual(await rowsOf('ApiKey', key.Id), [
      {
        UserId: other?.id,
        ...row,
        Operation: 'add',
        Changes: [
          { Field: 'Label', New: 'nightly report' },
          { Field: 'UserId', New: other?.id },
          { Field: 'ExpiresAt', New: ExpiresAt },
        ],
      },
      { UserId: 1, ...row, Operation: 'revoke', Changes: [] },
    ]);
    assert.ok(!JSON.stringify(await history(api, '')).includes(String(key.Key)));
  });

  test('a dry run, a refusal, logging in and out leave nothing in it', async () => {
    const before = await history(api, '');
    await api.post('/api/auth/apikey/add?DryRun=1', { ApiKey: { Label: 'for show' } });
    await api.post('/api/auth/apikey/revoke', { ApiKey: { Id: 999_999 } });
    const login = { Username: server.mail, Password: server.password };
    const { AccessToken } = (await api.as('').post('/api/auth/login', login)).body;
    await api.as(String(AccessToken)).send('/api/auth/logout', { method: 'POST' });
    assert.deepEqual(await history(api, ''), before);
  });

  test('is for administrators of the team', async () => {
    const [colleague] = await addUsers(server, [{ role: 1, teamId: 1 }]);
    const asColleague = api.as(colleague?.token ?? '');
    await addKey(asColleague, { Label: 'mine' });
    for (const caller of [asColleague, api.as(analyst.token)]) {
      for (const query of ['', 'Entity=User', 'Entity=ApiKey', 'Entity=User&Id=1']) {
        const kinds = (await history(caller, query)).map(({ Entity }) => Entity);
        assert.deepEqual(
          kinds.filter((kind) => kind === 'User' || kind === 'ApiKey'),
          [],
        );
      }
    }
    const theirs = await history(api.as(outsider.token), '');
    assert.deepEqual(
      theirs.map(({ Entity, Id }) => [Entity, Id]),
      [['User', outsider.id]],
    );
  });
});
