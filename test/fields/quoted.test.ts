import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { quoted } from '../../src/fields/quoted.ts';

const cases: Readonly<Record<string, string>> = {
  'a.example': '"a.example"',
  'Domain;Clicks': '"Domain;Clicks"',
  '"a","b"': '"\\"a\\",\\"b\\""',
  'a\\': '"a\\\\"',
  'a\tb\r\nc': '"a\\u0009b\\u000d\\u000ac"',
  '\u202ea\u2028b\u200b': '"\\u202ea\\u2028b\\u200b"',
  '\u{e0001}': '"\\udb40\\udc01"',
  'é ключ': '"é ключ"',
};

suite('a text that somebody has sent', () => {
  for (const [text, shown] of Object.entries(cases)) {
    test(`is shown as ${shown}`, () => assert.equal(quoted(text), shown));
  }
  test('is cut, also in the middle of a pair of surrogates', () => {
    assert.equal(quoted('a'.repeat(81)), `"${'a'.repeat(80)}…"`);
    assert.equal(quoted(`${'a'.repeat(79)}\u{1f600}`), `"${'a'.repeat(79)}\\ud83d…"`);
  });
});
