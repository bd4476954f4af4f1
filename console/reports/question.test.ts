import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import '../build/find-field-tables.ts';
import type { ReportSearch } from './report-search.ts';

const { askedFor } = await import('./question.ts');
const { readReportSearch } = await import('./report-search.ts');

describe('what an address asks', () => {
  const cases: readonly (readonly [
    what: string,
    search: ReportSearch,
    question: object,
    leftOut?: readonly string[],
  ])[] = [
    [
      'nothing: the last week by day',
      {},
      {
        Period: 'Last7Days',
        TimeZone: 'UTC',
        GroupBy: ['Day'],
        Measures: ['Requests', 'Impressions', 'FillRate', 'Revenue', 'Cost', 'Profit', 'Margin'],
        Filters: [],
        Total: 1,
      },
    ],
    [
      'days in place of a period',
      { from: '2026-11-01', to: '2026-11-02' },
      { From: '2026-11-01', To: '2026-11-02' },
    ],
    [
      'names that there are none of',
      { by: 'Day,Moon', figures: 'Luck,Clicks' },
      { GroupBy: ['Day'], Measures: ['Clicks'] },
    ],
    [
      'names that every object of JavaScript has',
      {
        period: 'constructor',
        by: 'Day,constructor',
        figures: 'toString,Clicks',
        compare: 'valueOf',
      },
      { GroupBy: ['Day'], Measures: ['Clicks'], CompareTo: undefined },
    ],
    [
      'no figure that is known',
      { figures: 'Luck' },
      { Measures: ['Requests', 'Impressions', 'FillRate', 'Revenue', 'Cost', 'Profit', 'Margin'] },
    ],
    [
      'objects: the greatest first',
      { by: 'Supply', figures: 'Clicks' },
      { OrderBy: [{ Field: 'Clicks', Direction: 'Desc' }] },
    ],
    [
      'an order',
      { by: 'Supply', figures: 'Clicks', sort: 'Supply' },
      { OrderBy: [{ Field: 'Supply', Direction: 'Asc' }] },
    ],
    [
      'an order by what is not asked',
      { by: 'Supply', figures: 'Clicks', sort: 'Cost' },
      { OrderBy: undefined },
    ],
    ['a comparison that there is none of', { compare: 'Tomorrow' }, { CompareTo: undefined }],
    ['a comparison', { compare: 'Week' }, { CompareTo: 'Week' }],
    [
      'figures that are not counted by country',
      { by: 'Country', figures: 'Impressions,PartnerImpressions' },
      { Measures: ['Impressions'] },
      ['PartnerImpressions'],
    ],
  ];
  for (const [what, search, expected, leftOut = []] of cases)
    test(what, () => {
      const asked = askedFor(search, 'UTC');
      for (const [name, value] of Object.entries(expected))
        assert.deepEqual(asked.question[name as 'Total'], value, name);
      assert.deepEqual(asked.leftOut, leftOut);
    });
});

test('an address keeps what it can be asked, and drops the rest', () => {
  const filter = { Field: 'Country', Operator: 'In', Values: ['DE'] } as const;
  const sent = {
    period: '',
    from: '2026-1-1',
    zone: 7,
    by: '',
    limit: -1,
    filter: [filter, { Field: 'Moon', Operator: 'In', Values: [] }, null, 'x'],
    saved: 3,
  };
  const read = Object.entries(readReportSearch(sent)).filter(([, value]) => value !== undefined);
  assert.deepEqual(Object.fromEntries(read), { by: '', filter: [filter], saved: 3 });
});
