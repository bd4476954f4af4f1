import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createIdentity } from '../../src/identity/identity.ts';
import { hashPassword } from '../../src/identity/passwords.ts';
import { addUser, openFrontDoor, password } from './front-door.ts';
import { refused } from './refused.ts';

const door = await openFrontDoor();
const { identity, store, pass } = door;
const teamId = await identity.addTeam({ name: 'Acme' });
const ada = await addUser(door, 0, teamId);
const address = '192.0.2.1';
const logIn = (username = ada.mail, given = password, from = address) =>
  identity.login({ username, password: given, address: from });
const header = (token: string) => `Bearer ${token}`;

describe('login (A1)', () => {
  test('gives a token of an hour for the user', async () => {
    const session = await logIn();
    assert.deepEqual(
      { ...session, accessToken: '…' },
      { userId: ada.id, accessToken: '…', expiresInSeconds: 3600 },
    );
    const bearer = await identity.authenticate(header(session.accessToken));
    assert.deepEqual(
      { ...bearer, tokenId: 0 },
      { tokenId: 0, userId: ada.id, teamId, role: 0, kind: 'access', revision: 1 },
    );
  });

  test('takes the mail address in any case', async () => {
    assert.equal((await logIn(ada.mail.toUpperCase())).userId, ada.id);
  });

  test('the token lasts 3600 seconds to the millisecond', async () => {
    const { accessToken } = await logIn();
    pass(3_599_999);
    await identity.authenticate(header(accessToken));
    pass(1);
    await refused(identity.authenticate(header(accessToken)), 'unauthorized', /expired/);
  });

  test('the database never holds the token', async () => {
    const { accessToken } = await logIn();
    assert.equal(await store.identity.bearer(accessToken, door.nowMs()), undefined);
  });

  test('a wrong password and an unknown user are told in the same words', async () => {
    const wrong = await refused(logIn(ada.mail, 'wrong password'), 'unauthorized');
    const unknown = await refused(logIn('nobody@example.com'), 'unauthorized');
    assert.equal(wrong.message, unknown.message);
    pass(60_000);
  });

  test('an inactive user is refused as a wrong pair is', async () => {
    const user = await store.identity.userByMail(ada.mail);
    assert.ok(user);
    const { id: _, ...rest } = user;
    await store.identity.addUser({ ...rest, mail: 'gone@example.com', status: 1 });
    await refused(logIn('gone@example.com'), 'unauthorized', /Username or Password/);
    await refused(identity.issueToken('gone@example.com'), 'invalid', /no active user/);
    pass(60_000);
  });

  test('ten failures a minute end in too_many, for the right password as well', async () => {
    for (let time = 0; time < 10; time += 1) await refused(logIn(ada.mail, 'wrong password'), 'unauthorized');
    const { retryAfterSeconds } = await refused(logIn(), 'too_many');
    assert.equal(retryAfterSeconds, 60);
    pass(3_600_000);
    await logIn();
  });

  test('of many attempts at the same time, no more than ten learn that they are wrong', async () => {
    const attempts = Array.from({ length: 30 }, () =>
      logIn(ada.mail, 'wrong password').catch(({ code }) => code),
    );
    const codes = await Promise.all(attempts);
    assert.equal(codes.filter((code) => code === 'unauthorized').length, 10);
    assert.equal(codes.filter((code) => code === 'too_many').length, 20);
    pass(3_600_000);
  });

  test('right logins at the same time are all let in', async () => {
    const sessions = await Promise.all(Array.from({ length: 20 }, () => logIn()));
    assert.equal(new Set(sessions.map(({ accessToken }) => accessToken)).size, 20);
  });

  test('more at once than there is time for are turned away, to come again', async () => {
    const attempts = Array.from({ length: 80 }, () => logIn().catch((error) => error.code));
    const codes = await Promise.all(attempts);
    assert.equal(codes.filter((code) => code === 'unavailable').length, 16);
  });
});

