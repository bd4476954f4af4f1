import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { NewUser } from '../../src/identity/people.ts';
import { addUser, openFrontDoor, password } from './front-door.ts';
import { refused } from './refused.ts';

const door = await openFrontDoor();
const { identity } = door;
const address = '192.0.2.1';

describe('the first start (A7)', () => {
  test('makes team 1 and its administrator, with what was given', async () => {
    const { identity: fresh } = await openFrontDoor();
    const given = { mail: 'ada@example.com', password };
    assert.deepEqual(await fresh.ensureAdministrator(given), {
      mail: given.mail,
      generatedPassword: undefined,
    });
    const { accessToken } = await fresh.login({ username: given.mail, password, address });
    const bearer = await fresh.authenticate(`Bearer ${accessToken}`);
    assert.deepEqual(
      { ...bearer, tokenId: 0 },
      { tokenId: 0, userId: 1, teamId: 1, role: 0, kind: 'access', revision: 1 },
    );
  });

  test('makes up a password where none was given, and tells it once', async () => {
    const { identity: fresh } = await openFrontDoor();
    const made = await fresh.ensureAdministrator({});
    assert.equal(made?.mail, 'admin@localhost');
    const madeUp = made?.generatedPassword ?? '';
    assert.match(madeUp, /^[\w-]{16}$/);
    await fresh.login({ username: 'admin@localhost', password: madeUp, address });
    assert.equal(await fresh.ensureAdministrator({}), undefined);
  });

  test('nothing happens where users are', async () => {
    const { identity: fresh, store } = await openFrontDoor();
    await addUser({ ...door, identity: fresh }, 1, await fresh.addTeam({ name: 'Acme' }));
    assert.equal(await fresh.ensureAdministrator({ mail: 'late@example.com', password }), undefined);
    assert.equal(await store.identity.userByMail('late@example.com'), undefined);
  });

  test('two that start at the same time make one administrator', async () => {
    const { identity: fresh, store } = await openFrontDoor();
    const made = await Promise.all([fresh.ensureAdministrator({}), fresh.ensureAdministrator({})]);
    assert.equal(made.filter((administrator) => administrator !== undefined).length, 1);
    assert.equal(await store.identity.user(2), undefined);
  });

  test('a password that is too short is refused', async () => {
    const { identity: fresh, store } = await openFrontDoor();
    await refused(
      fresh.ensureAdministrator({ password: 'seven77' }),
      'invalid',
      /Password must be at least 8/,
    );
    assert.equal(await store.identity.isEmpty(), true);
  });
});

const teamId = await identity.addTeam({ name: 'Acme' });
const taken = await addUser(door, 1, teamId);

describe('users', () => {
  const good: NewUser = { teamId, mail: 'new@example.com', password, role: 1 };
  const bad: readonly { about: string; values: Partial<NewUser>; paths: readonly string[]; says: RegExp }[] =
    [
      {
        about: 'no mail',
        values: { mail: '' },
        paths: ['Mail'],
        says: /e-mail address, like name@example.com/,
      },
      { about: 'a mail without @', values: { mail: 'ada' }, paths: ['Mail'], says: /it is "ada"/ },
      { about: 'a mail with a space', values: { mail: 'a da@example.com' }, paths: ['Mail'], says: /e-mail/ },
      {
        about: 'a common password',
        values: { password: 'Password1' },
        paths: ['Password'],
        says: /one of the first/,
      },
      { about: 'seven characters', values: { password: 'seven77' }, paths: ['Password'], says: /at least 8/ },
      {
        about: 'a long password',
        values: { password: 'x'.repeat(1025) },
        paths: ['Password'],
        says: /at most/,
      },
      { about: 'a NUL in a name', values: { firstName: 'A\0da' }, paths: ['FirstName'], says: /stored/ },
      {
        about: 'a long name',
        values: { lastName: 'x'.repeat(1025) },
        paths: ['LastName'],
        says: /at most 1024/,
      },
      { about: 'role 3', values: { role: 3 }, paths: ['Role'], says: /0 \(administrator\)/ },
      { about: 'role 0.5', values: { role: 0.5 }, paths: ['Role'], says: /must be 0/ },
      { about: 'role -1', values: { role: -1 }, paths: ['Role'], says: /must be 0/ },
      {
        about: 'no such team',
        values: { teamId: 99 },
        paths: ['Team'],
        says: /99 is not found.*bourse team add/,
      },
      { about: 'a taken mail', values: { mail: taken.mail }, paths: ['Mail'], says: /is already used/ },
      {
        about: 'a taken mail in another case',
        values: { mail: taken.mail.toUpperCase() },
        paths: ['Mail'],
        says: /is already used/,
      },
      {
        about: 'several faults',
        values: { mail: 'x', password: 'x', role: 9 },
        paths: ['Mail', 'Password', 'Role'],
        says: /Mail .*; Password .*; Role /,
      },
    ];
  for (const { about, values, paths, says } of bad) {
    test(`${about}: refused`, async () => {
      const { faults } = await refused(identity.addUser({ ...good, ...values }), 'invalid', says);
      assert.deepEqual(
        faults.map(({ Path }) => Path),
        paths,
      );
    });
  }

  test('a password is not repeated in a refusal', async () => {
    const { message } = await refused(identity.addUser({ ...good, password: 'hush' }), 'invalid');
    assert.doesNotMatch(message, /hush/);
  });

  test('a password of eight characters will do', async () => {
    await identity.addUser({ ...good, mail: 'eight@example.com', password: 'k9-dw2jf' });
    await identity.login({ username: 'eight@example.com', password: 'k9-dw2jf', address });
  });

  test('a new password for nobody is refused', async () => {
    await refused(identity.setPassword('nobody@example.com', password), 'invalid', /nobody@example.com/);
  });

  test('a new password is held to the same rule', async () => {
    await refused(identity.setPassword(taken.mail, 'short'), 'invalid', /Password must be at least 8/);
  });
});

describe('teams', () => {
  for (const name of ['', ' ', 'x'.repeat(1025), 'a\0']) {
    test(`the name ${JSON.stringify(name.slice(0, 9))} is refused`, async () => {
      const { faults } = await refused(identity.addTeam({ name }), 'invalid');
      assert.deepEqual(
        faults.map(({ Path }) => Path),
        ['Name'],
      );
    });
  }
});

test('the account is the object of specification 2.1, in its order', async () => {
  const mail = 'grace@example.com';
  const id = await identity.addUser({
    teamId,
    mail,
    password,
    firstName: 'Grace',
    lastName: 'Hopper',
    role: 2,
  });
  const { accessToken } = await identity.issueToken(mail);
  const account = await identity.account(await identity.authenticate(`Bearer ${accessToken}`));
  const team = { Id: teamId, Name: 'Acme', Country: '', City: '', ZipCode: '', Address: '', Phone: '' };
  const expected = {
    Id: id,
    TeamId: teamId,
    Mail: mail,
    FirstName: 'Grace',
    LastName: 'Hopper',
    Role: 2,
    Status: 0,
    StatusString: 'Active',
    Team: team,
  };
  assert.equal(JSON.stringify(account), JSON.stringify(expected));
});
