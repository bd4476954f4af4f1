import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { readReportQuestion, type SentReport } from '../../src/management/statistics/report-question.ts';
import { type ReportAnswer, runReport } from '../../src/statistics/asking/run-report.ts';
import { textInZone } from '../../src/statistics/asking/zones.ts';
import { quarterMs } from '../../src/statistics/days.ts';
import { standardKeptDays } from '../../src/statistics/forgetting.ts';
import type { PairCounts } from '../../src/store/statistics/interface.ts';
import { pairCounts } from '../statistics/counting.ts';
import type { Engine } from './engine.ts';
import { openedFor, type TeamRoom } from './team-room.ts';

const countedFrom = Date.parse('2026-08-30T00:00:00Z');
const countedUntil = Date.parse('2026-12-01T00:00:00Z');
const hourMs = 4 * quarterMs;

/** A request in each quarter hour, and in the first of each hour as many clicks as its hour of UTC. */
async function countEach({ store: { statistics }, add }: TeamRoom): Promise<void> {
  const PublisherId = await add('Publisher', { Name: 'p' });
  const supply = { kind: 'VastTag', id: await add('VastTag', { PublisherId }) };
  const pairs: PairCounts[] = [];
  for (let ms = countedFrom; ms < countedUntil; ms += quarterMs) {
    const [hour, quarter] = [Math.floor(ms / hourMs), (ms / quarterMs) % 4];
    const clicks = quarter === 0 ? hour % 24 : 0;
    pairs.push({ ...pairCounts(supply, undefined, { requests: 1, clicks }, hour), quarter });
  }
  const id = randomUUID();
  await statistics.add([{ id, timeMs: countedUntil, pairs, addresses: [] }]);
}

interface Expected {
  /** Begin and end of what is compared with, by the clock of the zone. */
  readonly before: readonly [from: string, to: string];
  /** Requests of all rows, and those before. */
  readonly requests: readonly [now: number, before: number];
  readonly unmatched?: readonly string[];
  /** Rows by the beginning of their step's start: its requests and clicks, and those before. */
  readonly rows?: Readonly<
    Record<string, readonly [requests: number, before: number, clicks?: number, clicksBefore?: number]>
  >;
  /** Starts of steps that are only in part in the question's time. */
  readonly partial?: readonly string[];
}

const berlin = 'Europe/Berlin';

