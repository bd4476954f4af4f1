import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import '../build/find-field-tables.ts';
import { seeded } from '../../test/support/seed.ts';
import type { Row } from './question.ts';

const { linesOf } = await import('./series.ts');

const starts = ['2027-01-01T00:00:00+00:00', '2027-01-02T00:00:00+00:00', '2027-01-03T00:00:00+00:00'];
const [first = '', second = '', third = ''] = starts;
const later = Date.parse('2027-02-01');

const drawn = (groups: readonly string[], rows: readonly Row[], figure = 'Requests', nowMs = later) =>
  linesOf(
    {
      question: { TimeZone: 'UTC', GroupBy: groups, Measures: [figure], Filters: [], Total: 1 },
      Rows: rows,
    },
    { starts, figure, codes: {}, nowMs },
  );

interface Case {
  readonly what: string;
  readonly by?: readonly string[];
  readonly figure?: string;
  readonly nowMs?: number;
  readonly rows: readonly Row[];
  readonly lines: readonly (readonly [name: string, values: readonly (number | null)[]])[];
  readonly omitted?: number;
}

const countries = Array.from({ length: 8 }, (_, index) => `C${index}`);
const isolated = (text: string) => `\u2068${text}\u2069`;

const cases: readonly Case[] = [
  {
    what: 'a count where nothing was counted is 0',
    rows: [{ Day: second, Requests: 5 }],
    lines: [['Requests', [0, 5, 0]]],
  },
  {
    what: 'a rate where nothing was counted is none',
    figure: 'FillRate',
    rows: [
      { Day: first, FillRate: 50, Requests: 2 },
      { Day: second, FillRate: null },
    ],
    lines: [['Fill rate', [50, null, null]]],
  },
  {
    what: 'what is to come is not drawn',
    nowMs: Date.parse('2027-01-02T09:00Z'),
    rows: [{ Day: first, Requests: 1 }],
    lines: [['Requests', [1, 0]]],
  },
  {
    what: 'the time before is a line of its own',
    rows: [{ Day: first, Requests: 1, Before: { Requests: 3 } }],
    lines: [
      ['Requests', [1, 0, 0]],
      ['Before', [3, 0, 0]],
    ],
  },
  {
    what: 'values have a line each, the greatest first',
    by: ['Day', 'Country'],
    rows: [
      { Day: first, Country: 'DE', Requests: 1 },
      { Day: third, Country: 'DE', Requests: 1 },
      { Day: second, Country: 'FR', Requests: 9 },
    ],
    lines: [
      [isolated('FR'), [0, 9, 0]],
      [isolated('DE'), [1, 0, 1]],
    ],
  },
  {
    what: 'more than six are only counted',
    by: ['Day', 'Country'],
    rows: countries.map((Country, index) => ({ Day: first, Country, Requests: 8 - index })),
    lines: countries.slice(0, 6).map((name, index) => [isolated(name), [8 - index, 0, 0]]),
    omitted: 2,
  },
  {
    what: 'a step that has begun since the steps were asked for is not drawn as another one',
    by: ['Day', 'Country'],
    rows: [
      { Day: first, Country: 'DE', Requests: 1 },
      { Day: '2027-01-04T00:00:00+00:00', Country: 'DE', Requests: 7 },
    ],
    lines: [[isolated('DE'), [1, 0, 0]]],
  },
  {
    what: 'a name that is long is cut',
    by: ['Day', 'Site'],
    rows: [{ Day: first, Site: 'x'.repeat(50), Requests: 1 }],
    lines: [[isolated(`${'x'.repeat(40)}…`), [1, 0, 0]]],
  },
  {
    what: 'values that read the same are apart',
    by: ['Day', 'Site'],
    rows: [
      { Day: first, Site: '\\other', Requests: 2 },
      { Day: first, Site: 'other', Requests: 1 },
    ],
    lines: [
      [isolated('other'), [2, 0, 0]],
      [isolated('all others'), [1, 0, 0]],
    ],
  },
];

describe('the lines of a figure over time', () => {
  for (const { what, by = ['Day'], figure, nowMs, rows, lines, omitted = 0 } of cases)
    test(what, () => {
      const found = drawn(by, rows, figure, nowMs);
      assert.deepEqual(
        found.series.map(({ name, values }) => [name, values]),
        lines,
      );
      assert.equal(found.omitted, omitted);
    });

  test('hold every value once, at its own step, as far as lines go', () => {
    const cell = fc.record({
      Day: fc.constantFrom(...starts),
      Country: fc.constantFrom('DE', 'FR', 'IT', ''),
      Requests: fc.integer({ min: 1, max: 1000 }),
    });
    const rows = fc.uniqueArray(cell, { selector: ({ Day, Country }) => `${Day} ${Country}` });
    fc.assert(
      fc.property(rows, (answered) => {
        const { series, omitted } = drawn(['Day', 'Country'], answered);
        assert.equal(omitted, 0);
        for (const [index, start] of starts.entries()) {
          const shown = series.map(({ values }) => values[index] ?? 0).filter((value) => value > 0);
          const sent = answered.filter(({ Day }) => Day === start).map(({ Requests }) => Requests);
          assert.deepEqual(shown.toSorted(), sent.toSorted());
        }
        const sums = series.map(({ values }) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0));
        assert.deepEqual(
          sums,
          sums.toSorted((one, other) => other - one),
        );
      }),
      seeded(300),
    );
  });
});
