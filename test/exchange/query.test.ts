import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { zoneQuery } from '../../src/exchange/reading/query.ts';
import { seeded } from '../support/seed.ts';

describe('values of a zone URL', () => {
  const cases: readonly [name: string, query: string, text: string, integer: number | undefined][] = [
    ['no query', '', '', undefined],
    ['absent', '?b=1', '', undefined],
    ['without a value', '?a', '', undefined],
    ['a number', '?b=2&a=7', '7', 7],
    ['beyond what it may be', '?a=101', '101', undefined],
    ['below', '?a=-1', '-1', undefined],
    ['no whole number', '?a=1.5', '1.5', undefined],
    ['a whole number with decimals', '?a=7.0', '7.0', 7],
    ['a whole number with an exponent', '?a=1e1', '1e1', 10],
    ['beyond, by its exponent', '?a=1e3', '1e3', undefined],
    ['no whole number, by its exponent', '?a=1e-1', '1e-1', undefined],
    ['with a sign that no number has', '?a=%2B7', '+7', undefined],
    ['hexadecimal', '?a=0x7', '0x7', undefined],
    ['the first of two', '?a=1&a=2', '1', 1],
    ['encoded, also its name', '?%61=a%26b+c', 'a&b c', undefined],
    ['a macro that was not filled', '?a={w}', '', undefined],
    ['the same, encoded', '?a=%7Bw%7D', '', undefined],
    ['braces that are no macro', '?a={a b}', '{a b}', undefined],
    ['a name after &amp;', '?b=1&amp;a=7', '7', 7],
    ['the same, escaped twice', '?b=1&amp;amp;a=7', '7', 7],
    ['the same, in capitals', '?b=1&AMP;a=7', '7', 7],
    ['amp; within a value', '?a=7%26amp;b', '7&amp;b', undefined],
    ['no UTF-8', '?a=%ff%', '\ufffd%', undefined],
  ];
  for (const [name, query, text, integer] of cases) {
    test(name, () => {
      const read = zoneQuery(`/vast${query}`);
      assert.deepEqual([read.text('a'), read.integer('a', 100)], [text, integer]);
    });
  }

  const amounts: readonly [value: string, amount: number | undefined][] = [
    ['0.25', 0.25],
    ['7', 7],
    ['0.8333333333333334', 0.8333333333333334],
    ['0.1000000000000000055511151231257827', 0.1],
    ['1e3', 1000],
    ['1E2', 100],
    ['1.5e%2B2', 150],
    ['5e-7', 5e-7],
    ['1234567890e-1', 123_456_789],
    ['999999999.99', 999_999_999.99],
    ['-1', undefined],
    ['-0', undefined],
    ['%2B1', undefined],
    ['1e', undefined],
    ['e2', undefined],
    ['1e2.5', undefined],
    ['1.', undefined],
    ['.5', undefined],
    ['0x10', undefined],
    ['NaN', undefined],
    ['1e9', undefined],
    ['1e400', undefined],
    [`1e${'9'.repeat(4000)}`, undefined],
    ['1,5', undefined],
    ['Infinity', undefined],
    ['1234567890', undefined],
  ];
  for (const [value, amount] of amounts) {
    test(`the amount ${value}`, () => assert.equal(zoneQuery(`/vast?a=${value}`).amount('a'), amount));
  }

  test('an amount is read as JSON writes it', () => {
    const amount = fc.double({ min: 0, max: 1e9, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(amount, (value) => {
        const written = encodeURIComponent(JSON.stringify(value));
        assert.equal(zoneQuery(`/vast?a=${written}`).amount('a'), value);
      }),
      seeded(500),
    );
  });

  test('of whatever query are those of the URL standard', () => {
    const part = fc.string({ unit: fc.constantFrom(...'ab=&+%2f6c9'), maxLength: 12 });
    const queries = fc.array(part).map((parts) => parts.join('&'));
    fc.assert(
      fc.property(queries, (query) => {
        const standard = new URLSearchParams(query);
        const read = zoneQuery(`/vast?${query}`);
        for (const name of standard.keys()) {
          const text = read.text(name);
          if (read.unfilled.includes(name)) assert.match(query, /%%|%\w+%/);
          else assert.equal(text, standard.get(name));
        }
      }),
      seeded(500),
    );
  });
});
