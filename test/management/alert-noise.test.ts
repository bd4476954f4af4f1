import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Random, seededRandom } from '../../src/simulation/random.ts';
import type { PairCounts } from '../../src/store/statistics/interface.ts';
import { countsIn } from '../statistics/counting.ts';
import { seed } from '../support/seed.ts';
import { dayMs, hourMs, minuteMs, openAlertRoom } from './alert-room.ts';

const { api, clock, dsp, logOf, lotId, one, quiet, supply } = await openAlertRoom();

const quarterMs = 900_000;
const minutesOfDay = 1440;
/** `BOURSE_TEST_ALERT_DAYS=7` plays a week, in five minutes; the bound is that of a week. */
const noisyDays = Number(process.env.BOURSE_TEST_ALERT_DAYS ?? 0.25);
/** Requests of a minute at the day's height. */
const busiest = 60;

/** The alerts that docs/guide/alerts.md begins with, of figures of any minute. */
const rules = [
  {
    Condition: 'Above',
    Measure: 'UnavailableRate',
    Threshold: 40,
    Window: 15,
    GroupBy: 'Demand',
    MinVolume: 100,
  },
  {
    Condition: 'Nothing',
    Measure: 'Impressions',
    Window: 30,
    GroupBy: 'Supply',
    MinVolume: 100,
    MinVolumeOf: 'Requests',
  },
  { Condition: 'Nothing', Measure: 'Requests', Window: 30, GroupBy: 'Supply' },
  {
    Condition: 'FallsBy',
    Measure: 'Revenue',
    Threshold: 50,
    Window: 120,
    CompareTo: 'Week',
    MinVolume: 1000,
    MinVolumeOf: 'Requests',
  },
];

/** About so many, as they come by themselves: a normal approximation, of twelve even numbers, with twice the spread. */
function about(mean: number, random: Random): number {
  const normal = Array.from({ length: 12 }, random).reduce((sum, one) => sum + one, -6);
  return Math.max(0, Math.round(mean + 2 * Math.sqrt(mean) * normal));
}

/** What a minute counts: few at night, more by day, less on some days; a DSP is slow for minutes, and bids come in bursts. */
function minuteOf(ms: number, random: Random, mood: { slow: number }): PairCounts[] {
  const hour = (ms % dayMs) / hourMs;
  const day = Math.floor(ms / dayMs);
  const ofDay = 0.75 + 0.25 * Math.sin(day * 2.1);
  const requests = about(busiest * ofDay * (0.55 - 0.45 * Math.cos((2 * Math.PI * (hour - 4)) / 24)), random);
  if (random() < 1 / 300) mood.slow = 5;
  const isSlow = mood.slow > 0;
  mood.slow -= 1;
  const at = {
    hour: Math.floor(ms / hourMs),
    quarter: Math.floor((ms % hourMs) / quarterMs),
    minute: Math.floor((ms % quarterMs) / minuteMs),
    supply: { kind: 'VastTag', id: supply.Id },
  };
  const ofDsp = (id: number, timeoutShare: number): PairCounts => {
    const timeouts = Math.min(requests, about(requests * timeoutShare, random));
    const impressions = Math.min(requests - timeouts, about(0.15 * requests, random));
    const counts = {
      requests,
      calls: requests,
      timeouts,
      answers: requests - timeouts,
      impressions,
      revenueNanos: Math.round(impressions * 2_000_000 * (0.5 + random())),
    };
    return { ...at, demand: { kind: 'DspRtbEp', id }, counts: countsIn('pair', counts) };
  };
  return [
    { ...at, demand: undefined, counts: countsIn('pair', { requests, opportunities: requests }) },
    ofDsp(dsp.Id, isSlow ? 0.6 : 0.05),
    ofDsp(quiet.Id, 0.1),
  ];
}

const add = (pairs: PairCounts[]) =>
  one.store.statistics.add([{ id: lotId(), timeMs: clock.ms, pairs, addresses: [] }]);

test(`noisy traffic raises at most one false alarm by the alerts of the guide (seed ${seed})`, async () => {
  const random = seededRandom(seed);
  const mood = { slow: 0 };
  const minutesFrom = (ms: number, many: number) =>
    Array.from({ length: many }, (_, minute) => minuteOf(ms + minute * minuteMs, random, mood)).flat();
  // The week before, with which the last rule compares.
  for (let day = 7; day > 0; day -= 1) await add(minutesFrom(clock.ms - day * dayMs, minutesOfDay));
  const alerts = await Promise.all(
    rules.map((rule, at) =>
      api.add('Alert', { Name: `Alert ${at}`, ...rule, HoldMinutes: 5, EndMinutes: 5 }),
    ),
  );
  for (let minute = 0; minute < noisyDays * minutesOfDay; minute += 1) {
    await add(minutesFrom(clock.ms, 1));
    clock.ms += minuteMs;
    await one.judge();
  }
  const found = (await Promise.all(alerts.map((alert) => logOf(alert)))).flat();
  assert.ok(found.length <= 1, JSON.stringify(found));

  // What is no noise is told by two of them: nothing is shown, though requests come.
  for (let minute = 0; minute < 60; minute += 1) {
    const pairs = minutesFrom(clock.ms, 1);
    await add(
      pairs.map((pair) => ({
        ...pair,
        counts: { ...pair.counts, impressions: 0, revenueNanos: 0, calls: 0 },
      })),
    );
    clock.ms += minuteMs;
    await one.judge();
  }
  const fired = await Promise.all(alerts.map(async ({ Id }) => (await api.one('Alert', Id)).Firing));
  assert.equal(fired[1], 1, 'no impressions');
  assert.equal(fired[2], 0, 'requests come');
});
