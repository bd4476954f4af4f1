import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { timeUnits } from '../../src/reference/dimensions.ts';
import { type ComparisonName, comparisons, type PeriodName, periods } from '../../src/reference/periods.ts';
import { comparedPeriod } from '../../src/statistics/asking/compared-period.ts';
import { counterparts } from '../../src/statistics/asking/counterparts.ts';
import { periodTimes } from '../../src/statistics/asking/period-times.ts';
import type { ReportQuestion } from '../../src/statistics/asking/question.ts';
import { intervalsOf } from '../../src/statistics/asking/zones.ts';
import { quarterMs } from '../../src/statistics/days.ts';
import { seeded } from '../support/seed.ts';

const zones = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns', 'Australia/Lord_Howe'];
const moreZones = ['America/Santiago', 'America/Havana', 'Africa/Casablanca', 'Pacific/Apia'];
const names = <Name extends string>(rows: Readonly<Record<Name, unknown>>) => Object.keys(rows) as Name[];

const asked = fc.record({
  zone: fc.constantFrom(...zones, ...moreZones),
  period: fc.constantFrom(...names<PeriodName>(periods)),
  compareTo: fc.constantFrom(...names<ComparisonName>(comparisons)),
  unit: fc.constantFrom(...timeUnits),
  askedMs: fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2029-01-01') }),
});

test('what is compared with is counted once, step by step in order, and none of it is left out unsaid', () => {
  fc.assert(
    fc.property(asked, ({ zone, period, compareTo, unit, askedMs }) => {
      const [fromMs, untilMs] = periodTimes(period, askedMs, zone);
      const question: ReportQuestion = {
        teamId: 1,
        fromMs,
        untilMs,
        zone,
        period,
        askedMs,
        compareTo,
        groups: [unit],
        measures: [],
        filters: [],
        orderBy: [],
        limit: undefined,
        hasTotal: false,
      };
      const steps = [...intervalsOf(unit, fromMs, untilMs, zone)];
      const before = comparedPeriod(question, quarterMs);
      const { intervals, places, unmatched, shares } = counterparts(question, steps, before);
      assert.ok(before.fromMs <= before.untilMs && before.untilMs <= Math.max(askedMs, before.fromMs));
      const isRest = (index: number) => shares.has(index) && places[index] === places[index - 1];
      let atMs = before.fromMs;
      for (const interval of intervals.filter((one) => one.fromMs < one.untilMs)) {
        assert.equal(interval.fromMs, atMs, 'without a gap');
        atMs = interval.untilMs;
      }
      assert.equal(atMs, before.last?.untilMs ?? before.untilMs);
      const countedMs = intervals.reduce(
        (sum, one, index) => sum + (shares.get(index) ?? 1) * Math.max(0, one.untilMs - one.fromMs),
        0,
      );
      const lengthMs = before.untilMs - before.fromMs;
      assert.ok(Math.abs(countedMs - lengthMs) < 1, 'as much counts as lies between the two times');
      const beside = places.filter((place, index) => place !== undefined && !isRest(index));
      // An interval that is cut for its share has two parts, beside the same one.
      assert.equal(new Set(beside).size, beside.length, 'each beside one');
      const alone = intervals.filter((_, index) => places[index] === undefined);
      assert.ok(alone.every(({ start }) => unmatched.includes(start)));
      if (unit !== 'Hour' && unit !== 'QuarterHour') return;
      for (const [index, place] of places.entries()) {
        if (place === undefined) continue;
        const [one, other] = [intervals[index], steps[place]].map((step) => step?.start.slice(11, 13));
        assert.equal(one, other, 'the same hour of the clock');
      }
    }),
    seeded(500),
  );
});
