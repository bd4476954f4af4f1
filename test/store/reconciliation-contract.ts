import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { runReport } from '../../src/statistics/asking/run-report.ts';
import { standardKeptDays } from '../../src/statistics/forgetting.ts';
import type { Job } from '../../src/store/jobs/interface.ts';
import {
  type FetchOutcome,
  fetchJobKind,
  type PlannedFetch,
  type ReportedCounts,
} from '../../src/store/reconciliation/interface.ts';
import { day, pairCounts, startMs } from '../statistics/counting.ts';
import { questionOf } from '../statistics/ledger.ts';
import type { Engine } from './engine.ts';
import { type Opened, openedFor, type TeamRoom } from './team-room.ts';

const nowMs = startMs + 12 * 3_600_000;
const untilMs = nowMs + 60_000;
const StatsApi = 'https://partner.example/stats';
const read: FetchOutcome = {
  state: 'read',
  error: '',
  sample: '',
  rowCount: 2,
  lastMs: nowMs,
  nextMs: nowMs + 86_400_000,
};

async function demandOf(room: TeamRoom, document: object = { StatsApi, StatsApiHeaders: 'X-Key: 1' }) {
  const AdvertiserId = await room.add('Advertiser', { Name: 'a' });
  const id = await room.add('DspRtbEp', { AdvertiserId, ...document });
  return { kind: 'DspRtbEp', id, teamId: room.actor.teamId };
}

const fetching = { name: fetchJobKind, claimMs: untilMs - nowMs, isExclusive: true };

/** The job of the only fetch that is due. */
async function claimed({ store }: TeamRoom): Promise<Job> {
  const job = await store.jobs.claim(fetching, 'one', nowMs);
  assert.ok(job);
  return job;
}

function fetches(suite: Opened): void {
  test('active demand with statistics is planned once, and fetched by one process', async () => {
    const room = await suite.room();
    const { reconciliation, jobs } = room.store;
    const object = await demandOf(room);
    await demandOf(room, {});
    const asleep = await demandOf(room);
    await room.setStatus('DspRtbEp', asleep.id, 1);
    assert.equal(await reconciliation.status(object, nowMs), undefined);
    for (const _ of [1, 2]) await reconciliation.plan(nowMs);
    assert.equal((await reconciliation.status(object, nowMs))?.state, 'waiting');
    assert.equal(await reconciliation.status(asleep, nowMs), undefined);
    assert.equal(await jobs.claim(fetching, 'one', nowMs - 1), undefined, 'it is not due');
    const job = await jobs.claim(fetching, 'one', nowMs);
    assert.deepEqual(job?.payload, { object });
    assert.equal((await reconciliation.status(object, nowMs))?.isUnderWay, true);
    const again = await jobs.claim(fetching, 'later', untilMs);
    assert.ok(job && again, 'whoever died has it no longer');
    await reconciliation.finish(job, { ...read, state: 'failed', error: 'too late' });
    assert.equal((await reconciliation.status(object, nowMs))?.state, 'waiting');
    await reconciliation.finish(again, { ...read, state: 'failed', error: 'gone' });
    const { state, error, nextMs, isUnderWay } = (await reconciliation.status(object, untilMs)) ?? {};
    assert.deepEqual([state, error, nextMs, isUnderWay], ['failed', 'gone', read.nextMs, false]);
    const days = { fromDay: day - 9, toDay: day - 8 };
    await reconciliation.request(object, nowMs, days);
    assert.equal((await reconciliation.status(object, nowMs))?.error, 'gone', 'the last outcome stays');
    const wanted = await jobs.claim(fetching, 'one', nowMs);
    assert.ok(wanted);
    assert.deepEqual((wanted.payload as PlannedFetch).days, days);
    await jobs.settle(wanted);
    assert.equal(await reconciliation.status(object, nowMs), undefined);
  });
}

