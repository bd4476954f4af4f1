import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addUser, openFrontDoor } from './front-door.ts';
import { refused } from './refused.ts';

const door = await openFrontDoor();
const { identity, pass, nowMs } = door;
const teamId = await identity.addTeam({ name: 'Acme' });
const users = {
  administrator: await addUser(door, 0, teamId),
  manager: await addUser(door, 1, teamId),
  analyst: await addUser(door, 2, teamId),
  stranger: await addUser(door, 0, await identity.addTeam({ name: 'Others' })),
};
type Who = keyof typeof users;
const bearers = {
  administrator: await identity.authenticate(users.administrator.header),
  manager: await identity.authenticate(users.manager.header),
  analyst: await identity.authenticate(users.analyst.header),
  stranger: await identity.authenticate(users.stranger.header),
};
const keyOf = (who: Who, more: { expiresAtMs?: number } = {}) =>
  identity.addApiKey(bearers[who], { label: `of the ${who}`, ...more });
const headerOf = ({ key }: { key: string }) => `Bearer ${key}`;

test('a key speaks for its user, without end', async () => {
  const key = await keyOf('manager');
  pass(10 * 365 * 86_400_000);
  const bearer = await identity.authenticate(headerOf(key));
  const { tokenId, ...who } = bearer;
  assert.equal(tokenId, key.id);
  assert.deepEqual(
    { ...who, revision: 0 },
    { userId: users.manager.id, teamId, role: 1, kind: 'key', revision: 0 },
  );
});

test('a key ends when it was told to', async () => {
  const key = await keyOf('manager', { expiresAtMs: nowMs() + 5000 });
  pass(4999);
  await identity.authenticate(headerOf(key));
  pass(1);
  await refused(identity.authenticate(headerOf(key)), 'unauthorized', /expired/);
});

test('a key that has ended stays in the list, with when it was used, until it is revoked', async () => {
  const key = await keyOf('stranger', { expiresAtMs: nowMs() + 5000 });
  await identity.authenticate(headerOf(key));
  const usedAtMs = nowMs();
  for (let time = 0; time < 2; time += 1) {
    pass(86_400_000);
    await identity.issueToken(users.manager.mail);
  }
  await refused(identity.authenticate(headerOf(key)), 'unauthorized', /expired/);
  const listed = (await identity.apiKeys(bearers.stranger)).find(({ id }) => id === key.id);
  assert.deepEqual([listed?.expiresAtMs, listed?.lastUsedAtMs], [key.expiresAtMs, usedAtMs]);
  assert.equal((await identity.revokeApiKey(bearers.stranger, key.id)).id, key.id);
  await refused(identity.revokeApiKey(bearers.stranger, key.id), 'invalid', /not found/);
});

test('an end that has passed is refused', async () => {
  const { faults } = await refused(keyOf('manager', { expiresAtMs: nowMs() }), 'invalid', /future/);
  assert.deepEqual(
    faults.map(({ Path }) => Path),
    ['ApiKey.ExpiresAt'],
  );
});

test('the key is shown once', async () => {
  const { key, ...rest } = await keyOf('manager');
  const listed = (await identity.apiKeys(bearers.manager)).find(({ id }) => id === rest.id);
  assert.deepEqual(listed, rest);
  assert.ok(!JSON.stringify(await identity.apiKeys(bearers.manager)).includes(key));
});

test('its use is noted, at most once a minute', async () => {
  const key = await keyOf('manager');
  const lastUse = async () => {
    const keys = await identity.apiKeys(bearers.manager);
    return keys.find(({ id }) => id === key.id)?.lastUsedAtMs;
  };
  const useAt: number[] = [];
  for (const waitMs of [0, 59_999, 1]) {
    pass(waitMs);
    await identity.authenticate(headerOf(key));
    // The note is written behind the request; this write stands in line behind it.
    await identity.addTeam({ name: 'in line' });
    useAt.push((await lastUse()) ?? 0);
  }
  const [first = 0] = useAt;
  assert.deepEqual(useAt, [first, first, first + 60_000]);
});

