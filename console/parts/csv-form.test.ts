import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { csvFormFor } from './csv-form.ts';

describe('the form of a CSV', () => {
  const comma = { Separator: 'Comma', Decimal: 'Point' };
  const semicolon = { Separator: 'Semicolon', Decimal: 'Comma' };
  const cases: readonly (readonly [languages: readonly string[], form: object])[] = [
    [['en-US', 'de'], comma],
    [['de-DE', 'en'], semicolon],
    [['fr-FR'], semicolon],
    [['de-CH'], comma],
    [['en-US@posix'], comma],
    [['nonsense tag', 'fr'], semicolon],
    [[], comma],
  ];
  for (const [languages, form] of cases) {
    test(`of a browser of ${languages.join(', ') || 'no language'}`, () =>
      assert.deepEqual(csvFormFor(languages), form));
  }
});
