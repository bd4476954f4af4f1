import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hourOfWeek, zoneClock } from '../../src/shared/zone-clock.ts';
import { seeded } from '../support/seed.ts';

const dayMs = 86_400_000;
const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Africa/Cairo'];
const at = (text: string) => Date.parse(text);

test('a clock shows what the system shows, and its days follow each other without a gap', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones, '', 'Pacific/Chatham', 'America/Santiago', 'Pacific/Kiritimati'),
      fc.integer({ min: at('2020-01-01'), max: at('2036-01-01') }),
      (zone, timeMs) => {
        const clock = zoneClock(zone);
        const shownBy = (timeZone: string, ms: number) =>
          new Intl.DateTimeFormat('en', {
            timeZone,
            weekday: 'long',
            hour: '2-digit',
            hourCycle: 'h23',
          }).format(ms);
        const localMs = timeMs + clock.offsetMs(timeMs);
        assert.equal(shownBy('UTC', localMs), shownBy(zone || 'UTC', timeMs));
        const { startMs, endMs } = clock.dayAt(timeMs);
        assert.ok(startMs <= timeMs && timeMs < endMs);
        assert.equal(clock.dayAt(startMs - 1).endMs, startMs);
        assert.equal(clock.dayAt(endMs).startMs, endMs);
      },
    ),
    seeded(300),
  );
});

test('days have 23, 23.5, 24.5 and 25 hours where clocks change', () => {
  const hoursOf = (zone: string, time: string) => {
    const { startMs, endMs } = zoneClock(zone).dayAt(at(time));
    return (endMs - startMs) / 3_600_000;
  };
  assert.equal(hoursOf('Europe/Berlin', '2027-03-28T12:00Z'), 23);
  assert.equal(hoursOf('Europe/Berlin', '2027-10-31T12:00Z'), 25);
  assert.equal(hoursOf('America/New_York', '2027-03-14T12:00Z'), 23);
  assert.equal(hoursOf('Australia/Lord_Howe', '2027-04-03T18:00Z'), 24.5);
  assert.equal(hoursOf('Australia/Lord_Howe', '2027-10-02T18:00Z'), 23.5);
});

test('weeks begin on Monday', () => {
  assert.equal(hourOfWeek(at('2027-06-14T00:00Z')), 0);
  assert.equal(hourOfWeek(at('2027-06-20T23:59Z')), 167);
  assert.equal(hourOfWeek(-4 * dayMs), 144);
});
