import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { zoneClock } from '../../src/shared/zone-clock.ts';
import { budgetsOf } from '../../src/statistics/pace.ts';
import { paceLine, pointTimes, spreadOf, stepOf } from '../../src/statistics/pace-line.ts';
import { seeded } from '../support/seed.ts';

const hourMs = 3_600_000;
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'];

test('a day has a point for each of its 23 or 25 hours', () => {
  const clock = zoneClock('Europe/Berlin');
  const pointsOn = (day: string) => {
    const { startMs, endMs } = clock.dayAt(Date.parse(`${day}T12:00Z`));
    return pointTimes({ startMs, endMs: endMs - 1 }, clock).length;
  };
  assert.deepEqual(['2027-03-28', '2027-10-31', '2027-06-01'].map(pointsOn), [24, 26, 25]);
});

test('points are in order, from the first moment to the last, and never more than 368', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2028, 0) }),
      fc.integer({ min: 1, max: 3000 * 24 * hourMs }),
      (zone, startMs, lengthMs) => {
        const time = { startMs, endMs: startMs + lengthMs };
        const times = pointTimes(time, zoneClock(zone));
        assert.ok(times.length <= 368, `${times.length}`);
        assert.deepEqual([times[0], times.at(-1)], [startMs, startMs + lengthMs + 1]);
        assert.ok(times.every((at, place) => place === 0 || at > (times[place - 1] ?? at)));
        if (stepOf(time) === 'Hour') assert.ok(times.slice(1, -1).every((at) => at % hourMs === 0));
      },
    ),
    seeded(60),
  );
});

/** An object of which what was delivered came evenly. */
function lineOf(values: Readonly<Record<string, unknown>>, nowMs: number, impressions: number) {
  const [budget] = budgetsOf('Campaign', values, nowMs);
  assert.ok(budget);
  const use = { impressions, nanos: 0, shape: undefined, nowMs };
  const spread = spreadOf(values, { budget, unit: 'impressions', use });
  const times = pointTimes(budget, zoneClock(String(values.TimeZone ?? '')));
  const usedSince = (timeMs: number) =>
    (impressions * (nowMs - timeMs)) / Math.max(1, nowMs - budget.startMs);
  return paceLine({ budget, unit: 'impressions', use, times, ...spread, usedSince });
}

test('a line never sinks, plans and expects no more than the limit, and goes on where it was counted until', () => {
  const limit = fc.integer({ min: 1, max: 1_000_000 });
  fc.assert(
    fc.property(
      limit,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 1439 }),
      fc.integer({ min: 0, max: 2 }),
      (ImpressionsDailyLimit, part, minute, Pacing) => {
        const nowMs = Date.UTC(2026, 10, 20, 0, minute);
        const used = Math.floor(ImpressionsDailyLimit * part);
        const { points, forecast = 0 } = lineOf({ ImpressionsDailyLimit, Pacing }, nowMs, used);
        const rises = (values: readonly (number | undefined)[]) => {
          const known = values.filter((value) => value !== undefined);
          assert.ok(known.every((value, at) => at === 0 || value >= (known[at - 1] ?? 0) - 1e-6));
          assert.ok(known.every((value) => value <= ImpressionsDailyLimit + 1e-6));
        };
        rises(points.map(({ planned }) => planned));
        rises(points.map(({ delivered, forecast: expected }) => delivered ?? expected));
        assert.ok(Math.abs((points.at(-1)?.forecast ?? 0) - forecast) < 1e-6);
        assert.equal(
          points.filter((one) => one.delivered !== undefined && one.forecast !== undefined).length,
          1,
        );
        assert.equal(points.at(-1)?.planned, ImpressionsDailyLimit);
      },
    ),
    seeded(200),
  );
});

test('impressions of a day without Pacing are spread by the clock, and a flight by nothing', () => {
  const noonMs = Date.UTC(2026, 10, 20, 12);
  const byClock = lineOf({ ImpressionsDailyLimit: 2400 }, noonMs, 600);
  assert.deepEqual([byClock.spread, byClock.due, Math.round(byClock.pace ?? 0)], ['clock', 1201, 50]);
  const Flights = [{ Start: '2026-11-20', End: '2026-11-20', Impressions: 2400, Spend: 0 }];
  const flight = lineOf({ Flights }, noonMs, 600);
  assert.deepEqual([flight.spread, flight.due, Math.round(flight.forecast ?? 0)], ['none', undefined, 1200]);
});

test('of a time that has not begun nothing is said', () => {
  const values = { ImpressionsTotalLimit: 10, StartDate: '2026-12-01', EndDate: '2026-12-05', Pacing: 1 };
  const { due, pace, forecast, points } = lineOf(values, Date.UTC(2026, 10, 20), 0);
  assert.deepEqual([due, pace, forecast], [undefined, undefined, undefined]);
  assert.ok(
    points.every(({ delivered, forecast: expected }) => delivered === undefined && expected === undefined),
  );
});