test('a login under way when the password changes is refused (A12)', async () => {
  const { id, mail } = await addUser(door, 1, teamId);
  const next = await hashPassword('another password');
  const userByMail = async (of: string) => {
    const user = await store.identity.userByMail(of);
    await store.identity.setPassword(id, next, { revokesKeys: false });
    return user;
  };
  const slow = createIdentity({
    store: { ...store, identity: { ...store.identity, userByMail } },
    now: door.nowMs,
  });
  const attempt = { username: mail, password, address };
  await refused(slow.login(attempt), 'unauthorized', /Username or Password/);
  await logIn(mail, 'another password');
});

describe('refresh and logout (A2)', () => {
  test('refresh gives a new token and ends the old one', async () => {
    const { accessToken } = await logIn();
    const bearer = await identity.authenticate(header(accessToken));
    pass(1_800_000);
    const renewed = await identity.refresh(bearer);
    assert.equal(renewed.userId, ada.id);
    await refused(identity.authenticate(header(accessToken)), 'unauthorized');
    pass(3_599_999);
    await identity.authenticate(header(renewed.accessToken));
  });

  test('a token is renewed once, even by two requests at the same time', async () => {
    const bearer = await identity.authenticate(header((await logIn()).accessToken));
    const outcomes = await Promise.allSettled([identity.refresh(bearer), identity.refresh(bearer)]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });

  test('logout ends the token, and no other', async () => {
    const [one, other] = [await logIn(), await logIn()];
    await identity.logout(await identity.authenticate(header(one.accessToken)));
    await refused(identity.authenticate(header(one.accessToken)), 'unauthorized');
    await identity.authenticate(header(other.accessToken));
  });

  test('a new password ends the sessions under the old one', async () => {
    const eve = await addUser(door, 1, teamId);
    await identity.setPassword(eve.mail, 'another password');
    await refused(identity.authenticate(eve.header), 'unauthorized');
    await refused(logIn(eve.mail), 'unauthorized');
    await logIn(eve.mail, 'another password');
  });
});

test('that expired tokens cannot be removed keeps nobody from logging in', async () => {
  const removeExpired = () => Promise.reject(new Error('the disk is full'));
  const hindered = createIdentity({
    store: { ...store, identity: { ...store.identity, removeExpired } },
    now: door.nowMs,
  });
  const { accessToken } = await hindered.login({ username: ada.mail, password, address });
  await identity.authenticate(header(accessToken));
});

test('expired tokens are removed in passing', async () => {
  await logIn();
  pass(7_200_000);
  await logIn();
  assert.equal(await store.identity.removeExpired(door.nowMs()), 0);
});

describe('who sends no good token is told what to send', () => {
  const { header: good } = ada;
  const headers: readonly { sent: string | undefined; says: RegExp }[] = [
    { sent: undefined, says: /missing.*Authorization: Bearer <token>.*\/api\/auth\/login/ },
    { sent: '', says: /missing/ },
    { sent: 'Bearer', says: /must be "Bearer <token>"/ },
    { sent: 'Bearer ', says: /invalid/ },
    { sent: 'Basic YTpi', says: /must be "Bearer <token>"/ },
    { sent: good.slice('Bearer '.length), says: /must be "Bearer <token>"/ },
    { sent: `${good}x`, says: /invalid/ },
    { sent: `Bearer ${'A'.repeat(43)}`, says: /invalid/ },
    { sent: `Bearer ${'A'.repeat(10_000)}`, says: /invalid/ },
  ];
  for (const { sent, says } of headers) {
    test(`${sent?.slice(0, 30)}`, async () => {
      await refused(identity.authenticate(sent), 'unauthorized', says);
    });
  }

  for (const scheme of ['bearer', 'BEARER', 'Bearer  ']) {
    test(`the scheme may be written ${JSON.stringify(scheme)}`, async () => {
      const { accessToken } = await logIn();
      await identity.authenticate(`${scheme} ${accessToken}`);
    });
  }
});