function figures(suite: Opened): void {
  test('what partners report stands beside what we count, and takes the place of what they said before', async () => {
    const room = await suite.room();
    const { reconciliation, statistics } = room.store;
    const object = await demandOf(room);
    const PublisherId = await room.add('Publisher', { Name: 'p' });
    const supply = { kind: 'VastTag', id: await room.add('VastTag', { PublisherId }) };
    const counted = { impressions: 100, clicks: 3, revenueNanos: 2_000_000_000 };
    for (const back of [0, 1, 2]) {
      const pair = pairCounts(supply, object, counted);
      const pairs = [{ ...pair, hour: pair.hour - 24 * back }];
      await statistics.add([{ id: randomUUID(), timeMs: nowMs, pairs, addresses: [] }]);
    }
    const report = async (days: readonly (readonly [back: number, impressions: number, nanos: number])[]) => {
      await reconciliation.request(object, nowMs, { fromDay: day - 2, toDay: day });
      const job = await claimed(room);
      const rows = days.map(([back, impressions, nanos]) => ({
        day: day - back,
        impressions,
        clicks: 2,
        nanos,
      }));
      const reported = { fromDay: day - 2, toDay: day, days: rows };
      await reconciliation.finish(job, { ...read, reported });
    };
    const asked = async (more: Parameters<typeof questionOf>[1] = {}) => {
      const question = questionOf(
        { teamId: room.actor.teamId, supplies: [], demands: [] },
        {
          fromMs: startMs - 2 * 86_400_000,
          untilMs: startMs + 86_400_000,
          groups: ['Day'],
          measures: [
            'Impressions',
            'Revenue',
            'PartnerImpressions',
            'PartnerAmount',
            'PartnerClicks',
            'ReportedDays',
            'Discrepancy',
            'AmountDiscrepancy',
          ],
          ...more,
        },
      );
      const kept = { nowMs, keptDays: standardKeptDays, starts: await statistics.cubeStarts() };
      const { rows } = await runReport(statistics, question, kept);
      return rows.map(({ figures }) => Object.values(figures));
    };
    await report([
      [2, 90, 1_000_000_001],
      [1, 100, 2_000_000_000],
    ]);
    assert.deepEqual(await asked(), [
      [100, 2, 90, 1.000000001, 2, 1, -10, -50],
      [100, 2, 100, 2, 2, 1, 0, 0],
      [100, 2, 0, 0, 0, 0, null, null],
    ]);
    assert.deepEqual(await asked({ groups: ['Demand'] }), [[300, 6, 190, 3.000000001, 4, 2, -5, -25]]);
    // The partner has corrected one day, and takes another one back; what we count later is compared, too.
    await report([[2, 110, 2_000_000_000]]);
    const late = pairCounts(supply, object, { impressions: 10 });
    const pairs = [{ ...late, hour: late.hour - 48 }];
    await statistics.add([{ id: randomUUID(), timeMs: nowMs, pairs, addresses: [] }]);
    assert.deepEqual(await asked({ groups: ['Advertiser'] }), [[310, 6, 110, 2, 2, 1, 0, 0]]);
    await assert.rejects(asked({ groups: ['Hour'] }), /whole|kept by days/);
    await assert.rejects(asked({ groups: ['Supply'] }), /cannot be shown by Supply/);
    await assert.rejects(asked({ groups: ['Country'] }), /cannot be shown by Country/);
  });
}

/** Counts impressions of a pair in an hour, some hours before the first of the day. */
const hoursBefore = (pair: ReturnType<typeof pairCounts>, hours: number) => ({
  ...pair,
  hour: day * 24 - hours,
});

