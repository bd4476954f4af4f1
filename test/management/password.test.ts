import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApi } from './api.ts';
import { consoleFor } from './console.ts';
import { assertRefused } from './refusals.ts';
import { type AddedUser, addUsers } from './users.ts';

const { server, api } = await startApi();
const [manager, analyst, other] = (await addUsers(server, [
  { role: 1, teamId: 1 },
  { role: 2, teamId: 1 },
  { role: 1, teamId: 1 },
])) as [AddedUser, AddedUser, AddedUser];

const Password = 'long enough';
const statusOf = async (path: string, who = api) => (await who.get(path)).status;
const works = (who = api) => statusOf('/api/auth/account', who);

describe('POST /api/auth/password', () => {
  test('ends the other sessions and tokens of the user, and no API key', async () => {
    const browsers = [await consoleFor({ ...server, ...manager, password: Password })];
    browsers.push(await consoleFor({ ...server, ...manager, password: Password }));
    const asManager = api.as(manager.token);
    const key = (await asManager.post('/api/auth/apikey/add', { ApiKey: { Label: 'k' } })).body.ApiKey;
    const [here, elsewhere] = browsers;
    const sent = { Password, NewPassword: 'another long one' };
    assert.deepEqual((await here?.post('/api/auth/password', sent))?.body, { Status: 'Ok' });
    assert.equal((await here?.get('/api/auth/account'))?.status, 200);
    assert.equal((await elsewhere?.get('/api/auth/account'))?.status, 401);
    assert.equal(await works(asManager), 401);
    assert.equal(await works(api.as((key as { Key: string }).Key)), 200);
    await consoleFor({ ...server, ...manager, password: 'another long one' });
    const old = { Username: manager.mail, Password };
    assertRefused(await api.post('/api/auth/login', old), { status: 401 });
    const [row] = (
      (await api.get(`/api/history/get?Entity=User&Id=${manager.id}&Limit=1000`)).body as never as {
        UserId: number;
        Changes: object[];
      }[]
    ).slice(-1);
    assert.partialDeepStrictEqual(row, { UserId: manager.id, Changes: [{ Field: 'Password', Written: 1 }] });
  });

  test('an analyst may do so, and by a token, which stays', async () => {
    const asAnalyst = api.as(analyst.token);
    const reply = await asAnalyst.post('/api/auth/password', { Password, NewPassword: 'quite another' });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(await works(asAnalyst), 200);
  });

  const asOther = api.as(other.token);
  const refused = [
    [{ Password: 'wrong', NewPassword: 'quite another' }, ['Password']],
    [{ Password, NewPassword: 'short' }, ['NewPassword']],
    [{ Password, NewPassword: 'Password1' }, ['NewPassword']],
    [{ Password, NewPassword: '12345678' }, ['NewPassword']],
    [{ Password }, ['NewPassword']],
    [{ NewPassword: 'quite another' }, ['Password']],
    [{ Password, NewPassword: 'x'.repeat(1025) }, ['NewPassword']],
  ] as const;
  for (const [sent, paths] of refused) {
    test(`${JSON.stringify(sent).slice(0, 60)}: 406, and nothing changes`, async () => {
      assertRefused(await asOther.post('/api/auth/password', sent), { status: 406, paths });
      assert.equal(await works(asOther), 200);
    });
  }

  test('refuses API keys, dry runs and repeats', async () => {
    const key = (await asOther.post('/api/auth/apikey/add', { ApiKey: { Label: 'k' } })).body.ApiKey as {
      Key: string;
    };
    const sent = { Password, NewPassword: 'quite another' };
    assertRefused(await api.as(key.Key).post('/api/auth/password', sent), { status: 403, says: ['API key'] });
    assertRefused(await asOther.post('/api/auth/password?DryRun=1', sent), { status: 406 });
    assert.equal(await works(asOther), 200);
  });

  test('guesses count as failed logins', async () => {
    const { server: own, api: ownApi } = await startApi();
    const guess = { Password: 'wrong', NewPassword: 'quite another' };
    for (let time = 0; time < 10; time += 1)
      assertRefused(await ownApi.post('/api/auth/password', guess), { status: 406 });
    assertRefused(await ownApi.post('/api/auth/password', { ...guess, Password: own.password }), {
      status: 429,
    });
  });
});
