import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { entityOf } from '../../src/entities/registry.ts';
import { defaultTeamSettings } from '../../src/entities/team-settings.ts';
import type { IdentityStore, NewToken, User } from '../../src/store/identity/interface.ts';
import type { Engine, TestDatabase } from './engine.ts';
import { freshName, type Opened, openedFor } from './team-room.ts';

const town = { country: 'CH', city: 'Bern', zipCode: '3000', address: 'Gasse 1', phone: '+41 31' };
const nowMs = 1_800_000_000_000;

function newUser(teamId: number, more: Partial<User> = {}): Omit<User, 'id'> {
  const names = { firstName: 'Ada', lastName: 'Byron', passwordHash: '$argon2id$none' };
  return { teamId, mail: `${freshName('user')}@example.com`, ...names, role: 1, status: 0, ...more };
}

function newToken(userId: number, more: Partial<NewToken> = {}): NewToken {
  return {
    hash: freshName('hash'),
    userId,
    label: undefined,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + 1000,
    ...more,
  };
}

/** A number that must be there. */
function sure(id: number | undefined): number {
  assert.ok(id !== undefined);
  return id;
}

function people({ opened }: Opened): void {
  const identity = (): IdentityStore => opened().store.identity;

  test('a team comes back as it was added', async () => {
    const id = await identity().addTeam({ name: 'Zürich 🎈', ...town });
    assert.deepEqual(await identity().team(id), { id, name: 'Zürich 🎈', ...town });
    assert.equal(await identity().team(id + 1000), undefined);
    const next = await identity().addTeam({ name: 'next', ...town });
    const [last, beforeLast] = (await identity().teams()).toReversed();
    assert.deepEqual([beforeLast?.id, last], [id, { id: next, name: 'next', ...town }]);
  });

  test('settings of a team: only what differs from the defaults is stored, and the revision is that of the last change', async () => {
    const id = await identity().addTeam({ name: 'settings', ...town });
    const unset = { revision: 0, settings: defaultTeamSettings };
    assert.deepEqual(await identity().teamSettings(id), unset);
    assert.equal((await identity().allTeamSettings()).has(id), false);
    assert.deepEqual(await identity().updateTeam(id, () => ({ GdprDefault: 0 })), unset);
    const first = await identity().updateTeam(id, () => ({ GvlId: 755, GdprCountries: ['DE'] }));
    assert.deepEqual(first.settings, { ...defaultTeamSettings, GvlId: 755, GdprCountries: ['DE'] });
    const second = await identity().updateTeam(id, (current) => {
      assert.deepEqual(current, first);
      return { MeasurementUrl: 'https://m.example/', GvlId: 0 };
    });
    assert.ok(second.revision > first.revision);
    assert.deepEqual(await identity().teamSettings(id), second);
    assert.deepEqual((await identity().allTeamSettings()).get(id), second.settings);
    const refused = identity().updateTeam(id, () => {
      throw new RangeError('stale');
    });
    await assert.rejects(refused, RangeError);
    assert.deepEqual(await identity().teamSettings(id), second);
  });

  test('a user comes back as added, by ID and by mail in any case', async () => {
    const teamId = await identity().addTeam({ name: 'team', ...town });
    const user = newUser(teamId, { mail: `Ada.${freshName()}@Example.COM`, role: 2, status: 1 });
    const id = sure(await identity().addUser(user));
    assert.deepEqual(await identity().user(id), { id, ...user });
    for (const mail of [user.mail, user.mail.toLowerCase(), user.mail.toUpperCase()]) {
      assert.deepEqual(await identity().userByMail(mail), { id, ...user }, mail);
    }
    assert.equal(await identity().user(id + 1000), undefined);
    assert.equal(await identity().userByMail('nobody@example.com'), undefined);
  });

  test('a mail address is taken once in the installation, in any case and team', async () => {
    const teams = [
      await identity().addTeam({ name: 'a', ...town }),
      await identity().addTeam({ name: 'b', ...town }),
    ];
    const user = newUser(teams[0] ?? 0);
    const id = sure(await identity().addUser(user));
    for (const mail of [user.mail, user.mail.toUpperCase()]) {
      assert.equal(await identity().addUser(newUser(teams[1] ?? 0, { mail })), undefined);
    }
    assert.equal((await identity().userByMail(user.mail))?.id, id);
  });

  test('of many who add one mail address at once, one succeeds', async () => {
    const teamId = await identity().addTeam({ name: 'team', ...town });
    const user = newUser(teamId);
    const ids = await Promise.all(Array.from({ length: 20 }, () => identity().addUser(user)));
    assert.equal(ids.filter((id) => id !== undefined).length, 1);
  });
}

