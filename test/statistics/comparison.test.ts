import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import {
  type ComparedName,
  compareObjects,
  dimensionOf,
} from '../../src/management/statistics/compared-figures.ts';
import { readReportQuestion, type SentReport } from '../../src/management/statistics/report-question.ts';
import { ownCounters } from '../../src/reference/counters.ts';
import { runReport } from '../../src/statistics/asking/run-report.ts';
import { quarterMs } from '../../src/statistics/days.ts';
import { figures } from '../../src/statistics/figure-values.ts';
import { standardKeptDays } from '../../src/statistics/forgetting.ts';
import { openStore } from '../../src/store/open-store.ts';
import { lot, market } from '../store/market.ts';
import { newActor, roomOf } from '../store/team-room.ts';
import { seeded } from '../support/seed.ts';
import { day, dayMs, pairCounts, startMs } from './counting.ts';

const folder = mkdtempSync(join(tmpdir(), 'bourse-comparison-'));
const store = await openStore({ url: `sqlite:${join(folder, 'bourse.db')}`, now: () => startMs });
after(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});
const actor = await newActor(store);
const room = roomOf({} as Parameters<typeof roomOf>[0], store, actor);
const { statistics } = store;
const objects = await market(room);
const { supply, feed, demand } = objects;

/** As little alike as those of people, in each quarter hour of eight days. */
const uneven = (quarter: number, factor: number) => (quarter * factor) % 97;
const quarters = Array.from({ length: 9 * 96 }, (_, index) => (day - 8) * 96 + index);
await statistics.add([
  lot({
    pairs: quarters.flatMap((quarter) => {
      const at = { hour: Math.floor(quarter / 4), quarter: quarter % 4 };
      const amounts = {
        revenueNanos: uneven(quarter, 7919) * 1e6 + 1e3,
        spentNanos: uneven(quarter, 31) * 1e6,
      };
      const counted = {
        bids: uneven(quarter, 13),
        wins: uneven(quarter, 11),
        impressions: uneven(quarter, 5),
      };
      return [
        { ...pairCounts(supply, undefined, { requests: uneven(quarter, 41) }), ...at },
        { ...pairCounts(supply, demand, { ...counted, ...amounts, requests: 1 }), ...at },
        { ...pairCounts(feed, demand, amounts), ...at },
      ];
    }),
  }),
]);
const starts = new Map<string, number>();

/** By the report that says the same. */
const reports: Readonly<Record<ComparedName, readonly [side: 'figures' | 'before', Partial<SentReport>]>> = {
  Today: ['figures', { Period: 'Today' }],
  Yesterday: ['figures', { Period: 'Yesterday' }],
  SameHoursYesterday: ['before', { Period: 'Today', CompareTo: 'Period' }],
  SameHoursWeekAgo: ['before', { Period: 'Today', CompareTo: 'Week' }],
};

/** Reports tell them of supply; of demand, the lists tell the requests that it took part in. */
const ofSupply: ReadonlySet<string> = new Set(
  figures.flatMap(([name, { from }]) => (from.some((one) => ownCounters.includes(one)) ? [name] : [])),
);

test('figures of objects and of reports about them are the same, whenever they are asked', async () => {
  const measures = figures.map(([name]) => name);
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: dayMs - 1 }),
      fc.constantFrom(...Object.values(objects)),
      async (afterMs, { kind, id }) => {
        const nowMs = startMs + afterMs;
        const known = { nowMs, keptDays: standardKeptDays, starts };
        const { teamId } = actor;
        const found = (await compareObjects(statistics, known, { teamId, kind, ids: [id] })).get(id);
        const { field, values } = dimensionOf(kind, [id]);
        const isOfDemand = field === 'Demand' || field === 'Advertiser';
        const names = measures.filter((name) => !(isOfDemand && ofSupply.has(name)));
        for (const [name, [side, sent]] of Object.entries(reports)) {
          const asked = readReportQuestion({ Measures: measures, Total: 1, ...sent }, teamId, nowMs);
          const filters = [{ field, isNot: false, values }];
          const { total } = await runReport(statistics, { ...asked, filters }, known);
          const of = (values?: Readonly<Record<string, unknown>>) => names.map((one) => values?.[one]);
          assert.deepEqual(of(found?.[name as ComparedName]), of(total?.[side]), `${kind}, ${name}`);
        }
      },
    ),
    seeded(20),
  );
});

test('the trend has the last 24 hours, of which the last has only begun', async () => {
  const nowMs = startMs + 2.5 * 4 * quarterMs;
  const known = { nowMs, keptDays: standardKeptDays, starts };
  const asked = { teamId: actor.teamId, kind: supply.kind, ids: [supply.id] };
  const { Trend = [] } = (await compareObjects(statistics, known, asked)).get(supply.id) ?? {};
  const requestsIn = (hour: number) =>
    quarters
      .filter((quarter) => Math.floor(quarter / 4) === hour)
      .reduce((sum, quarter) => sum + uneven(quarter, 41), 0);
  const last = day * 24 + 2;
  assert.deepEqual(
    Trend,
    Array.from({ length: 24 }, (_, index) => requestsIn(last - 23 + index)),
  );
});