describe('who sees whose keys (A5)', () => {
  const seen: Readonly<Record<Who, readonly Who[]>> = {
    administrator: ['administrator', 'manager'],
    manager: ['manager'],
    analyst: [],
    stranger: ['stranger'],
  };
  for (const [who, owners] of Object.entries(seen) as [Who, readonly Who[]][]) {
    test(`${who}: ${owners.join(', ') || 'none'}`, async () => {
      for (const owner of ['administrator', 'manager', 'stranger'] as const) await keyOf(owner);
      const shown = new Set((await identity.apiKeys(bearers[who])).map(({ userId }) => userId));
      assert.deepEqual(shown, new Set(owners.map((owner) => users[owner].id)));
    });
  }
});

describe('who adds and revokes keys (A5)', () => {
  test('an analyst adds none', async () => {
    await refused(keyOf('analyst'), 'forbidden', /read-only/);
  });

  const revoking: readonly { who: Who; of: Who; ends: 'revoked' | 'forbidden' | 'invalid' }[] = [
    { who: 'administrator', of: 'administrator', ends: 'revoked' },
    { who: 'administrator', of: 'manager', ends: 'revoked' },
    { who: 'administrator', of: 'stranger', ends: 'invalid' },
    { who: 'manager', of: 'manager', ends: 'revoked' },
    { who: 'manager', of: 'administrator', ends: 'invalid' },
    { who: 'manager', of: 'stranger', ends: 'invalid' },
    { who: 'analyst', of: 'manager', ends: 'forbidden' },
    { who: 'analyst', of: 'stranger', ends: 'forbidden' },
    { who: 'stranger', of: 'administrator', ends: 'invalid' },
  ];
  for (const { who, of, ends } of revoking) {
    test(`${who} revokes a key of the ${of}: ${ends}`, async () => {
      const key = await keyOf(of);
      const call = identity.revokeApiKey(bearers[who], key.id);
      if (ends !== 'revoked') {
        await refused(call, ends);
        await identity.authenticate(headerOf(key));
        return;
      }
      assert.equal((await call).id, key.id);
      await refused(identity.authenticate(headerOf(key)), 'unauthorized');
      await refused(identity.revokeApiKey(bearers[who], key.id), 'invalid', /not found/);
    });
  }

  test('a session is no key to revoke', async () => {
    await refused(
      identity.revokeApiKey(bearers.administrator, bearers.manager.tokenId),
      'invalid',
      /not found/,
    );
  });
});

describe('what a key may not', () => {
  const wishes: Readonly<Record<string, (bearer: typeof bearers.manager) => Promise<unknown>>> = {
    'be renewed': (bearer) => identity.refresh(bearer),
    'log out': (bearer) => identity.logout(bearer),
    'beget keys': (bearer) => identity.addApiKey(bearer, { label: 'child' }),
  };
  for (const [wish, call] of Object.entries(wishes)) {
    test(wish, async () => {
      const key = await keyOf('administrator');
      await refused(call(await identity.authenticate(headerOf(key))), 'forbidden', /API key/);
      await identity.authenticate(headerOf(key));
    });
  }

  test('it may revoke itself', async () => {
    const key = await keyOf('manager');
    await identity.revokeApiKey(await identity.authenticate(headerOf(key)), key.id);
    await refused(identity.authenticate(headerOf(key)), 'unauthorized');
  });
});

test('a new password leaves the keys, unless they are to be revoked with it', async () => {
  const key = await keyOf('manager');
  const others = await keyOf('administrator');
  const count = (await identity.apiKeys(bearers.manager)).length;
  assert.equal(await identity.setPassword(users.manager.mail, 'another password'), 0);
  await identity.authenticate(headerOf(key));
  assert.equal(await identity.setPassword(users.manager.mail, 'a third one', { revokesKeys: true }), count);
  await refused(identity.authenticate(headerOf(key)), 'unauthorized');
  assert.deepEqual(await identity.apiKeys(bearers.manager), []);
  await identity.authenticate(headerOf(others));
});

test('a key of another user is refused in the same words as one that never was', async () => {
  const key = await keyOf('administrator');
  const wordsFor = async (id: number) => {
    const { faults } = await refused(identity.revokeApiKey(bearers.manager, id), 'invalid', /not found/);
    return JSON.stringify(faults).replaceAll(String(id), 'N');
  };
  assert.equal(await wordsFor(key.id), await wordsFor(key.id + 1_000_000));
});