function passwords({ opened }: Opened): void {
  const identity = (): IdentityStore => opened().store.identity;

  for (const { revokesKeys, stays, revoked } of [
    { revokesKeys: false, stays: [false, true, true, true], revoked: 0 },
    { revokesKeys: true, stays: [false, false, false, true], revoked: 2 },
  ]) {
    const keys = revokesKeys ? 'and, where that is wanted, the API keys' : 'not the API keys';
    test(`a new password ends the sessions of its user, ${keys}, and nobody else’s`, async () => {
      const teamId = await identity().addTeam({ name: 'team', ...town });
      const [mine, theirs] = [
        sure(await identity().addUser(newUser(teamId))),
        sure(await identity().addUser(newUser(teamId))),
      ];
      const ofMine = [
        newToken(mine),
        newToken(mine, { label: 'key' }),
        newToken(mine, { label: 'other key' }),
      ];
      const tokens = [...ofMine, newToken(theirs, { label: 'key' })];
      for (const token of tokens) await identity().addToken(token);
      const ids = (await identity().apiKeys(teamId, mine)).map(({ id }) => id);
      assert.equal(await identity().setPassword(mine, 'new hash', { revokesKeys }), revoked);
      assert.equal((await identity().user(mine))?.passwordHash, 'new hash');
      const bearers = await Promise.all(tokens.map(({ hash }) => identity().bearer(hash, nowMs)));
      assert.deepEqual(
        bearers.map((bearer) => bearer !== undefined),
        stays,
      );
      const log = await opened().store.changes(teamId, { entity: 'ApiKey' }, 100);
      const logged = log.filter(({ operation }) => operation === 'revoke').map(({ id }) => id);
      assert.deepEqual(logged, revokesKeys ? ids : []);
    });
  }
}

/** A new team with one user. */
async function addUser(identity: IdentityStore, more: Partial<User> = {}) {
  const teamId = await identity.addTeam({ name: 'team', ...town });
  return { teamId, userId: sure(await identity.addUser(newUser(teamId, more))) };
}

function tokens({ opened }: Opened): void {
  const identity = (): IdentityStore => opened().store.identity;

  test('a token speaks for its user until it expires', async () => {
    const { teamId, userId } = await addUser(identity(), { role: 2 });
    const token = newToken(userId);
    const tokenId = await identity().addToken(token);
    const bearer = { tokenId, userId, teamId, role: 2, kind: 'access' };
    for (const atMs of [nowMs, nowMs + 999]) {
      const { revision: _, ...found } = (await identity().bearer(token.hash, atMs)) ?? assert.fail();
      assert.deepEqual(found, bearer);
    }
    assert.equal(await identity().bearer(token.hash, nowMs + 1000), undefined);
    assert.equal(await identity().bearer(`${token.hash}x`, nowMs), undefined);
    assert.equal(await identity().bearer('', nowMs), undefined);
  });

  test('a bearer tells the last revision at the moment', async () => {
    const actor = await addUser(identity());
    const token = newToken(actor.userId);
    await identity().addToken(token);
    const { database, store } = opened();
    for (const Name of ['a', 'b']) {
      const writing = { document: { Name }, connections: {} };
      await store.write(actor, (transaction) => transaction.insert(entityOf('Tag'), writing));
      const last = (await database.changes()).at(-1)?.revision;
      assert.equal((await identity().bearer(token.hash, nowMs))?.revision, last);
    }
  });

  test('a key without expiry speaks for ever; an inactive user has no bearers', async () => {
    const { userId } = await addUser(identity());
    const key = newToken(userId, { label: '', expiresAtMs: undefined });
    await identity().addToken(key);
    assert.equal((await identity().bearer(key.hash, Number.MAX_SAFE_INTEGER))?.kind, 'key');
    const inactive = newToken((await addUser(identity(), { status: 1 })).userId);
    await identity().addToken(inactive);
    assert.equal(await identity().bearer(inactive.hash, nowMs), undefined);
  });

  test('two tokens never have the same hash', async () => {
    const { userId } = await addUser(identity());
    const token = newToken(userId);
    await identity().addToken(token);
    await assert.rejects(identity().addToken(token));
  });

  test('an ended token is over, and ends once', async () => {
    const { userId } = await addUser(identity());
    const token = newToken(userId);
    const id = await identity().addToken(token);
    assert.deepEqual(await Promise.all([identity().endToken(id), identity().endToken(id)]), [true, false]);
    assert.equal(await identity().bearer(token.hash, nowMs), undefined);
  });
}

