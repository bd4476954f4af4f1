import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isNeeded, isWide } from './field-form.ts';

describe('a field of a form', () => {
  const markup = { name: 'Html', omitted: '', onlyIf: { field: 'Type', values: [2] } } as const;
  const cases: readonly (readonly [what: string, values: object, isShown: boolean])[] = [
    ['is shown if it has an effect', { Type: 2, Html: '' }, true],
    ['is not shown if it has none', { Type: 1, Html: '' }, false],
    ['is not shown if it has none and was never set', { Type: 1 }, false],
    ['is shown if it is set, though without effect', { Type: 1, Html: '<p>' }, true],
  ];
  for (const [what, values, isShown] of cases)
    test(what, () => assert.equal(isNeeded(markup, { ...values }), isShown));

  test('that needs another one is shown once that has a value', () => {
    const mode = { name: 'SeatListMode', omitted: 0, onlyIf: { field: 'SeatList', isSet: true } } as const;
    for (const [SeatList, isShown] of [
      ['', false],
      [[], false],
      [0, false],
      ['seat-1', true],
      [[7], true],
    ] as const)
      assert.equal(isNeeded(mode, { SeatList, SeatListMode: 0 }), isShown);
    assert.ok(isNeeded(mode, { SeatList: '', SeatListMode: 1 }));
  });

  test('that depends on no other is shown', () => assert.ok(isNeeded({ name: 'Name', omitted: '' }, {})));

  test('takes the whole width if it is long', () => {
    assert.ok(isWide({ form: { type: 'string', format: 'url' }, place: 'document' }));
    assert.ok(isWide({ form: { type: 'array' }, place: 'connection' }));
    assert.ok(!isWide({ form: { type: 'integer' }, place: 'document' }));
    assert.ok(!isWide({ form: { type: 'string', maxLength: 1024 }, place: 'document' }));
  });
});
