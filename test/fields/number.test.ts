import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { omittedAs } from '../../src/fields/field.ts';
import { choice, cpm, flag, idSchema, int, percent, usd } from '../../src/fields/number.ts';
import { seeded } from '../support/seed.ts';

const help = '';
const moneyMax = 1_000_000;
const micro = 1e-6;

/** Kinds of amounts with the greatest of each. */
const amounts = {
  usd: usd({ help }),
  cpm: cpm({ help }),
  percent: percent({ help }),
  margin: percent({ help, max: 1000 }),
};
const maxima = { usd: moneyMax, cpm: moneyMax, percent: 100, margin: 1000 };

for (const [name, field] of Object.entries(amounts)) {
  const max = maxima[name as keyof typeof maxima];
  const kept = (value: number) => Number(field.clean?.(value));
  const amount = fc.oneof(
    fc.double({ min: 0, max, noNaN: true }),
    fc.double({ min: 0, max: 1e-4, noNaN: true }),
    // Around half of the last decimal, where rounding turns.
    fc
      .tuple(fc.nat({ max: max * 100 }), fc.double({ min: 0.49, max: 0.51, noNaN: true }))
      .map(([whole, half]) => Math.min(max, (whole + half) * micro)),
  );

  suite(`${name} keeps six decimals`, () => {
    test('an amount of six decimals or fewer stays as it is', () => {
      fc.assert(
        fc.property(fc.integer({ min: 0, max: max * 1e6 }), fc.nat({ max: 6 }), (units, decimals) => {
          const value = Number((units / 1e6).toFixed(decimals));
          assert.equal(kept(value), value);
        }),
        seeded(5000),
      );
    });

    test('what is kept has at most six decimals, as it is written too', () => {
      fc.assert(
        fc.property(amount, (value) => assert.match(JSON.stringify(kept(value)), /^\d+(\.\d{1,6})?$/)),
        seeded(5000),
      );
    });

    test('what is kept is the nearest', () => {
      fc.assert(
        fc.property(amount, (value) => {
          assert.ok(Math.abs(kept(value) - value) <= micro / 2 + max * Number.EPSILON);
        }),
        seeded(5000),
      );
    });

    test('what is kept is kept when it is sent again, and is still in range', () => {
      fc.assert(
        fc.property(amount, (value) => {
          const once = kept(value);
          assert.equal(kept(once), once);
          assert.ok(once >= 0 && once <= max);
        }),
        seeded(5000),
      );
    });

    test('the order of amounts is kept', () => {
      fc.assert(
        fc.property(amount, amount, (left, right) => {
          const [low, high] = left <= right ? [left, right] : [right, left];
          assert.ok(kept(low) <= kept(high));
        }),
        seeded(5000),
      );
    });
  });
}

test('money, by examples', () => {
  const examples = [
    [0, 0],
    [1.5, 1.5],
    [0.1 + 0.2, 0.3],
    [0.0000004, 0],
    [0.0000005, 0.000001],
    [0.0000014, 0.000001],
    [1.2345678, 1.234568],
    [999_999.9999999, 1_000_000],
    [999_999.999999, 999_999.999999],
    [1_000_000, 1_000_000],
  ] as const;
  for (const [sent, stored] of examples) assert.equal(usd({ help }).clean?.(sent), stored);
});

/** Fields, values that their schemas take, and values that they refuse. */
const table = {
  int: { field: int({ help }), good: [0, 1, 2_147_483_647], bad: [-1, 2_147_483_648, 1.5, '1', true, null] },
  flag: { field: flag({ help }), good: [0, 1], bad: [2, -1, 0.5, true, '1', null] },
  choice: {
    field: choice({ help, codes: { 1: 'one', 2: 'two', 5: 'five' } }),
    good: [1, 2, 5],
    bad: [0, 3, 1.5, '1', null],
  },
  usd: {
    field: usd({ help }),
    good: [0, 0.000001, 1_000_000],
    bad: [-0.000001, 1_000_000.000001, '1', null, Number.NaN],
  },
  percent: { field: percent({ help }), good: [0, 0.5, 100], bad: [-1, 100.000001, Number.POSITIVE_INFINITY] },
  margin: { field: percent({ help, max: 1000 }), good: [100.5, 1000], bad: [1000.000001] },
} as const;

for (const [name, { field, good, bad }] of Object.entries(table)) {
  test(`${name} takes what is in its range and nothing else`, () => {
    for (const value of good) assert.ok(Value.Check(field.accepts, value), `takes ${value}`);
    for (const value of bad)
      assert.ok(!Value.Check(field.accepts, value), `refuses ${JSON.stringify(value)}`);
    assert.ok(Value.Check(field.accepts, field.example), 'takes its example');
  });
}

test('an ID is a whole number from 1', () => {
  for (const value of [1, 2_147_483_647]) assert.ok(Value.Check(idSchema, value));
  for (const value of [0, -1, 1.5, 2_147_483_648, '1', null]) assert.ok(!Value.Check(idSchema, value));
});

test('what is stored where nothing is sent', () => {
  assert.equal(int({ help }).omitted, 0);
  assert.equal(usd({ help }).omitted, 0);
  assert.equal(choice({ help, codes: { 1: 'one', 2: 'two' } }).omitted, 0);
  assert.equal(omittedAs(1, choice({ help, codes: { 1: 'one', 2: 'two' } })).omitted, 1);
});
