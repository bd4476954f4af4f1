import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type PeriodName, periods } from '../../src/reference/periods.ts';
import { periodTimes } from '../../src/statistics/asking/period-times.ts';
import { seeded } from '../../test/support/seed.ts';
import { dayStart } from '../parts/zone-text.ts';
import { dayAfter, daysOf, periodText, todayIn } from './period.ts';

describe('a day', () => {
  const cases: readonly (readonly [day: string, days: number, other: string])[] = [
    ['2027-01-31', 1, '2027-02-01'],
    ['2027-03-01', -1, '2027-02-28'],
    ['2028-03-01', -1, '2028-02-29'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2027-01-01', 0, '2027-01-01'],
  ];
  for (const [day, days, other] of cases)
    test(`${days} after ${day} is ${other}`, () => assert.equal(dayAfter(day, days), other));
});

test('today is another day elsewhere', () => {
  const cases = [
    ['UTC', '2027-01-01'],
    ['America/New_York', '2026-12-31'],
    ['Pacific/Kiritimati', '2027-01-01'],
  ] as const;
  for (const [zone, day] of cases) assert.equal(todayIn(zone, Date.parse('2027-01-01T03:00Z')), day, zone);
});

describe('the days of a period, on a Sunday and a Monday', () => {
  const cases: readonly (readonly [
    period: string,
    now: string,
    days: readonly [from: string, to: string] | undefined,
  ])[] = [
    ['Today', '2027-02-28', ['2027-02-28', '2027-02-28']],
    ['Yesterday', '2027-03-01', ['2027-02-28', '2027-02-28']],
    ['Last7Days', '2027-03-01', ['2027-02-23', '2027-03-01']],
    ['Last30Days', '2027-03-01', ['2027-01-31', '2027-03-01']],
    ['ThisWeek', '2027-02-28', ['2027-02-22', '2027-02-28']],
    ['ThisWeek', '2027-03-01', ['2027-03-01', '2027-03-01']],
    ['LastWeek', '2027-02-28', ['2027-02-15', '2027-02-21']],
    ['LastWeek', '2027-03-01', ['2027-02-22', '2027-02-28']],
    ['ThisMonth', '2027-03-01', ['2027-03-01', '2027-03-01']],
    ['LastMonth', '2027-03-01', ['2027-02-01', '2027-02-28']],
    ['LastMonth', '2027-01-15', ['2026-12-01', '2026-12-31']],
    ['Last24Hours', '2027-03-01', undefined],
    ['Tomorrow', '2027-03-01', undefined],
    ['constructor', '2027-03-01', undefined],
  ];
  for (const [period, now, days] of cases)
    test(`${period} on ${now}`, () =>
      assert.deepEqual(daysOf(period, 'UTC', Date.parse(`${now}T12:00Z`)), days));
});

test('the days of a period begin and end when those of its report do, in every zone', () => {
  const ofDays = Object.keys(periods).filter((name) => name !== 'Last24Hours') as readonly PeriodName[];
  const bounds = { noInvalidDate: true, min: new Date('2020-01-02'), max: new Date('2036-12-31') };
  fc.assert(
    fc.property(
      fc.constantFrom(...ofDays),
      fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
      fc.date(bounds),
      (period, zone, now) => {
        const [from = '', to = ''] = daysOf(period, zone, now.getTime()) ?? [];
        const [fromMs, untilMs] = periodTimes(period, now.getTime(), zone);
        assert.deepEqual(
          [dayStart(from, zone), dayStart(to, zone, 1)],
          [new Date(fromMs).toJSON(), new Date(untilMs).toJSON()],
        );
      },
    ),
    seeded(1000),
  );
});

describe('the name of a period', () => {
  const cases = [
    ['Today', 'Today'],
    ['Last24Hours', 'Last 24 hours'],
    ['Last7Days', 'Last 7 days'],
    ['ThisMonth', 'This month'],
  ] as const;
  for (const [name, text] of cases) test(text, () => assert.equal(periodText(name), text));
});