const cases: readonly (readonly [name: string, now: string, sent: Partial<SentReport>, Expected])[] = [
  [
    'today stands beside yesterday until the same moment, with that share of its quarter hour',
    '2026-11-12T21:07:30Z',
    { Period: 'Today', CompareTo: 'Period' },
    { before: ['2026-11-11T00:00:00+00:00', '2026-11-11T21:07:30+00:00'], requests: [96, 85] },
  ],
  [
    'today by hours stands beside those until the same moment, and is no longer than the day',
    '2026-11-12T01:20:00Z',
    { Period: 'Today', CompareTo: 'Week', GroupBy: ['Hour'], TimeZone: berlin },
    {
      before: ['2026-11-05T00:00:00+01:00', '2026-11-05T02:20:00+01:00'],
      requests: [96, 9],
      rows: { '2026-11-12T02': [4, 1], '2026-11-12T03': [4, 0] },
    },
  ],
  [
    'the day after clocks went back stands beside the same time by the clock',
    '2026-10-26T01:00:00Z',
    { Period: 'Today', CompareTo: 'Period', TimeZone: berlin },
    { before: ['2026-10-25T00:00:00+02:00', '2026-10-25T02:00:00+02:00'], requests: [96, 8] },
  ],
  [
    'days from one on to today stand beside the same part, too',
    '2026-11-12T12:00:00Z',
    { From: '2026-11-11', To: '2026-11-12', CompareTo: 'Period' },
    { before: ['2026-11-09T00:00:00+00:00', '2026-11-10T12:00:00+00:00'], requests: [192, 144] },
  ],
  [
    'this week stands beside the one before up to the same hour',
    '2026-11-11T12:00:00Z',
    { Period: 'ThisWeek', CompareTo: 'Period', GroupBy: ['Week'] },
    {
      before: ['2026-11-02T00:00:00+00:00', '2026-11-04T12:00:00+00:00'],
      requests: [288, 240],
      partial: ['2026-11-09T00:00:00+00:00'],
    },
  ],
  [
    'this month stands beside the days of the one before',
    '2026-11-12T12:00:00Z',
    { Period: 'ThisMonth', CompareTo: 'Period', GroupBy: ['Day'], TimeZone: berlin },
    {
      before: ['2026-10-01T00:00:00+02:00', '2026-10-12T13:00:00+02:00'],
      requests: [12 * 96, 11 * 96 + 52],
      rows: { '2026-11-01': [96, 96], '2026-11-12': [96, 52] },
    },
  ],
  [
    'the last day of a long month stands beside nothing of a short one',
    '2026-10-31T12:00:00Z',
    { Period: 'ThisMonth', CompareTo: 'Period', GroupBy: ['Day'] },
    {
      before: ['2026-09-01T00:00:00+00:00', '2026-10-01T00:00:00+00:00'],
      requests: [31 * 96, 30 * 96],
      unmatched: ['2026-10-31T00:00:00+00:00'],
      rows: { '2026-10-30': [96, 96], '2026-10-31': [96, 0] },
    },
  ],
  [
    'last month stands beside the month before',
    '2026-11-02T12:00:00Z',
    { Period: 'LastMonth', CompareTo: 'Period', TimeZone: berlin, GroupBy: ['Month'] },
    {
      before: ['2026-09-01T00:00:00+02:00', '2026-10-01T00:00:00+02:00'],
      requests: [31 * 96 + 4, 30 * 96],
    },
  ],
  [
    'whole months that are named by their days stand beside those before',
    '2026-12-02T12:00:00Z',
    { From: '2026-11-01', To: '2026-11-30', CompareTo: 'Period', GroupBy: ['Day'] },
    {
      before: ['2026-10-01T00:00:00+00:00', '2026-11-01T00:00:00+00:00'],
      requests: [30 * 96, 31 * 96],
      unmatched: ['2026-10-31T00:00:00+00:00'],
      rows: { '2026-11-30': [96, 96] },
    },
  ],
  [
    'the last 30 days with today stand beside those before them, to the same hour',
    '2026-10-01T12:00:00Z',
    { Period: 'Last30Days', CompareTo: 'Period' },
    { before: ['2026-08-03T00:00:00+00:00', '2026-09-01T12:00:00+00:00'], requests: [2880, 240] },
  ],
  [
    'last week stands beside the same days of the month before',
    '2026-11-02T12:00:00Z',
    { Period: 'LastWeek', CompareTo: 'Month', GroupBy: ['Day'] },
    {
      before: ['2026-09-26T00:00:00+00:00', '2026-10-02T00:00:00+00:00'],
      requests: [672, 576],
      unmatched: ['2026-10-31T00:00:00+00:00'],
      rows: { '2026-10-30': [96, 96], '2026-10-31': [96, 0], '2026-11-01': [96, 96] },
    },
  ],
];

