import { Type } from 'typebox';
import {
  type Health,
  healthSchema,
  latencies,
  shownOfDemand,
  shownOfSupply,
} from '../../answers/object-health.ts';
import { exchangeKindNames } from '../../entities/kinds.ts';
import { entityOf } from '../../entities/registry.ts';
import { invalid } from '../../fields/fault.ts';
import { noCounts } from '../../reference/counters.ts';
import type { DimensionName } from '../../reference/dimensions.ts';
import { type MeasureName, type MeasureValues, measures } from '../../reference/measures.ts';
import type { RetentionState } from '../../statistics/asking/plan-report.ts';
import type { ReportFilter, ReportQuestion } from '../../statistics/asking/question.ts';
import { type ReportRow, runReport } from '../../statistics/asking/run-report.ts';
import { hourMs, quarterMs } from '../../statistics/days.ts';
import type { StoredObject } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import { reader } from '../endpoint/access.ts';
import { defineEndpoint, type Tag } from '../endpoint/endpoint.ts';
import { text } from '../endpoint/parameter.ts';
import { healthAnswer } from './health-answer.ts';
import { idsParameter } from './ids-parameter.ts';
import { lacksOf } from './readiness.ts';

export const healthTag: Tag = {
  name: 'Health',
  description: 'The health of objects: what they get, and what goes wrong.',
};

const idsMax = 500;
const hoursBack = 24;
const sideOf = (kind: string) => entityOf(kind).exchange?.side;
export const healthKinds: readonly string[] = exchangeKindNames.filter((key) =>
  ['supply', 'demand'].includes(sideOf(key) ?? ''),
);

/** Of the database, about objects of a kind. */
interface HealthObjects {
  readonly teamId: number;
  readonly kind: string;
  readonly ids: readonly number[];
  readonly nowMs: number;
}

/** Since a time, also by interval or reason. */
function questionOf(
  { teamId, kind, ids, nowMs }: HealthObjects,
  fromMs: number,
  more: Pick<ReportQuestion, 'measures'> & {
    readonly by?: 'Hour' | 'Reason';
    readonly filters?: readonly ReportFilter[];
  },
): ReportQuestion {
  const field: DimensionName = sideOf(kind) === 'demand' ? 'Demand' : 'Supply';
  const own: ReportFilter = { field, isNot: false, values: ids.map((id) => [kind, id]) };
  const { by, filters = [], measures: asked } = more;
  return {
    teamId,
    fromMs,
    untilMs: (Math.floor(nowMs / hourMs) + 1) * hourMs,
    zone: 'UTC',
    groups: by ? [by, field] : [field],
    measures: asked,
    filters: [own, ...filters],
    orderBy: [],
    limit: undefined,
    hasTotal: false,
    compareTo: undefined,
  };
}

const idOf = ({ values }: ReportRow) => Number(values.at(-1)?.[1] ?? 0);

async function readHealth({ store, keptDays }: Pick<Context, 'store' | 'keptDays'>, asked: HealthObjects) {
  const isDemand = sideOf(asked.kind) === 'demand';
  const sinceMs = (Math.floor(asked.nowMs / quarterMs) - 4) * quarterMs;
  const hourBeforeMs = (Math.floor(asked.nowMs / hourMs) - 1) * hourMs;
  const starts = await store.statistics.cubeStarts();
  // The incomplete first hour is shown all the same.
  const now: RetentionState = {
    nowMs: asked.nowMs,
    keptDays,
    starts: new Map([...starts].map(([name]) => [name, 0])),
  };
  const rowsOf = async (...question: Parameters<typeof questionOf>) =>
    (await runReport(store.statistics, questionOf(...question), now)).rows;
  const byId = (rows: readonly ReportRow[]) => Map.groupBy(rows, idOf);
  const alone: ReportFilter = { field: 'DemandKind', isNot: false, values: [['']] };
  const figures = byId(await rowsOf(asked, sinceMs, { measures: isDemand ? shownOfDemand : shownOfSupply }));
  const slow = isDemand ? byId(await rowsOf(asked, hourBeforeMs, { measures: latencies })) : undefined;
  const refusals = byId(
    await rowsOf(asked, hourBeforeMs, {
      measures: isDemand ? ['Refusals', 'LostValue'] : ['Refusals', 'LostValue', 'Invalid'],
      by: 'Reason',
      filters: isDemand ? [] : [alone],
    }),
  );
  const asking: readonly MeasureName[] = isDemand ? ['CallAttempts', 'UncalledBids'] : ['Requests'];
  const fromMs = hourBeforeMs - (hoursBack - 1) * hourMs;
  const hours = byId(await rowsOf(asked, fromMs, { measures: asking, by: 'Hour' }));
  return (id: number) => ({
    sinceMs,
    figures: {
      ...figuresOf(figures.get(id), isDemand),
      ...(slow?.get(id)?.[0]?.figures ?? {}),
    } as MeasureValues,
    refusals: (refusals.get(id) ?? [])
      .map((row) => ({ reason: String(row.values[0]?.[0] ?? ''), figures: row.figures }))
      .toSorted((one, other) => (other.figures.Refusals ?? 0) - (one.figures.Refusals ?? 0)),
    lastHourMs: (hours.get(id) ?? [])
      .filter(({ figures: of }) => asking.some((name) => (of[name] ?? 0) > 0))
      .map(({ time = '' }) => Date.parse(time))
      .toSorted((one, other) => other - one)[0],
  });
}