function beginning({ opened }: Opened): void {
  const identity = (): IdentityStore => opened().store.identity;

  test('a session begins only under the password that was checked, of a user who is active', async () => {
    const { userId } = await addUser(identity(), { passwordHash: 'checked' });
    const good = newToken(userId);
    const id = await identity().addSession(good, { passwordHash: 'checked' });
    assert.equal((await identity().bearer(good.hash, nowMs))?.tokenId, id);
    const user = (await identity().user(userId)) ?? assert.fail();
    await identity().setPassword(userId, 'changed', { revokesKeys: false });
    const gone = await addUser(identity(), { passwordHash: 'checked', status: 1 });
    for (const [of, hash] of [
      [userId, user.passwordHash],
      [gone.userId, 'checked'],
      [gone.userId + 1000, 'checked'],
    ] as const) {
      const late = newToken(of);
      assert.equal(await identity().addSession(late, { passwordHash: hash }), undefined);
      assert.equal(await identity().bearer(late.hash, nowMs), undefined);
    }
    assert.equal(
      typeof (await identity().addSession(newToken(userId), { passwordHash: 'changed' })),
      'number',
    );
  });
}

function replacing({ opened }: Opened): void {
  const identity = (): IdentityStore => opened().store.identity;

  test('a token is replaced in one step, once', async () => {
    const { userId } = await addUser(identity());
    const [old, fresh, late] = [newToken(userId), newToken(userId), newToken(userId)];
    const id = await identity().addToken(old);
    const [first, second] = await Promise.all([
      identity().replaceToken(id, fresh),
      identity().replaceToken(id, late),
    ]);
    assert.equal(second, undefined);
    assert.equal(await identity().bearer(old.hash, nowMs), undefined);
    assert.equal((await identity().bearer(fresh.hash, nowMs))?.tokenId, first);
    assert.equal(await identity().bearer(late.hash, nowMs), undefined);
  });

  test('where the new token cannot be stored, the old one stays', async () => {
    const { userId } = await addUser(identity());
    const [old, other] = [newToken(userId), newToken(userId)];
    const id = await identity().addToken(old);
    await identity().addToken(other);
    await assert.rejects(identity().replaceToken(id, other));
    assert.equal((await identity().bearer(old.hash, nowMs))?.tokenId, id);
  });
}