const clockCases: typeof cases = [
  [
    'hours of the day on which clocks go back stand beside those of the same name',
    '2026-10-28T12:00:00Z',
    { From: '2026-10-25', To: '2026-10-25', CompareTo: 'Week', GroupBy: ['Hour'], TimeZone: berlin },
    {
      before: ['2026-10-18T00:00:00+02:00', '2026-10-19T00:00:00+02:00'],
      requests: [100, 96],
      unmatched: ['2026-10-25T02:00:00+01:00'],
      rows: {
        '2026-10-25T02:00:00+02:00': [4, 4, 0, 0],
        '2026-10-25T02:00:00+01:00': [4, 0, 1, 0],
        '2026-10-25T03:00:00+01:00': [4, 4, 2, 1],
        '2026-10-25T23:00:00+01:00': [4, 4, 22, 21],
      },
    },
  ],
  [
    'quarter hours do so, too, and those that come twice have no counterpart a day later',
    '2026-10-28T12:00:00Z',
    { From: '2026-10-26', To: '2026-10-26', CompareTo: 'Period', GroupBy: ['QuarterHour'], TimeZone: berlin },
    {
      before: ['2026-10-25T00:00:00+02:00', '2026-10-26T00:00:00+01:00'],
      requests: [96, 100],
      unmatched: ['00', '15', '30', '45'].map((minute) => `2026-10-25T02:${minute}:00+01:00`),
      rows: { '2026-10-26T02:00': [1, 1, 1, 0], '2026-10-26T03:00': [1, 1, 2, 2] },
    },
  ],
  [
    'a midnight that comes twice stands beside the one of a week before, once',
    '2026-11-05T12:00:00Z',
    {
      From: '2026-11-01',
      To: '2026-11-01',
      CompareTo: 'Week',
      GroupBy: ['Hour'],
      TimeZone: 'America/Havana',
    },
    {
      before: ['2026-10-25T00:00:00-04:00', '2026-10-26T00:00:00-04:00'],
      requests: [100, 96],
      unmatched: ['2026-11-01T00:00:00-05:00'],
    },
  ],
  [
    '24 hours over the change stand beside the hours of the same name of the 24 before',
    '2026-10-25T11:00:00Z',
    { Period: 'Last24Hours', CompareTo: 'Period', GroupBy: ['Hour'], TimeZone: berlin },
    {
      before: ['2026-10-23T13:00:00+02:00', '2026-10-24T13:00:00+02:00'],
      requests: [96, 96],
      unmatched: ['2026-10-24T12:00:00+02:00', '2026-10-25T02:00:00+01:00'],
      rows: { '2026-10-25T11': [4, 4, 10, 9] },
    },
  ],
  [
    'half an hour that clocks skip is missing in its hour',
    '2026-10-20T12:00:00Z',
    {
      From: '2026-10-04',
      To: '2026-10-04',
      CompareTo: 'Week' as const,
      GroupBy: ['Hour' as const],
      TimeZone: 'Australia/Lord_Howe',
    },
    {
      before: ['2026-09-27T00:00:00+10:30', '2026-09-28T00:00:00+10:30'],
      requests: [94, 96],
      rows: { '2026-10-04T02:30:00+11:00': [2, 4], '2026-10-04T03': [4, 4] },
    },
  ],
  [
    'weeks are cut where the question is',
    '2026-11-05T12:00:00Z',
    { From: '2026-10-21', To: '2026-11-03', CompareTo: 'Period', GroupBy: ['Week'], TimeZone: berlin },
    {
      before: ['2026-10-07T00:00:00+02:00', '2026-10-21T00:00:00+02:00'],
      requests: [14 * 96 + 4, 14 * 96],
      rows: { '2026-10-19': [5 * 96 + 4, 5 * 96], '2026-10-26': [7 * 96, 7 * 96] },
      partial: ['2026-10-19T00:00:00+02:00', '2026-11-02T00:00:00+01:00'],
    },
  ],
];

