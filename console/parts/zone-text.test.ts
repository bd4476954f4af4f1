import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayStart } from './zone-text.ts';

const cases: readonly (readonly [day: string, zone: string, later: number, start: string])[] = [
  ['2026-11-23', 'UTC', 0, '2026-11-23T00:00:00.000Z'],
  ['2026-11-23', 'UTC', 1, '2026-11-24T00:00:00.000Z'],
  ['2026-12-31', 'Europe/Berlin', 1, '2026-12-31T23:00:00.000Z'],
  ['2026-07-01', 'America/New_York', 0, '2026-07-01T04:00:00.000Z'],
  ['2026-07-01', 'Asia/Kolkata', 0, '2026-06-30T18:30:00.000Z'],
  ['2026-07-01', 'Pacific/Kiritimati', 0, '2026-06-30T10:00:00.000Z'],
  ['2026-07-01', 'Pacific/Niue', 0, '2026-07-01T11:00:00.000Z'],
  // Clocks are set on these days, before and after midnight of UTC.
  ['2026-03-29', 'Europe/Berlin', 0, '2026-03-28T23:00:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', 1, '2026-03-29T22:00:00.000Z'],
  ['2026-10-25', 'Europe/Berlin', 1, '2026-10-25T23:00:00.000Z'],
  ['2026-10-04', 'Australia/Sydney', 0, '2026-10-03T14:00:00.000Z'],
  ['2026-10-05', 'Australia/Sydney', 0, '2026-10-04T13:00:00.000Z'],
  // Clocks go forward at midnight: the day begins at one.
  ['2026-03-08', 'America/Havana', 0, '2026-03-08T05:00:00.000Z'],
  ['2026-09-06', 'America/Santiago', 0, '2026-09-06T04:00:00.000Z'],
  ['2026-04-24', 'Africa/Cairo', 0, '2026-04-23T22:00:00.000Z'],
  // Clocks go back to midnight, of which there are two.
  ['2026-11-01', 'America/Havana', 0, '2026-11-01T04:00:00.000Z'],
  ['2026-11-01', 'America/New_York', 0, '2026-11-01T04:00:00.000Z'],
  ['2026-11-01', 'America/New_York', 1, '2026-11-02T05:00:00.000Z'],
];
for (const [day, zone, later, start] of cases) {
  test(`${day}${later === 0 ? '' : ' and a day'} begins in ${zone} at ${start}`, () => {
    assert.equal(dayStart(day, zone, later), start);
  });
}
