import { type Static, Type } from 'typebox';
import { closedObject, labelled, okStatus } from '../../answers/wire-schema.ts';
import { isDeal, isSupply, limitedKindNames } from '../../entities/kinds.ts';
import { entityOf } from '../../entities/registry.ts';
import { invalid } from '../../fields/fault.ts';
import { intMax } from '../../fields/number.ts';
import { formerZonesMember } from '../../shared/limit-days.ts';
import { zoneClock } from '../../shared/zone-clock.ts';
import { hourMs, hourOf } from '../../statistics/days.ts';
import { retainedFrom } from '../../statistics/forgetting.ts';
import { budgetsOf, type PlannedBudget } from '../../statistics/pace.ts';
import { type PaceUnit, paceLine, pointTimes, spreadOf, stepOf } from '../../statistics/pace-line.ts';
import { weekShapes } from '../../statistics/week-shapes.ts';
import type { CubeQuestion } from '../../store/statistics/interface.ts';
import type { Context } from '../context.ts';
import { everyUser } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { number, text } from '../endpoint/parameter.ts';
import { suggestion } from '../input/validation.ts';
import { ownFilter, seenByOwner } from '../portal/own-objects.ts';
import { notFoundFault } from '../post-answer.ts';
import { figuresTag } from './object-figures.ts';

const kinds: readonly string[] = limitedKindNames.filter((kind) => !isSupply(kind));

const partWords = {
  flight: 'The present flight',
  total: 'The time from first to last day',
  day: 'The day',
} as const;
const spreadWords = {
  none: 'Not at all: as fast as possible',
  clock: 'Evenly by the clock',
  traffic: 'With the traffic',
  ahead: 'Ahead of the traffic',
} as const;
const unitWords = { Impressions: 'Impressions', Spend: 'USD that advertisers pay' } as const;
const units = [
  ['impressions', 'Impressions'],
  ['nanos', 'Spend'],
] as const satisfies readonly (readonly [PaceUnit, keyof typeof unitWords])[];

const time = (description: string) => Type.String({ description });
const amount = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });
const pointSchema = closedObject({
  Time: time('UTC'),
  Planned: amount('What is due by then; null if it is not spread'),
  Delivered: amount('What was delivered by then; null if that is to come, or no longer kept by the hour'),
  Forecast: amount('What is expected by then; null before now'),
});
const lineSchema = closedObject({
  Part: labelled(partWords, 'The time that has the limit'),
  Unit: labelled(unitWords, 'What is limited'),
  Limit: Type.Number({ description: 'The limit' }),
  From: time('When the time begins, UTC'),
  To: time('When it ends, UTC'),
  Spread: labelled(spreadWords, 'How the limit is spread over the time'),
  Due: amount('What is due by now'),
  Delivered: Type.Number({ description: 'What was delivered until now' }),
  Pace: amount('Delivered in percent of what is due by the traffic'),
  Forecast: amount('What will be delivered in all, if it goes on so'),
  ForecastEnd: Type.Union([Type.String(), Type.Null()], {
    description: 'When a limit of this time is used up, if it goes on so; null = not in this time',
  }),
  Step: labelled({ Hour: 'Hours', Day: 'Days' }, 'What is between two points'),
  Points: Type.Array(pointSchema, { description: 'Sums since From, from From to To' }),
});
type Line = Static<typeof lineSchema>;

const exampleLine: Line = {
  Part: 'day',
  Unit: 'Impressions',
  Limit: 24_000,
  From: '2027-01-31T00:00:00.000Z',
  To: '2027-02-01T00:00:00.000Z',
  Spread: 'traffic',
  Due: 12_000,
  Delivered: 11_400,
  Pace: 95,
  Forecast: 22_800,
  ForecastEnd: null,
  Step: 'Hour',
  Points: [{ Time: '2027-01-31T12:00:00.000Z', Planned: 12_000, Delivered: 11_400, Forecast: 11_400 }],
};

const nanosPerUsd = 1e9;
const rounding = {
  impressions: (value: number) => Math.round(value),
  nanos: (value: number) => Math.round((1e6 * value) / nanosPerUsd) / 1e6,
};
const isoOf = (ms: number) => new Date(ms).toISOString();

interface PacedObject {
  readonly kind: string;
  readonly id: number;
  readonly teamId: number;
  readonly values: Readonly<Record<string, unknown>>;
}

type PaceContext = Pick<Context, 'store' | 'now' | 'keptDays'>;

/** What was counted from each of some full hours until the next, by unit. */
async function readHours(
  { store: { statistics } }: PaceContext,
  { kind, id, teamId }: PacedObject,
  hours: readonly number[],
) {
  const isOfDeal = isDeal(kind);
  const question: CubeQuestion = {
    cube: isOfDeal ? 'dealUse' : 'demand',
    grain: 'hour',
    teamId,
    ranges: hours.slice(1).map((until, bucket) => ({ bucket, from: hours[bucket] ?? until, until })),
    columns: [],
    counters: ['bills', 'revenueNanos'],
    conditions: [
      { columns: ['demand_kind', isOfDeal ? 'deal_id' : 'demand_id'], values: [[kind, id]], isNot: false },
    ],
    rowsMax: hours.length,
  };
  const sums = new Map<number, Readonly<Record<PaceUnit, number>>>();
  for await (const rows of statistics.ask(question))
    for (const [bucket = 0, impressions = 0, nanos = 0] of rows)
      sums.set(Number(bucket), { impressions: Number(impressions), nanos: Number(nanos) });
  return sums;
}