function zones(suite: Opened): void {
  const cases: readonly (readonly [zone: string, fromHour: number, ours: number])[] = [
    // Counted at 23:00 (1), 00:00 (10), 04:00 (100), 23:00 (1,000) and 03:00 of the day after (10,000), UTC.
    ['UTC', 0, 1110],
    ['America/New_York', 4, 11_100],
    ['Asia/Tokyo', -9, 111],
    ['Asia/Kolkata', -5.5, 111],
  ];
  for (const [zone, fromHour, ours] of cases) {
    test(`a partner whose days are those of ${zone} is compared with what we count on these`, async () => {
      const room = await suite.room();
      const { reconciliation, statistics } = room.store;
      const object = await demandOf(room);
      const PublisherId = await room.add('Publisher', { Name: 'p' });
      const supply = { kind: 'VastTag', id: await room.add('VastTag', { PublisherId }) };
      const at = (hours: number, impressions: number) =>
        hoursBefore(
          pairCounts(supply, object, { impressions, revenueNanos: impressions * 1_000_000 }),
          -hours,
        );
      const pairs = [at(-1, 1), at(0, 10), at(4, 100), at(23, 1000), at(27, 10_000)];
      await statistics.add([{ id: randomUUID(), timeMs: nowMs, pairs, addresses: [] }]);
      const spanMs = [day * 86_400_000 + fromHour * 3_600_000, 0] as const;
      const span = { fromMs: spanMs[0], untilMs: spanMs[0] + 86_400_000 };
      const days = [
        { day, impressions: 90, clicks: 0, nanos: 90_000_000, ...(zone === 'UTC' ? {} : { span }) },
      ];
      await reconciliation.request(object, nowMs, { fromDay: day, toDay: day });
      const job = await claimed(room);
      const reported = { fromDay: day, toDay: day, days };
      await reconciliation.finish(job, { ...read, reported });
      const kept = { nowMs, keptDays: standardKeptDays, starts: await statistics.cubeStarts() };
      const question = questionOf(
        { teamId: room.actor.teamId, supplies: [], demands: [] },
        {
          fromMs: day * 86_400_000,
          untilMs: (day + 1) * 86_400_000,
          groups: ['Day'],
          measures: ['PartnerImpressions', 'Discrepancy', 'AmountDiscrepancy'],
        },
      );
      const { rows } = await runReport(statistics, question, kept);
      const share = Math.round((100 * (90 - ours) * 1e6) / ours) / 1e6;
      assert.deepEqual(
        rows.map(({ figures: of }) => Object.values(of)),
        [[90, share, share]],
      );
    });
  }
}

function versions(suite: Opened): void {
  test('what partners said before is kept, each time that it was another', async () => {
    const room = await suite.room();
    const { reconciliation } = room.store;
    const object = await demandOf(room);
    let lastMs = nowMs;
    const say = async (...days: readonly ReportedCounts[]) => {
      lastMs += 1000;
      await reconciliation.request(object, nowMs, { fromDay: day - 1, toDay: day });
      const job = await claimed(room);
      const reported = { fromDay: day - 1, toDay: day, days };
      await reconciliation.finish(job, { ...read, lastMs, reported });
    };
    const one = (impressions: number, more: Partial<ReportedCounts> = {}): ReportedCounts => ({
      day,
      impressions,
      clicks: 1,
      nanos: impressions * 1_000_000_000_000,
      ...more,
    });
    await say(one(10));
    await say(one(10));
    await say(one(12), { ...one(0), day: day - 1, clicks: 0, isMissing: true });
    await say(one(12));
    await say(one(10));
    const said = async (fromDay: number, limit = 100) =>
      (await reconciliation.history(object, { fromDay, toDay: day }, limit)).map((version) => [
        version.day - day,
        version.fetchedMs - nowMs,
        version.impressions,
        version.nanos,
        version.isMissing,
        version.isTakenBack,
      ]);
    const ofDay = [
      [0, 5000, 10, 10_000_000_000_000, false, false],
      [0, 3000, 12, 12_000_000_000_000, false, false],
      [0, 1000, 10, 10_000_000_000_000, false, false],
    ];
    assert.deepEqual(await said(day - 1), [
      ...ofDay,
      [-1, 4000, 0, 0, false, true],
      [-1, 3000, 0, 0, true, false],
    ]);
    assert.deepEqual(await said(day), ofDay);
    assert.deepEqual(await said(day, 1), ofDay.slice(0, 1));
    const stranger = { ...object, id: object.id + 1 };
    assert.deepEqual(await reconciliation.history(stranger, { fromDay: 0, toDay: day }, 10), []);
    for (let more = 0; more < 120; more += 1) await say(one(more));
    const all = await said(day, 1000);
    assert.deepEqual([all.length, all[0]?.[2], all.at(-1)?.[2]], [100, 119, 10], 'the first stays');
  });
}

/** What the store promises of fetches of partners' statistics, and of what they report. */
export function reconciliationContract(engine: Engine): void {
  describe('reconciliation', () => {
    const suite = openedFor(engine);
    fetches(suite);
    figures(suite);
    zones(suite);
    versions(suite);
  });
}
