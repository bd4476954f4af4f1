import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PeriodName, periods } from '../../src/reference/periods.ts';
import { periodTimes } from '../../src/statistics/asking/period-times.ts';
import { textInZone } from '../../src/statistics/asking/zones.ts';

/** Begin and end of each period, by the clock of the zone: days of which clocks are moved are among them. */
const cases: readonly (readonly [
  now: string,
  zone: string,
  Partial<Record<PeriodName, readonly [from: string, until: string]>>,
])[] = [
  [
    '2026-11-23T13:50:00Z', // A Monday.
    'UTC',
    {
      Today: ['2026-11-23T00:00:00+00:00', '2026-11-24T00:00:00+00:00'],
      Yesterday: ['2026-11-22T00:00:00+00:00', '2026-11-23T00:00:00+00:00'],
      Last24Hours: ['2026-11-22T13:00:00+00:00', '2026-11-23T13:00:00+00:00'],
      Last7Days: ['2026-11-17T00:00:00+00:00', '2026-11-24T00:00:00+00:00'],
      Last30Days: ['2026-10-25T00:00:00+00:00', '2026-11-24T00:00:00+00:00'],
      ThisWeek: ['2026-11-23T00:00:00+00:00', '2026-11-24T00:00:00+00:00'],
      LastWeek: ['2026-11-16T00:00:00+00:00', '2026-11-23T00:00:00+00:00'],
      ThisMonth: ['2026-11-01T00:00:00+00:00', '2026-11-24T00:00:00+00:00'],
      LastMonth: ['2026-10-01T00:00:00+00:00', '2026-11-01T00:00:00+00:00'],
    },
  ],
  [
    '2027-03-28T21:59:59Z', // The Sunday on which summer begins.
    'Europe/Berlin',
    {
      Today: ['2027-03-28T00:00:00+01:00', '2027-03-29T00:00:00+02:00'],
      ThisWeek: ['2027-03-22T00:00:00+01:00', '2027-03-29T00:00:00+02:00'],
      LastWeek: ['2027-03-15T00:00:00+01:00', '2027-03-22T00:00:00+01:00'],
      Last24Hours: ['2027-03-27T22:00:00+01:00', '2027-03-28T23:00:00+02:00'],
    },
  ],
  [
    '2026-12-31T19:00:00Z',
    'Asia/Kathmandu',
    {
      Today: ['2027-01-01T00:00:00+05:45', '2027-01-02T00:00:00+05:45'],
      LastMonth: ['2026-12-01T00:00:00+05:45', '2027-01-01T00:00:00+05:45'],
    },
  ],
  [
    // Clocks go forward at midnight: the day begins at one.
    '2026-09-06T12:00:00Z',
    'America/Santiago',
    { Yesterday: ['2026-09-05T00:00:00-04:00', '2026-09-06T01:00:00-03:00'] },
  ],
];

for (const [now, zone, expected] of cases) {
  for (const [name, times] of Object.entries(expected)) {
    test(`${name} at ${now} in ${zone}`, () => {
      const found = periodTimes(name as PeriodName, Date.parse(now), zone);
      assert.deepEqual(
        found.map((ms) => textInZone(ms, zone)),
        times,
      );
    });
  }
}

test('no period is left out', () => {
  assert.deepEqual(Object.keys(cases[0]?.[2] ?? {}), Object.keys(periods));
});
