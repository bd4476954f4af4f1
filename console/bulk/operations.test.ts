import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { numbersIn } from '../api/values.ts';
import type { ShownField } from '../field-tables.ts';
import { operations, operationsFor } from './operations.ts';

const field = (form: ShownField['form'], more: Partial<ShownField> = {}): ShownField => ({
  name: 'F',
  presence: 'optional',
  section: 'General',
  isAdvanced: false,
  help: '',
  place: 'document',
  inArray: true,
  onlyInSingle: false,
  form,
  ...more,
});
const price = field({ type: 'number' }, { unit: 'CPM', omitted: 0 });
const count = field({ type: 'integer' }, { omitted: 0 });
const countries = field({ type: 'array', items: { type: 'object' } });
const ids = field({ type: 'array', items: { type: 'integer' } }, { references: 'Tag' });
const text = field({ type: 'string' });
const code = field({ type: 'integer', enum: [0, 1] });
const fr = { CC: 'FR', Country: 'France' };
const de = { CC: 'DE', Country: 'Germany' };

describe('a field of many objects', () => {
  const cases: readonly (readonly [
    key: string,
    field: ShownField,
    old: unknown,
    entered: unknown,
    next: unknown,
  ])[] = [
    ['set', text, 'a', 'b', 'b'],
    ['raise', price, 1, 10, 1.1],
    ['raise', price, 1.1, 10, 1.21],
    ['lower', price, 0.3, 10, 0.27],
    ['multiply', count, 15, 1.1, 17],
    ['plus', price, 0.1, 0.2, 0.3],
    ['plus', price, undefined, -1, -1],
    ['add-items', countries, [fr], [{ CC: 'DE' }, { CC: 'FR' }], [{ CC: 'FR' }, { CC: 'DE' }]],
    ['remove-items', countries, [fr, de], [{ CC: 'FR' }], [de]],
    ['add-items', ids, [3, 1], [1, 2], [3, 1, 2]],
    ['remove-items', ids, [3, 1], [1, 2], [3]],
    ['clear', countries, [fr], undefined, []],
    ['clear', text, 'a', undefined, ''],
    ['clear', price, 5, undefined, 0],
  ];
  for (const [key, of, old, entered, next] of cases) {
    test(`${key} ${JSON.stringify(old)} by ${JSON.stringify(entered)}`, () => {
      const operation = operationsFor(of).find((one) => one.key === key);
      assert.deepEqual(operation?.apply(old, entered, of), next);
    });
  }

  test('is offered what makes sense for it', () => {
    const keys = (of: ShownField) => operationsFor(of).map(({ key }) => key);
    assert.deepEqual(keys(price), ['set', 'raise', 'lower', 'multiply', 'plus', 'clear']);
    assert.deepEqual(keys(ids), ['set', 'add-items', 'remove-items', 'clear']);
    assert.deepEqual(keys(code), ['set']);
    assert.deepEqual(keys(field({ type: 'string' }, { presence: 'required' })), ['set']);
  });

  test('what is added to a list and removed again leaves what was there before', () => {
    const by = (key: string) => operations.find((one) => one.key === key)?.apply ?? assert.fail(key);
    const items = fc.uniqueArray(fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(items, items, (old, more) => {
        const added = by('add-items')(old, more, ids);
        assert.deepEqual(new Set(numbersIn(added)), new Set([...old, ...more]));
        assert.deepEqual(
          by('remove-items')(added, more, ids),
          old.filter((id) => !more.includes(id)),
        );
      }),
    );
  });
});