/** From each full hour among some times until now, as far back as hours are kept. */
async function readUsedSince(context: PaceContext, object: PacedObject, times: readonly number[]) {
  const nowMs = context.now();
  const fromMs = retainedFrom('hours', nowMs, context.keptDays);
  const known = times.filter((ms) => ms % hourMs === 0 && ms >= fromMs && ms <= nowMs);
  const hours = [...known.map(hourOf), hourOf(nowMs) + 1];
  const sums = await readHours(context, object, hours);
  const since = new Map<number, Readonly<Record<PaceUnit, number>>>();
  let all = { impressions: 0, nanos: 0 };
  for (const [bucket, timeMs] of [...known.entries()].toReversed()) {
    const { impressions = 0, nanos = 0 } = sums.get(bucket) ?? {};
    all = { impressions: all.impressions + impressions, nanos: all.nanos + nanos };
    since.set(timeMs, all);
  }
  return since;
}

async function linesOf(
  context: PaceContext,
  object: PacedObject,
  budget: PlannedBudget,
): Promise<readonly Line[]> {
  const { statistics } = context.store;
  const { kind, id, values } = object;
  const nowMs = context.now();
  const times = pointTimes(budget, zoneClock(String(values.TimeZone ?? '')));
  const [[inAll], [before], shapes, since] = await Promise.all([
    statistics.totalCosts([kind], [id]),
    statistics.usedBefore(kind, [{ id, beforeMs: Math.min(budget.startMs, nowMs) }]),
    weekShapes(statistics, kind, [id], nowMs),
    readUsedSince(context, object, times),
  ]);
  const use = {
    impressions: (inAll?.impressions ?? 0) - (before?.impressions ?? 0),
    nanos: (inAll?.totalNanos ?? 0) - (before?.totalNanos ?? 0),
    shape: shapes.get(id),
    nowMs,
  };
  return units.flatMap(([unit, Unit]): readonly Line[] => {
    if (budget[unit] === 0) return [];
    const spread = spreadOf(values, { budget, unit, use });
    const line = paceLine({ budget, unit, use, times, ...spread, usedSince: (ms) => since.get(ms)?.[unit] });
    const shown = (value: number | undefined) => (value === undefined ? null : rounding[unit](value));
    return [
      {
        Part: budget.part,
        Unit,
        Limit: rounding[unit](budget[unit]),
        From: isoOf(budget.startMs),
        To: isoOf(budget.endMs + 1),
        Spread: line.spread,
        Due: shown(line.due),
        Delivered: rounding[unit](use[unit]),
        Pace: line.pace ?? null,
        Forecast: shown(line.forecast),
        ForecastEnd: line.ends,
        Step: stepOf(budget),
        Points: line.points.map((point) => ({
          Time: isoOf(point.timeMs),
          Planned: shown(point.planned),
          Delivered: shown(point.delivered),
          Forecast: shown(point.forecast),
        })),
      },
    ];
  });
}

export const getPace = defineEndpoint({
  method: 'GET',
  path: '/api/figures/pace',
  name: 'getPace',
  tag: figuresTag,
  summary: 'Fetch how an object delivers, beside its plan',
  description:
    'For each limit of a campaign, another demand object or a deal that has a time: of the day, of the present flight, and between the first and the last day. Sums of what is due by the plan that auctions follow, of what was delivered, and of what is expected by the traffic of the week before if it goes on so. Up to 14 days by the hour, longer times by the day, over a year by several days: at most 368 points. Limits in total without a first and a last day have no line. Partners see the limits that partners see. Figures are one or two seconds old.',
  access: everyUser,
  parameters: {
    Entity: {
      ...text({
        help: 'Kind of the object',
        schema: { type: 'string', enum: kinds },
        example: 'Campaign',
        check: (value) =>
          kinds.includes(value)
            ? undefined
            : {
                Code: 'out_of_range',
                Message: `is not a kind with a plan${suggestion(value, kinds)}; possible values: ${kinds.join(', ')}`,
              },
      }),
      isRequired: true,
    },
    Id: { ...number({ help: 'ID of the object', max: intMax }), isRequired: true },
  },
  failures: { Forbidden: 'Partners see only what belongs to their account.' },
  returns: {
    description: 'A line for each limit',
    schema: closedObject({
      Status: okStatus,
      TimeZone: Type.String({ description: 'By whose clock days and flights begin; "" = UTC' }),
      Now: time('Until when it is counted, UTC'),
      Lines: Type.Array(lineSchema, { description: 'The lines' }),
    }),
    example: () => ({
      Status: 'Ok' as const,
      TimeZone: '',
      Now: '2027-01-31T12:00:00.000Z',
      Lines: [exampleLine],
    }),
  },
  serve:
    (context) =>
    async ({ caller: { teamId, partner }, parameters: { Entity = '', Id: id = 0 } }) => {
      const entity = entityOf(Entity);
      const filter = { ...(partner && ownFilter(entity, partner)), ids: [id] };
      const found = await context.store.find(entity, teamId, filter);
      if (!found) throw invalid([{ ...notFoundFault(entity, id), Path: 'Id' }]);
      const { document } = found;
      const ownerSees = {
        ...seenByOwner(entity, document),
        [formerZonesMember]: document[formerZonesMember],
      };
      const values: PacedObject['values'] = partner ? ownerSees : document;
      const budgets = budgetsOf(Entity, values, context.now());
      const object = { kind: Entity, id, teamId, values };
      const lines = await Promise.all(budgets.map((budget) => linesOf(context, object, budget)));
      return {
        Status: 'Ok' as const,
        TimeZone: String(values.TimeZone ?? ''),
        Now: isoOf(context.now()),
        Lines: lines.flat(),
      };
    },
});
