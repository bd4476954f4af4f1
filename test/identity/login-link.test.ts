import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addUser, openFrontDoor } from './front-door.ts';
import { refused } from './refused.ts';

const door = await openFrontDoor();
const { identity, pass, store } = door;
const teamId = await identity.addTeam({ name: 'Acme' });
const ada = await addUser(door, 0, teamId);
const address = '192.0.2.1';
const minuteMs = 60_000;
const open = (link: string) => identity.openConsoleByLink({ link, address });

test('a link logs its user in, once', async () => {
  const link = await identity.addLoginLink(ada.mail);
  const { userId, accessToken } = await open(link);
  assert.equal(userId, ada.id);
  await identity.authenticateConsole({ token: accessToken, isPolling: false });
  await refused(open(link), 'unauthorized', /already used/);
});

test('of many who open it at the same time, one is logged in', async () => {
  const link = await identity.addLoginLink(ada.mail);
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => open(link)));
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('it lasts 15 minutes, to the millisecond', async () => {
  const [link, late] = [await identity.addLoginLink(ada.mail), await identity.addLoginLink(ada.mail)];
  pass(15 * minuteMs - 1);
  await open(link);
  pass(1);
  await refused(open(late), 'unauthorized');
});

test('it ends with another password, and for an inactive user', async () => {
  const link = await identity.addLoginLink(ada.mail);
  await identity.setPassword(ada.mail, 'another long one');
  await refused(open(link), 'unauthorized');
  const eve = await addUser(door, 0, teamId);
  const hers = await identity.addLoginLink(eve.mail);
  await store.identity.updateUser(eve.id, { status: 1 });
  await refused(open(hers), 'unauthorized');
});

for (const link of ['', 'x', 'x'.repeat(43), 'x'.repeat(10_000)]) {
  test(`a made-up one of ${link.length} characters is refused`, async () => {
    await refused(open(link), 'unauthorized');
  });
}

test('a link that sets a password does not log in, nor the other way round', async () => {
  const bearer = await identity.authenticate((await addUser(door, 0, teamId)).header);
  const link = await identity.addPasswordLink(bearer, bearer.userId, store.identity);
  await refused(open(link), 'unauthorized');
  const login = await identity.addLoginLink(ada.mail);
  await refused(identity.acceptLink({ link: login, newPassword: 'long enough' }), 'invalid');
});
