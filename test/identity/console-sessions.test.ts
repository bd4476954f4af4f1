import { describe, test } from 'node:test';
import { addUser, openFrontDoor, password } from './front-door.ts';
import { refused } from './refused.ts';

const door = await openFrontDoor();
const { identity, store, pass } = door;
const teamId = await identity.addTeam({ name: 'Acme' });
const { mail: username } = await addUser(door, 0, teamId);
const address = '192.0.2.1';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

async function open() {
  const { accessToken } = await identity.openConsole({ username, password, address });
  const asks = async (isPolling: boolean) => {
    const bearer = await identity.authenticateConsole({ token: accessToken, isPolling });
    // What the use writes, nobody waits for; a later write follows it.
    await store.identity.removeExpired(0);
    return bearer;
  };
  return { token: accessToken, use: () => asks(false), poll: () => asks(true) };
}

describe('a session of the console (A14)', () => {
  test('ends after an hour without use, to the millisecond', async () => {
    const { use } = await open();
    pass(hourMs - 1);
    await use();
    pass(hourMs - 1);
    await use();
    pass(hourMs);
    await refused(use(), 'unauthorized', /log in again/);
  });

  test('is not kept by polling', async () => {
    const { poll } = await open();
    for (let minutes = 0; minutes < 60; minutes += 10) {
      await poll();
      pass(10 * minuteMs);
    }
    await refused(poll(), 'unauthorized');
  });

  test('ends after twelve hours, however much it is used', async () => {
    const { use } = await open();
    for (let minutes = 0; minutes < 12 * 60; minutes += 30) {
      await use();
      pass(30 * minuteMs);
    }
    await refused(use(), 'unauthorized');
  });

  test('its token is no access token, and an access token is no session', async () => {
    const { token, use } = await open();
    await refused(identity.authenticate(`Bearer ${token}`), 'unauthorized');
    const { accessToken } = await identity.login({ username, password, address });
    await refused(identity.authenticateConsole({ token: accessToken, isPolling: false }), 'unauthorized');
    await use();
  });

  test('is not renewed', async () => {
    const { use } = await open();
    await refused(identity.refresh(await use()), 'forbidden', /while it is used/);
    await use();
  });
});