/** What a report of the requests and clicks of a team is compared with. */
export function comparisonContract(engine: Engine): void {
  describe('a report beside another period', () => {
    const suite = openedFor(engine);
    let room: TeamRoom;
    before(async () => {
      room = await suite.room();
      await countEach(room);
    });
    const ask = (now: string, sent: Partial<SentReport>): Promise<ReportAnswer> => {
      const nowMs = Date.parse(now);
      const all: SentReport = { Measures: ['Requests', 'Clicks'], Total: 1, ...sent };
      const question = readReportQuestion(all, room.actor.teamId, nowMs);
      const kept = { nowMs, keptDays: standardKeptDays, starts: new Map<string, number>() };
      return runReport(room.store.statistics, question, kept);
    };

    for (const [name, now, sent, expected] of [...cases, ...clockCases]) {
      test(name, async () => {
        const { rows, total, before: beside } = await ask(now, sent);
        assert.ok(beside);
        const zone = sent.TimeZone || 'UTC';
        assert.deepEqual(
          [textInZone(beside.fromMs, zone), textInZone(beside.untilMs, zone)],
          expected.before,
        );
        assert.deepEqual([total?.figures.Requests, total?.before?.Requests], expected.requests);
        assert.deepEqual(beside.unmatched, expected.unmatched ?? []);
        for (const [start, figures] of Object.entries(expected.rows ?? {})) {
          const row = rows.find(({ time }) => time?.startsWith(start));
          const found = [
            row?.figures.Requests,
            row?.before?.Requests,
            row?.figures.Clicks,
            row?.before?.Clicks,
          ];
          assert.deepEqual(found.slice(0, figures.length), figures, start);
        }
        const cut = rows.flatMap(({ time = '', isPartial }) => (isPartial ? [time] : []));
        assert.deepEqual(cut, expected.partial ?? []);
      });
    }

    for (const [what, sent, to, before] of [
      ['hour', { GroupBy: ['Hour'], Measures: ['LatencyP50'] }, '2026-11-11T21:20:00.000Z', null],
      ['quarter hour', { Measures: ['Clicks'] }, '2026-11-11T21:20:00.000Z', 231],
      ['day', { Measures: ['Clicks'], GroupBy: ['Country'] }, '2026-11-11T21:20:00.000Z', 0],
      ['day', { Period: 'ThisWeek', GroupBy: ['Country'] }, '2026-11-05T21:20:00.000Z', 0],
    ] satisfies readonly (readonly [string, Partial<SentReport>, string, number | null])[]) {
      test(`ends now as before, by the share of the ${what} that has passed: ${JSON.stringify(sent)}`, async () => {
        const { before: beside, total } = await ask('2026-11-12T21:20:00Z', {
          Period: 'Today',
          CompareTo: 'Period',
          ...sent,
        });
        assert.equal(new Date(beside?.untilMs ?? 0).toISOString(), to);
        assert.equal(total?.before?.Clicks ?? total?.before?.LatencyP50 ?? null, before);
      });
    }

    test('orders rows by how much they have changed', async () => {
      const { rows } = await ask('2026-11-12T21:20:00Z', {
        From: '2026-11-12',
        To: '2026-11-12T21:00:00Z',
        CompareTo: 'Period',
        GroupBy: ['Hour'],
        OrderBy: [{ Field: 'Clicks.Change', Direction: 'Asc' }],
      });
      const changes = rows.map(({ figures, before: then }) => Number(figures.Clicks) - Number(then?.Clicks));
      assert.deepEqual(
        changes,
        changes.toSorted((one, other) => one - other),
      );
    });

    test('is refused by what it is compared with, where that is not kept', async () => {
      const asked = ask('2026-12-02T12:00:00Z', {
        From: '2026-11-10',
        To: '2026-11-10',
        CompareTo: 'Month',
        GroupBy: ['QuarterHour'],
      });
      await assert.rejects(asked, (error: { readonly faults?: readonly { readonly Path: string }[] }) => {
        assert.equal(error.faults?.[0]?.Path, 'CompareTo');
        assert.match(
          String(error),
          /compares with the time from 2026-10-10T00:00:00\+00:00 to 2026-10-11T00:00:00\+00:00, which asks for quarter hours \(UTC\), which are kept for this since 2026-10-18T00:00:00Z; .*; or leave out CompareTo/,
        );
        return true;
      });
    });
  });
}
