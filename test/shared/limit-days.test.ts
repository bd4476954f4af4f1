import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  dayKey,
  dayNumber,
  type FormerZone,
  formerZonesAfter,
  limitDays,
} from '../../src/shared/limit-days.ts';
import { zoneClock } from '../../src/shared/zone-clock.ts';
import { seeded } from '../support/seed.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const at = (text: string) => Date.parse(text);
const zones = [
  ...['', 'UTC', 'Europe/Berlin', 'Europe/London', 'America/New_York', 'America/St_Johns', 'America/Adak'],
  ...['Australia/Lord_Howe', 'Pacific/Chatham', 'Asia/Kathmandu', 'Asia/Kolkata', 'America/Santiago'],
  ...['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Africa/Cairo', 'Asia/Beirut'],
];
const anyZone = fc.constantFrom(...zones);
const anyTime = fc.integer({ min: at('2024-01-01'), max: at('2036-01-01') });

/** As the day is that holds a time; without a zone that of UTC. */
function dayOf(zone: string, formers: readonly FormerZone[], timeMs: number) {
  const days = limitDays(zone, formers);
  const { startMs, endMs } = days?.dayAt(timeMs) ?? zoneClock('').dayAt(timeMs);
  assert.ok(startMs <= timeMs && timeMs < endMs);
  return { startMs, endMs, key: dayKey(days, timeMs) };
}

test('days that follow each other have numbers one apart, and other last bits, in every zone', () => {
  fc.assert(
    fc.property(anyZone, anyTime, (zone, timeMs) => {
      const day = dayOf(zone, [], timeMs);
      const next = dayOf(zone, [], day.endMs);
      assert.equal(dayNumber(next.key), dayNumber(day.key) + 1);
      assert.notEqual(next.key & 1, day.key & 1);
      assert.equal(day.startMs, zoneClock(zone).dayAt(timeMs).startMs);
      assert.equal(day.startMs % (15 * 60_000), 0);
    }),
    seeded(400),
  );
  assert.equal(dayNumber(dayKey(undefined, 1234 * dayMs + 5)), 1234);
});

test('whatever a zone is changed to, and when, no time belongs to two days', () => {
  const anyChange = fc.tuple(anyZone, fc.integer({ min: 0, max: 60 * hourMs }));
  const anyChanges = fc.array(anyChange, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(anyZone, anyTime, anyChanges, (first, startMs, changes) => {
      let [zone, formers, timeMs]: [string, readonly FormerZone[], number] = [first, [], startMs];
      for (const [next, passedMs] of changes) {
        timeMs += passedMs;
        const after = formerZonesAfter({ zone, formers }, next, timeMs);
        // A server that has not heard of it within the hour names the same days; nor does a late event move to another.
        for (const aroundMs of [-65, -30, 0, 1, 30, 59].map((minutes) => timeMs + minutes * 60_000)) {
          const [before, now] = [dayOf(zone, formers, aroundMs), dayOf(next, after, aroundMs)];
          assert.deepEqual([now.startMs, now.key], [before.startMs, before.key]);
        }
        [zone, formers] = [next, after];
        assert.ok(formers.length <= 4, `${formers.length} are kept`);
      }
      let day = dayOf(zone, formers, timeMs - 2 * hourMs);
      for (let count = 0; count < 8; count += 1) {
        const next = dayOf(zone, formers, day.endMs);
        assert.equal(next.startMs, day.endMs);
        assert.ok(next.key > day.key && (next.key & 1) !== (day.key & 1));
        assert.ok(dayNumber(next.key) > dayNumber(day.key));
        assert.ok(next.endMs - next.startMs >= 23 * hourMs);
        day = next;
      }
      assert.equal(day.startMs, zoneClock(zone).dayAt(day.startMs).startMs);
    }),
    seeded(400),
  );
});

test('the day of a change goes on until a day of the new zone begins that has no part in it', () => {
  const change = (from: string, to: string, time: string) => {
    const after = formerZonesAfter({ zone: from }, to, at(time));
    return after.map(({ FromMs, UntilMs }) => [FromMs, UntilMs].map((ms) => new Date(ms).toISOString()));
  };
  assert.deepEqual(change('', 'Europe/Berlin', '2027-01-10T10:00Z'), [
    ['2027-01-10T00:00:00.000Z', '2027-01-11T23:00:00.000Z'],
  ]);
  assert.deepEqual(change('', 'America/New_York', '2027-01-10T23:30Z'), [
    ['2027-01-11T00:00:00.000Z', '2027-01-12T05:00:00.000Z'],
  ]);
  const there = formerZonesAfter({ zone: '' }, 'Europe/Berlin', at('2027-01-10T10:00Z'));
  const back = formerZonesAfter({ zone: 'Europe/Berlin', formers: there }, '', at('2027-01-10T10:05Z'));
  assert.deepEqual(back.at(-1)?.UntilMs, at('2027-01-11T00:00Z'));
});