/** Zeros if nothing was counted. */
function figuresOf(rows: readonly ReportRow[] | undefined, isDemand: boolean): MeasureValues {
  const names: readonly MeasureName[] = isDemand ? shownOfDemand : shownOfSupply;
  const ofNothing: MeasureValues = Object.fromEntries(
    names.map((name) => [name, measures[name].of(noCounts)]),
  );
  return { ...ofNothing, ...rows?.[0]?.figures };
}

interface HealthPage extends Pick<HealthObjects, 'teamId' | 'kind'> {
  readonly objects: readonly StoredObject[];
}

/** In the order of the objects, which have their names. */
export async function describeHealth(
  context: Pick<Context, 'store' | 'exchange' | 'keptDays' | 'now'>,
  { teamId, kind, objects }: HealthPage,
): Promise<readonly Health[]> {
  if (objects.length === 0) return [];
  const ids = objects.map(({ id }) => id);
  const [readOf, threads, lacks] = await Promise.all([
    readHealth(context, { teamId, kind, ids, nowMs: context.now() }),
    context.exchange.health({ teamId, kind, ids }),
    lacksOf(context, teamId, entityOf(kind), ids),
  ]);
  const isDemand = sideOf(kind) === 'demand';
  return objects.map(({ id, status, document }) =>
    healthAnswer({
      id,
      name: String(document.Name ?? ''),
      isActive: status === 0,
      isDemand,
      missing: lacks.get(id) ?? [],
      ...readOf(id),
      threads: threads.flatMap((known) => known.filter((one) => one.id === id)),
      threadsOf: threads.length,
    }),
  );
}

export const healthExample = {
  Id: 7,
  Name: 'DSP',
  State: 'warning' as const,
  Since: '2027-01-31T11:00:00Z',
  Reasons: [{ Reason: 'timed_out', Help: 'No answer came in time.' }],
  Missing: [],
  LastRequest: '2027-01-31T11:59:58Z',
  Calls: 100,
  Timeouts: 40,
  UnavailableRate: 40,
  LatencyP95: 180.5,
  Refusals: [{ Reason: 'timed_out', Help: 'No answer came in time.', Refusals: 40, LostValue: 0 }],
  Limits: [],
  Paused: null,
  LastFault: null,
};

export const getHealth = defineEndpoint({
  method: 'GET',
  path: '/api/health/get',
  name: 'getHealth',
  tag: healthTag,
  summary: 'Fetch the health of objects',
  description: `For each supply or demand object, what it had in the last hour, what refused it, and the limits it has reached; for demand also pauses of its partner and its last faulty answer, as far as the threads of this server have seen them since their start. Times are UTC; figures are one or two seconds old. At most ${idsMax} objects.`,
  access: reader,
  parameters: {
    Entity: {
      ...text({
        help: 'Kind of the objects',
        schema: { type: 'string', enum: healthKinds },
        example: 'DspRtbEp',
        check: (value) =>
          healthKinds.includes(value)
            ? undefined
            : {
                Code: 'out_of_range',
                Message: `is not a kind of supply or demand; possible values: ${healthKinds.join(', ')}`,
              },
      }),
      isRequired: true,
    },
    Ids: idsParameter(idsMax),
  },
  returns: {
    description: 'The objects, in the order of their IDs',
    schema: Type.Array(healthSchema),
    example: () => [healthExample],
  },
  serve:
    (context) =>
    async ({ caller: { teamId }, parameters: { Entity: kind = '', Ids } }) => {
      const { store } = context;
      const objects = await store.page(entityOf(kind), teamId, Ids ? { ids: Ids } : {}, idsMax + 1, ['Name']);
      if (objects.length > idsMax) {
        throw invalid([
          { Path: 'Ids', Code: 'required', Message: `must name at most ${idsMax} objects: there are more` },
        ]);
      }
      const missing = (Ids ?? []).filter((id) => !objects.some((object) => object.id === id));
      if (missing.length > 0) {
        throw invalid([
          { Path: 'Ids', Code: 'not_found', Message: `there is no ${kind} ${missing.join(', ')}` },
        ]);
      }
      return describeHealth(context, { teamId, kind, objects });
    },
});
