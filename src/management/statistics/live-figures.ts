import { Type } from 'typebox';
import { closedObject } from '../../answers/wire-schema.ts';
import { supplyKindNames } from '../../entities/kinds.ts';
import { entityOf } from '../../entities/registry.ts';
import type { MeasureName, MeasureValues } from '../../reference/measures.ts';
import { createAsyncCache } from '../../shared/async-cache.ts';
import { runReport } from '../../statistics/asking/run-report.ts';
import { quarterMs } from '../../statistics/days.ts';
import type { Store } from '../../store/interface.ts';
import { reader } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { reportsTag } from './ask-report.ts';
import { measureMembers } from './figures-schema.ts';

const minuteMs = 60_000;
const minutes = 15;
const quarters = 8;
const pageSize = 1000;
const supplyAges = { freshMs: 30_000, keysMax: 1000 };
const figuresAges = { freshMs: 2000, keysMax: 1000 };
const shown = [
  'Requests',
  'Bids',
  'Wins',
  'Impressions',
  'Clicks',
  'Cost',
  'Revenue',
] as const satisfies readonly MeasureName[];

/** As batches name them. */
async function supplyOf(store: Pick<Store, 'page'>, teamId: number): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const kind of supplyKindNames) {
    for (let afterId = 0; ; ) {
      const page = await store.page(entityOf(kind), teamId, { afterId }, pageSize, []);
      for (const { id } of page) names.add(`${kind}:${id}`);
      if (page.length < pageSize) break;
      afterId = page.at(-1)?.id ?? 0;
    }
  }
  return names;
}

async function requestsByMinute(
  { statistics }: Pick<Store, 'statistics'>,
  supply: ReadonlySet<string>,
  nowMs: number,
) {
  const last = Math.floor(nowMs / minuteMs);
  const sums = Array<number>(minutes).fill(0);
  for (const { timeMs, requests } of await statistics.requestsAfter((last - minutes + 1) * minuteMs - 1)) {
    const place = Math.floor(timeMs / minuteMs) - last + minutes - 1;
    if (place < 0 || place >= minutes) continue;
    for (const [name, count] of Object.entries(requests)) {
      if (supply.has(name)) sums[place] = (sums[place] ?? 0) + count;
    }
  }
  const at = (index: number) => new Date((last - minutes + 1 + index) * minuteMs).toISOString();
  return sums.map((Requests, index) => ({ Minute: at(index), Requests }));
}

const quarterMembers = Object.fromEntries(shown.map((name) => [name, measureMembers[name] ?? Type.Number()]));

export const liveFigures = defineEndpoint({
  method: 'GET',
  path: '/api/statistics/live',
  name: 'liveFigures',
  tag: reportsTag,
  summary: 'Fetch the last minutes',
  description: `Requests of the last ${minutes} minutes to all of the team's supply, by the time they were written to the database, and what was counted in the last ${quarters} quarter hours. Times are UTC; the last minute and the last quarter hour have only begun. Figures are two to four seconds old.`,
  access: reader,
  returns: {
    description: 'The figures',
    schema: closedObject({
      Minutes: Type.Array(
        closedObject({
          Minute: Type.String({ description: 'Its start' }),
          Requests: Type.Integer({ description: 'Requests' }),
        }),
        { description: 'The last minutes, oldest first' },
      ),
      QuarterHours: Type.Array(
        closedObject({ QuarterHour: Type.String({ description: 'Its start' }), ...quarterMembers }),
        {
          description: 'The last quarter hours, oldest first',
        },
      ),
    }),
    example: () => ({
      Minutes: [{ Minute: '2027-01-31T12:00:00.000Z', Requests: 40 }],
      QuarterHours: [
        {
          QuarterHour: '2027-01-31T12:00:00+00:00',
          Requests: 600,
          Bids: 500,
          Wins: 300,
          Impressions: 280,
          Clicks: 3,
          Cost: 0.4,
          Revenue: 0.6,
        },
      ],
    }),
  },
  serve({ store, now, keptDays }) {
    const supply = createAsyncCache<ReadonlySet<string>>(now, supplyAges);
    const kept = createAsyncCache<{
      Minutes: { Minute: string; Requests: number }[];
      QuarterHours: object[];
    }>(now, figuresAges);
    const read = async (teamId: number) => {
      const nowMs = now();
      const untilMs = (Math.floor(nowMs / quarterMs) + 1) * quarterMs;
      const question = {
        teamId,
        fromMs: untilMs - quarters * quarterMs,
        untilMs,
        zone: 'UTC',
        filters: [],
        orderBy: [],
        groups: ['QuarterHour'] as const,
        measures: shown,
        limit: undefined,
        hasTotal: false,
        compareTo: undefined,
      };
      const starts = await store.statistics.cubeStarts();
      // The quarter hour of the migration is incomplete, and shown all the same.
      const known = { nowMs, keptDays, starts: new Map([...starts].map(([name]) => [name, 0])) };
      const { rows } = await runReport(store.statistics, question, known);
      const names = await supply(String(teamId), () => supplyOf(store, teamId));
      return {
        Minutes: await requestsByMinute(store, names, nowMs),
        QuarterHours: rows.map(
          ({ time = '', figures }: { time?: string | undefined; figures: MeasureValues }) => ({
            QuarterHour: time,
            ...figures,
          }),
        ),
      };
    };
    return async ({ caller: { teamId } }) => {
      const { Minutes, QuarterHours } = await kept(String(teamId), () => read(teamId));
      return { body: JSON.stringify({ Minutes, QuarterHours }) };
    };
  },
});
