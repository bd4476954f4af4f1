import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newPasswordFaults } from '../../src/identity/new-password.ts';

const mail = 'ada.lovelace@example.com';

/** Passwords, and what is wrong with each; `''` where nothing is. */
const cases: readonly (readonly [password: string, code: string])[] = [
  ...['password', 'PASSWORD', 'Password1!', 'passw0rd', 'P@$$w0rd', 'Passw0rd2024!', '123password'].map(
    (one) => [one, 'common'] as const,
  ),
  ...['12345678', '87654321', '1234567890', '11111111', 'aaaaaaaa', 'abcabcabc', 'abcdabcd', 'abcdefgh'].map(
    (one) => [one, 'common'] as const,
  ),
  ...[
    'qwertyui',
    'QWERTYUIOP',
    'poiuytrewq',
    'iloveyou',
    'administrator',
    'letmein1',
    'changeme',
    'ｐａｓｓｗｏｒｄ',
  ].map((one) => [one, 'common'] as const),
  ...['bourse2026', mail, 'Ada.Lovelace', 'ada.lovelace99'].map((one) => [one, 'common'] as const),
  ...[
    'correct horse battery',
    'long enough',
    'kwv-9dj2-pfm',
    'pass, w:ö"x',
    'Tr4nquil-Otter',
    '東京の朝はとても寒い',
  ].map((one) => [one, ''] as const),
  ['seven77', 'too_short'],
  ['x'.repeat(1025), 'too_long'],
  ['long\0enough', 'encoding'],
  ['constructor of __proto__', ''],
];

describe('a password that somebody chooses', () => {
  for (const [password, code] of cases) {
    test(`${JSON.stringify(password.slice(0, 40))}: ${code || 'taken'}`, async () => {
      const faults = await newPasswordFaults('NewPassword', password, mail);
      assert.deepEqual(
        faults.map(({ Path, Code }) => [Path, Code]),
        code === '' ? [] : [['NewPassword', code]],
      );
      for (const { Message } of faults) assert.equal(Message.includes(password), false);
    });
  }

  test('is judged in a moment, however it is made', async () => {
    const before = process.cpuUsage();
    for (const one of ['1', 'ab', '!@', 'aß', ' ']) {
      await newPasswordFaults('Password', one.repeat(1024 / one.length), mail);
    }
    assert.ok(process.cpuUsage(before).user / 1000 < 2000);
  });
});
