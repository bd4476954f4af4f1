import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hashPassword, verifyPassword } from '../../src/identity/passwords.ts';

/** Of the reference implementation's own tests (P-H-C/phc-winner-argon2, src/test.c, Argon2id version 0x13). */
const referenceHash = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';

test('a hash is a PHC string with the parameters of OWASP, and never twice the same', async () => {
  const hashes = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  for (const hash of hashes) {
    assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    assert.doesNotMatch(hash, /correct/);
  }
  assert.notEqual(hashes[0], hashes[1]);
});

const pairs = [
  { about: 'the same password', stored: 'correct horse', given: 'correct horse', isRight: true },
  { about: 'another password', stored: 'correct horse', given: 'correct horses', isRight: false },
  { about: 'another case', stored: 'correct horse', given: 'Correct horse', isRight: false },
  { about: 'an empty one', stored: 'correct horse', given: '', isRight: false },
  {
    about: 'the same letters, composed otherwise',
    stored: 'caf\u00e9 noir',
    given: 'cafe\u0301 noir',
    isRight: true,
  },
  { about: 'any Unicode', stored: '密码密码密码🔑🔑', given: '密码密码密码🔑🔑', isRight: true },
];

describe('a stored hash', () => {
  for (const { about, stored, given, isRight } of pairs) {
    test(`${isRight ? 'knows' : 'refuses'} ${about}`, async () => {
      assert.equal(await verifyPassword(given, await hashPassword(stored)), isRight);
    });
  }

  test('of other parameters is read by its own', async () => {
    assert.equal(await verifyPassword('password', referenceHash), true);
    assert.equal(await verifyPassword('passwort', referenceHash), false);
  });

  test('that is none rejects', async () => {
    for (const hash of ['', 'plain text', '$2b$12$abcdefghijklmnopqrstuv']) {
      await assert.rejects(verifyPassword('password', hash), /no PHC string/);
    }
  });
});

test('without a hash every password is wrong, after as much work', async () => {
  const hash = await hashPassword('correct horse');
  const spent = async (stored: string | undefined) => {
    // Processor time, which other work of the machine hardly changes.
    const before = process.cpuUsage();
    assert.equal(await verifyPassword('wrong', stored), false);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const rounds: { with: number; without: number }[] = [];
  for (let round = 0; round < 5; round += 1)
    rounds.push({ with: await spent(hash), without: await spent(undefined) });
  const least = (kind: 'with' | 'without') => Math.min(...rounds.map((round) => round[kind]));
  const ratio = least('without') / least('with');
  assert.ok(ratio > 0.5 && ratio < 2, `no user: ${least('without')} ms, a user: ${least('with')} ms`);
});