function listing({ opened }: Opened): void {
  const identity = (): IdentityStore => opened().store.identity;

  test('keys are listed by team or user, in order, with when they were used last', async () => {
    const [a, b] = [await addUser(identity()), await addUser(identity())];
    const second = sure(await identity().addUser(newUser(a.teamId)));
    const keys = [
      newToken(a.userId, { label: 'one', expiresAtMs: undefined }),
      newToken(second, { label: 'two' }),
      newToken(b.userId, { label: 'theirs' }),
      newToken(a.userId, { label: 'three' }),
    ];
    const ids: number[] = [];
    for (const key of keys) ids.push(await identity().addToken(key));
    await identity().addToken(newToken(a.userId));
    await identity().touchToken(ids[3] ?? 0, nowMs + 5, nowMs + 900);
    const rows = keys.map((key, index) => ({
      id: ids[index],
      ...key,
      lastUsedAtMs: index === 3 ? nowMs + 5 : undefined,
    }));
    assert.deepEqual(await identity().apiKeys(a.teamId), [rows[0], rows[1], rows[3]]);
    assert.deepEqual(await identity().apiKeys(a.teamId, second), [rows[1]]);
    assert.deepEqual(await identity().apiKeys(a.teamId, b.userId), []);
  });

  test('use moves the expiry of a session of the console on, up to its end', async () => {
    const { userId } = await addUser(identity());
    const session = newToken(userId, {
      endsAtMs: nowMs + 1500,
      client: { address: '192.0.2.1', userAgent: '' },
    });
    const id = await identity().addToken(session);
    const lives = async (atMs: number) => (await identity().bearer(session.hash, atMs))?.kind === 'console';
    assert.deepEqual([await lives(nowMs + 999), await lives(nowMs + 1000)], [true, false]);
    await identity().touchToken(id, nowMs + 400, nowMs + 1400);
    assert.deepEqual([await lives(nowMs + 1399), await lives(nowMs + 1400)], [true, false]);
    await identity().touchToken(id, nowMs + 800, nowMs + 1800);
    assert.deepEqual([await lives(nowMs + 1499), await lives(nowMs + 1500)], [true, false]);
  });

  test('use moves the expiry of nothing else', async () => {
    const { userId } = await addUser(identity());
    const token = newToken(userId, { label: 'key' });
    await identity().touchToken(await identity().addToken(token), nowMs, nowMs + 5000);
    assert.equal(await identity().bearer(token.hash, nowMs + 1000), undefined);
  });

  test('sessions that expired are removed; others stay, and all API keys', async () => {
    const { teamId, userId } = await addUser(identity());
    await identity().removeExpired(Number.MAX_SAFE_INTEGER);
    const times = [nowMs - 2, nowMs - 1, nowMs, nowMs + 1, undefined];
    for (const expiresAtMs of times) {
      await identity().addToken(newToken(userId, { expiresAtMs }));
      await identity().addToken(newToken(userId, { label: 'k', expiresAtMs }));
    }
    assert.equal(await identity().removeExpired(nowMs), 2);
    assert.equal(await identity().removeExpired(nowMs), 0);
    const left = await identity().apiKeys(teamId);
    assert.deepEqual(
      left.map(({ expiresAtMs }) => expiresAtMs),
      times,
    );
    assert.equal(await identity().removeExpired(nowMs + 2), 2);
  });
}

/** A suite of its own database: the first start. */
function firstStart(engine: Engine): void {
  let database: TestDatabase | undefined;
  before(async () => {
    database = await engine.fresh();
  });
  after(() => database?.remove());

  test('an installation is empty until the first user, and stays what it is when opened again', async () => {
    assert.ok(database);
    const store = await database.open();
    assert.equal(await store.identity.isEmpty(), true);
    const teamId = await store.identity.addTeam({ name: 'team', ...town });
    assert.equal(teamId, 1);
    assert.equal(await store.identity.isEmpty(), true);
    await store.identity.addUser(newUser(teamId));
    assert.equal(await store.identity.isEmpty(), false);
    await store.close();
    const again = await database.open();
    assert.equal(await again.identity.isEmpty(), false);
    assert.equal((await again.identity.team(teamId))?.name, 'team');
    await again.close();
  });
}

/** What the identity store promises. */
export function identityContract(engine: Engine): void {
  describe('a first start', () => firstStart(engine));
  describe('identity', () => {
    const opened = openedFor(engine);
    describe('teams and users', () => people(opened));
    describe('passwords', () => passwords(opened));
    describe('tokens', () => tokens(opened));
    describe('sessions that begin', () => beginning(opened));
    describe('replaced tokens', () => replacing(opened));
    describe('kept tokens', () => listing(opened));
  });
}
