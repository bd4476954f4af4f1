import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { zoneQuery } from '../../src/exchange/doors/query.ts';
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
    ['the first of two', '?a=1&a=2', '1', 1],
    ['encoded, also its name', '?%61=a%26b+c', 'a&b c', undefined],
    ['a macro that was not filled', '?a={w}', '', undefined],
    ['the same, encoded', '?a=%7Bw%7D', '', undefined],
    ['braces that are no macro', '?a={a b}', '{a b}', undefined],
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
    ['-1', undefined],
    ['1e3', undefined],
    ['1,5', undefined],
    ['Infinity', undefined],
    ['1234567890', undefined],
  ];
  for (const [value, amount] of amounts) {
    test(`the amount ${value}`, () => assert.equal(zoneQuery(`/vast?a=${value}`).amount('a'), amount));
  }

  test('of whatever query are those of the URL standard', () => {
    const part = fc.string({ unit: fc.constantFrom(...'ab=&+%2f6c9'), maxLength: 12 });
    const queries = fc.array(part).map((parts) => parts.join('&'));
    fc.assert(
      fc.property(queries, (query) => {
        const standard = new URLSearchParams(query);
        const read = zoneQuery(`/vast?${query}`);
        for (const name of standard.keys()) assert.equal(read.text(name), standard.get(name));
      }),
      seeded(500),
    );
  });
});
