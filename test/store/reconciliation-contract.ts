import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { runReport } from '../../src/statistics/asking/run-report.ts';
import { standardKeptDays } from '../../src/statistics/forgetting.ts';
import type { FetchOutcome } from '../../src/store/reconciliation/interface.ts';
import { day, pairCounts, startMs } from '../statistics/counting.ts';
import { questionOf } from '../statistics/ledger.ts';
import type { Engine } from './engine.ts';
import { type Opened, openedFor, type TeamRoom, withOthers } from './team-room.ts';

const nowMs = startMs + 12 * 3_600_000;
const untilMs = nowMs + 60_000;
const StatsApi = 'https://partner.example/stats';
const read: FetchOutcome = {
  ...{ state: 'read', error: '', sample: '', rowCount: 2, lastMs: nowMs, nextMs: nowMs + 86_400_000 },
};

async function demandOf(room: TeamRoom, document: object = { StatsApi, StatsApiHeaders: 'X-Key: 1' }) {
  const AdvertiserId = await room.add('Advertiser', { Name: 'a' });
  const id = await room.add('DspRtbEp', { AdvertiserId, ...document });
  return { kind: 'DspRtbEp', id, teamId: room.actor.teamId };
}

const free = { untilMs, busyTeams: [] };

function fetches(suite: Opened): void {
  test('active demand with statistics is planned once, taken by one process, and forgotten with its URL', async () => {
    const room = await suite.room();
    const { reconciliation } = room.store;
    const object = await demandOf(room);
    await demandOf(room, {});
    const asleep = await demandOf(room);
    await room.setStatus('DspRtbEp', asleep.id, 1);
    assert.equal(await reconciliation.status(object, nowMs), undefined);
    for (const _ of [1, 2]) await reconciliation.plan(nowMs);
    assert.equal((await reconciliation.status(object, nowMs))?.state, 'waiting');
    assert.equal(await reconciliation.claim('one', nowMs - 1, free), undefined, 'it is not due');
    const busy = { untilMs, busyTeams: [room.actor.teamId] };
    assert.equal(await reconciliation.claim('one', nowMs, busy), undefined, 'its team is busy');
    await withOthers(suite, 2, async (stores) => {
      const names = ['one', 'two', 'three'];
      const all = [room.store, ...stores].map(({ reconciliation: own }, index) =>
        own.claim(names[index] ?? '', nowMs, free),
      );
      const claimed = (await Promise.all(all)).filter((one) => one !== undefined);
      assert.deepEqual(claimed, [{ ...object, days: undefined, url: StatsApi, headers: 'X-Key: 1' }]);
    });
    assert.equal((await reconciliation.status(object, nowMs))?.isUnderWay, true);
    assert.equal(await reconciliation.claim('later', untilMs - 1, free), undefined, 'another one fetches');
    assert.ok(await reconciliation.claim('later', untilMs, free), 'whoever died has it no longer');
    await reconciliation.finish(object, 'one', { ...read, state: 'failed', error: 'too late' });
    assert.equal((await reconciliation.status(object, nowMs))?.state, 'waiting');
    await reconciliation.finish(object, 'later', { ...read, state: 'failed', error: 'gone' });
    const { state, error, isUnderWay } = (await reconciliation.status(object, untilMs)) ?? {};
    assert.deepEqual([state, error, isUnderWay], ['failed', 'gone', false]);
    await reconciliation.request(object, nowMs, { fromDay: day - 9, toDay: day - 8 });
    await room.update('DspRtbEp', object.id, { document: { StatsApi: '' } });
    assert.equal(await reconciliation.claim('one', nowMs, free), undefined);
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
      await statistics.add({ id: randomUUID(), timeMs: nowMs, pairs, subIds: [], addresses: [] });
    }
    const report = async (days: readonly (readonly [back: number, impressions: number, nanos: number])[]) => {
      await reconciliation.request(object, nowMs, { fromDay: day - 2, toDay: day });
      const claimed = await reconciliation.claim('one', nowMs, free);
      assert.deepEqual(claimed?.days, { fromDay: day - 2, toDay: day });
      const rows = days.map(([back, impressions, nanos]) => ({
        ...{ day: day - back, impressions, clicks: 2, nanos },
      }));
      const reported = { fromDay: day - 2, toDay: day, days: rows };
      await reconciliation.finish(object, 'one', { ...read, reported });
    };
    const asked = async (more: Parameters<typeof questionOf>[1] = {}) => {
      const question = questionOf(
        { teamId: room.actor.teamId, supplies: [], demands: [] },
        {
          ...{ fromMs: startMs - 2 * 86_400_000, untilMs: startMs + 86_400_000, groups: ['Day'] },
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
    await statistics.add({ id: randomUUID(), timeMs: nowMs, pairs, subIds: [], addresses: [] });
    assert.deepEqual(await asked({ groups: ['Advertiser'] }), [[310, 6, 110, 2, 2, 1, 0, 0]]);
    await assert.rejects(asked({ groups: ['Hour'] }), /whole|kept by days/);
    await assert.rejects(asked({ groups: ['Supply'] }), /cannot be asked by Supply/);
    await assert.rejects(asked({ groups: ['Country'] }), /cannot be asked by Country/);
  });
}

/** What the store promises of fetches of partners' statistics, and of what they report. */
export function reconciliationContract(engine: Engine): void {
  describe('reconciliation', () => {
    const suite = openedFor(engine);
    fetches(suite);
    figures(suite);
  });
}
