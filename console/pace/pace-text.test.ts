import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Pace, type PaceLine, paceWords, pointNames, stateOf, stateTitles } from './pace-text.ts';

const pace: Pace = { Status: 'Ok', TimeZone: 'Europe/Berlin', Now: '2026-11-20T12:00:00.000Z', Lines: [] };
const point = (Time: string) => ({ Time, Planned: null, Delivered: null, Forecast: null });
const line: PaceLine = {
  Part: 'day',
  Unit: 'Impressions',
  Limit: 50_000,
  From: '2026-11-19T23:00:00.000Z',
  To: '2026-11-20T23:00:00.000Z',
  Spread: 'traffic',
  Due: 11_800,
  Delivered: 11_700,
  Pace: 99.2,
  Forecast: 49_600,
  ForecastEnd: null,
  Step: 'Hour',
  Points: ['2026-11-19T23:00:00.000Z', '2026-11-20T00:00:00.000Z', '2026-11-20T23:00:00.000Z'].map(point),
};

const cases: readonly (readonly [changed: Partial<PaceLine>, words: string])[] = [
  [
    {},
    'On plan: 11,700 delivered, 11,800 due by now (99.2 %). At this rate it ends with 49,600 of 50,000 (99.2 %).',
  ],
  [
    { Delivered: 13_000, Pace: 110.2, Forecast: 50_000, ForecastEnd: '2026-11-20T17:00:00.000Z' },
    'Ahead of plan: 13,000 delivered, 11,800 due by now (110.2 %). At this rate it reaches 50,000 on Fri 20 Nov, 18:00.',
  ],
  [
    { Delivered: 9900, Pace: 83.9, Forecast: 42_000 },
    'Behind plan: 9,900 delivered, 11,800 due by now (83.9 %). It lacks traffic or loses auctions. At this rate it ends with 42,000 of 50,000 (84 %).',
  ],
  [
    { Unit: 'Spend', Limit: 50, Spread: 'none', Due: null, Delivered: 12.5, Pace: 50, Forecast: 25 },
    'Pacing is off: As fast as possible: $12.50 delivered of $50.00. At this rate it ends with $25.00 of $50.00 (50 %).',
  ],
  [
    { Forecast: 30_000, ForecastEnd: '2026-11-20T17:00:00.000Z' },
    'On plan: 11,700 delivered, 11,800 due by now (99.2 %). At this rate it stops at 30,000 on Fri 20 Nov, 18:00, when its other limit is used up.',
  ],
  [{ Delivered: 50_000, Pace: 400, Forecast: 50_000 }, 'Used up: All 50,000 are delivered.'],
  [{ Pace: null, Due: null, Delivered: 0, Forecast: null }, 'Not begun: It begins on Fri 20 Nov, 00:00.'],
];

test('where a limit stands and where it is going, in words', () => {
  for (const [changed, words] of cases) {
    const one = { ...line, ...changed };
    const said = `${stateTitles[stateOf(one)]}: ${paceWords(pace, one)}`;
    assert.equal(said.replaceAll('Fri, ', 'Fri '), words);
  }
});

test('points are named by the clock of the object', () => {
  assert.deepEqual(pointNames(pace, line), ['00:00', '01:00', '24:00']);
  assert.deepEqual(pointNames(pace, { ...line, Part: 'flight' })[1], 'Fri 01:00');
  assert.deepEqual(pointNames(pace, { ...line, Part: 'total', Step: 'Day' })[0], '20 Nov');
});
