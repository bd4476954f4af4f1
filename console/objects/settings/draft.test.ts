import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { seeded } from '../../../test/support/seed.ts';
import { conflictsIn, type Draft, draftOf, dropField, setField } from './draft.ts';

const stored = { Bidfloor: 1, Name: 'Tag', Countries: [{ CC: 'DE' }] };
const none: Draft = { changed: {}, base: {} };
const floor = setField(none, 'Bidfloor', 2, stored);

describe('a draft', () => {
  const cases: readonly (readonly [what: string, draft: Draft, changed: object, base: object])[] = [
    ['with a value', floor, { Bidfloor: 2 }, { Bidfloor: 1 }],
    ['with the stored value typed again', setField(floor, 'Bidfloor', 1, stored), {}, {}],
    ['with an equal list', setField(none, 'Countries', [{ CC: 'DE' }], stored), {}, {}],
    [
      'typed on after the stored value has changed keeps what it began with',
      setField(floor, 'Bidfloor', 3, { ...stored, Bidfloor: 9 }),
      { Bidfloor: 3 },
      { Bidfloor: 1 },
    ],
    [
      'of a field that nothing is stored of',
      setField(none, 'Tmax', 300, stored),
      { Tmax: 300 },
      { Tmax: undefined },
    ],
    ['without its field', dropField(floor, 'Bidfloor'), {}, {}],
    ['of a whole form', draftOf({ ...stored, Name: 'New' }, stored), { Name: 'New' }, { Name: 'Tag' }],
  ];
  for (const [what, draft, changed, base] of cases)
    test(what, () => assert.deepEqual(draft, { changed, base }));

  test('holds exactly what differs from the stored values, whatever is typed', () => {
    const field = fc.constantFrom('a', 'b', 'c');
    const value = fc.constantFrom<unknown>(undefined, 0, 1, '', [1], { x: 1 });
    fc.assert(
      fc.property(fc.dictionary(field, value), fc.array(fc.tuple(field, value)), (kept, typed) => {
        const draft = typed.reduce((made, [name, one]) => setField(made, name, one, kept), none);
        const last = new Map(typed);
        const differs = [...last].filter(([name, one]) => JSON.stringify(one) !== JSON.stringify(kept[name]));
        assert.deepEqual({ ...draft.changed }, Object.fromEntries(differs));
        assert.deepEqual(conflictsIn(draft, kept), []);
      }),
      seeded(500),
    );
  });
});

describe('a conflict', () => {
  const cases: readonly (readonly [what: string, now: object, conflicts: readonly object[]])[] = [
    ['is none while the field stays', { ...stored, Name: 'Renamed' }, []],
    [
      'is what somebody else has stored meanwhile',
      { ...stored, Bidfloor: 5 },
      [{ field: 'Bidfloor', mine: 2, theirs: 5, before: 1 }],
    ],
    ['is none if both have typed the same', { ...stored, Bidfloor: 2 }, []],
  ];
  for (const [what, now, conflicts] of cases)
    test(what, () => assert.deepEqual(conflictsIn(floor, { ...now }), conflicts));
});
