import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import '../build/find-field-tables.ts';
import type { Remedy } from '../../src/answers/failure.ts';
import type { ReportSearch } from './report-search.ts';

const { applyRemedy } = await import('./apply-remedy.ts');

describe('a remedy changes the address of a report', () => {
  const january = { from: '2024-01-01', to: '2024-01-31', by: 'Hour' };
  const country = { Field: 'Country', Operator: 'In', Values: ['DE'] } as const;
  const cases: readonly (readonly [
    label: string,
    search: ReportSearch,
    remedy: Remedy,
    changed: ReportSearch,
  ])[] = [
    [
      'Use UTC days',
      { ...january, zone: 'Europe/Berlin' },
      { GroupBy: ['Day'], TimeZone: 'UTC' },
      { by: 'Day', zone: 'UTC' },
    ],
    ['Use UTC days', { by: 'Creative' }, { TimeZone: 'UTC' }, { zone: 'UTC' }],
    [
      'Start on 2 Nov 2026',
      { ...january, zone: 'Europe/Berlin' },
      { From: '2026-11-01T00:00:00Z' },
      { from: '2026-11-02', to: '2026-11-27' },
    ],
    [
      'Start on 1 Nov 2026',
      { ...january, to: '2026-11-05', zone: 'UTC' },
      { From: '2026-11-01T00:00:00Z' },
      { from: '2026-11-01', to: '2026-11-05' },
    ],
    [
      'Start on 1 Nov 2026',
      { period: 'LastMonth', zone: 'UTC' },
      { From: '2026-11-01T00:00:00Z' },
      { period: undefined, from: '2026-11-01', to: '2026-11-27' },
    ],
    [
      'Leave out Country',
      { by: 'Hour,Country', figures: 'Wins', filter: [country] },
      { LeaveOut: ['Country'] },
      { by: 'Hour', figures: 'Wins', filter: [] },
    ],
    ['Leave out Wins', { by: 'Day', figures: 'Clicks,Wins' }, { LeaveOut: ['Wins'] }, { figures: 'Clicks' }],
    [
      'Leave out Wins',
      { by: 'Day', figures: 'Wins' },
      { LeaveOut: ['Wins'], AskFor: ['Clicks', 'Bids'] },
      { figures: 'Clicks,Bids' },
    ],
    ['Leave out Wins', { by: 'Day', figures: 'Wins' }, { LeaveOut: ['Wins'] }, { figures: undefined }],
    ['Compare with nothing', { compare: 'Week' }, { LeaveOut: ['CompareTo'] }, { compare: undefined }],
  ];
  for (const [label, search, remedy, changed] of cases)
    test(`${JSON.stringify(search)}: ${label}`, () => {
      const way = applyRemedy(search, remedy, '2026-11-27');
      const said = (values: object) => Object.entries(values).filter(([, value]) => value !== undefined);
      assert.equal(way.label, label);
      assert.deepEqual(
        Object.fromEntries(said(way.search)),
        Object.fromEntries(said({ ...search, ...changed })),
      );
    });
});
