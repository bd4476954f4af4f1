import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { momentOf, momentParts } from './moment-parts.ts';

describe('a moment is edited by its parts', () => {
  for (const text of [
    '',
    '2027-01-31',
    '2027-01-31T12:00',
    '2027-01-31T12:00:30',
    '2027-01-31T12:00Z',
    '2027-01-31T12:00:00+02:00',
  ])
    test(`and ${text || 'none'} stays what it is`, () => {
      assert.equal(momentOf(momentParts(text) ?? assert.fail()), text);
    });

  test('what is no moment is shown as it is', () => assert.equal(momentParts('tomorrow'), undefined));

  test('without its time it is the day, without its day nothing', () => {
    const parts = { day: '2027-01-31', time: '12:00', offset: 'Z' };
    assert.equal(momentOf({ ...parts, time: '' }), '2027-01-31');
    assert.equal(momentOf({ ...parts, day: '' }), '');
  });
});
