import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import '../../test/support/field-tables.ts';
import { seeded } from '../../test/support/seed.ts';

const { isCounted, keyOf, pivotOf } = await import('./pivot.ts');

const day = (row: object) => keyOf(['Day'], [], row as never);
const country = (row: object) => keyOf(['Country'], [], row as never);

test('values of several dimensions have one key, and no others have it', () => {
  const keys = [
    keyOf(['A', 'B'], [], { A: 'x', B: 'y' }),
    keyOf(['A', 'B'], [], { A: 'x","y', B: '' }),
    keyOf(['A', 'B'], [], { A: 'x' }),
    keyOf(['A'], ['Kind'], { A: 1, Kind: 'VastTag' }),
    keyOf(['A'], ['Kind'], { A: 1, Kind: 'RtbEp' }),
  ];
  assert.equal(new Set(keys).size, keys.length);
});

test('every row of an answer has its cell, and no cell is of another row', () => {
  const cell = fc.record({
    Day: fc.constantFrom('1', '2', '3'),
    Country: fc.constantFrom('DE', 'FR', ''),
    Requests: fc.nat(),
  });
  const rows = fc.uniqueArray(cell, { selector: ({ Day, Country }) => `${Day} ${Country}` });
  fc.assert(
    fc.property(rows, (answered) => {
      const by = (name: 'Day' | 'Country') =>
        [...new Set(answered.map((row) => row[name]))].map((value) => ({ [name]: value }));
      const pivot = pivotOf(answered, { sums: by('Day'), heads: by('Country'), rest: day, across: country });
      const cells = pivot.rows.flatMap(({ row, cells: of }) =>
        pivot.columns.flatMap(({ key, row: head }) => {
          const found = of.get(key);
          if (found) assert.deepEqual([found.Day, found.Country], [row.Day, head.Country]);
          return found ? [found] : [];
        }),
      );
      assert.equal(cells.length, answered.length);
    }),
    seeded(300),
  );
});

test('a row counts if it or what it is compared with has a figure', () => {
  const cases = [
    [{ Requests: 0, Wins: 0 }, false],
    [{ Requests: 0, Wins: 2 }, true],
    [{ Requests: 0, Before: { Requests: 3 } }, true],
    [{ Requests: null }, false],
  ] as const;
  for (const [row, counts] of cases)
    assert.equal(isCounted(row, ['Requests', 'Wins']), counts, JSON.stringify(row));
});
