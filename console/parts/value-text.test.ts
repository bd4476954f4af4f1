import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountText, placesFor, valueText } from './value-text.ts';

const column = (amounts: readonly number[], unit: 'USD' | '%' | 'ms') =>
  amounts.map((amount) => amountText(amount, unit, placesFor(amounts, unit)));

test('amounts of a column have the same number of decimal places', () => {
  assert.deepEqual(column([1234.5, 2, 0], 'USD'), ['$1,234.50', '$2.00', '$0.00']);
  assert.deepEqual(column([12.5, 0.0034, -0.02], 'USD'), ['$12.5000', '$0.0034', '-$0.0200']);
  assert.deepEqual(column([0.000_000_1], 'USD'), ['$0.000000']);
  assert.deepEqual(column([], 'USD'), []);
  assert.deepEqual(column([100, 12.34, 0], '%'), ['100.0 %', '12.3 %', '0.0 %']);
  assert.deepEqual(column([1200, 3], 'ms'), ['1,200 ms', '3 ms']);
});

test('hours of the week are said in words, and words stay as they are', () => {
  const field = { form: { type: 'string', format: 'week-hours' } } as const;
  assert.equal(valueText(field, `${'0'.repeat(8)}${'1'.repeat(12)}${'0'.repeat(148)}`), 'Mon 08–20');
  assert.equal(valueText(field, 'Mon–Fri 08–20'), 'Mon–Fri 08–20');
  assert.equal(valueText(field, ''), '');
});
