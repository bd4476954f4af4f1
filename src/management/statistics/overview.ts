import { Type } from 'typebox';
import { closedObject } from '../../answers/wire-schema.ts';
import { invalid } from '../../fields/fault.ts';
import { formats } from '../../fields/formats.ts';
import { createAsyncCache } from '../../shared/async-cache.ts';
import { textInZone } from '../../statistics/asking/zones.ts';
import { dateOf, dayMs, dayOf } from '../../statistics/days.ts';
import type { FigureValues } from '../../statistics/figure-values.ts';
import type { Context } from '../context.ts';
import { reader } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { text } from '../endpoint/parameter.ts';
import { readRetention } from './answer-report.ts';
import { askingOf, timesOf } from './compared-figures.ts';
import { comparisonExample, comparisonMembers, measureMembers } from './figures-schema.ts';
import { figuresTag } from './object-figures.ts';

const answerAges = { freshMs: 5000, keysMax: 1000 };
type Figures = FigureValues;

async function overviewOf(context: Pick<Context, 'store' | 'now' | 'keptDays'>, teamId: number, day: number) {
  const known = await readRetention(context);
  const ask = askingOf(context.store.statistics, teamId, known);
  const times = timesOf(day, known.nowMs);
  const [own, weekAgo, yesterday, trend] = await Promise.all([
    ask(times.day, { groups: ['Hour'], compareTo: 'Period' }),
    ask(times.day, { groups: [], compareTo: 'Week' }),
    ask(times.before, { groups: [], compareTo: undefined }),
    ask(times.trend, { groups: ['Hour'], compareTo: undefined, measures: ['Requests'] }),
  ]);
  const begun = own.rows.filter(({ time = '' }) => Date.parse(time) < times.trend[1]);
  return {
    Day: dateOf(day),
    ComparedUntil: textInZone(own.before?.untilMs ?? times.day[0], 'UTC'),
    Today: own.total?.figures as Figures,
    SameHoursYesterday: own.total?.before as Figures,
    SameHoursWeekAgo: weekAgo.total?.before as Figures,
    Yesterday: yesterday.total?.figures as Figures,
    Trend: trend.rows.map(({ figures: { Requests = 0 } }) => Requests),
    Hours: begun.map(({ time = '', figures: now, before }) => ({
      Hour: new Date(time).toISOString(),
      ...(now as Figures),
      Before: before as Figures,
    })),
  };
}

/** Hours are kept for as long. Refuses with `invalid` a day that has not begun or is no longer kept. */
function dayIn(Day: string | undefined, { now, keptDays }: Pick<Context, 'now' | 'keptDays'>): number {
  const today = dayOf(now());
  if (!Day) return today;
  const day = Date.parse(Day) / dayMs;
  const first = Math.min(today, today - keptDays.hours + 2);
  if (day >= first && day <= today) return day;
  const Message = `must be a day from ${dateOf(first)}, since when hours are kept, to ${dateOf(today)}, today (UTC)`;
  throw invalid([{ Path: 'Day', Code: 'out_of_range', Message }]);
}

const { Today } = comparisonExample;

export const figuresOverview = defineEndpoint({
  method: 'GET',
  path: '/api/figures/overview',
  name: 'figuresOverview',
  tag: figuresTag,
  summary: "Fetch the team's figures of a day",
  description:
    'What the whole team counted today, and how it compares: with yesterday and with a week ago until the same moment, as in reports; and the hours of today, each with the same one of yesterday. Of the quarter hour that holds the moment, other days count the share that has passed. With Day, it is that day instead of today, and Yesterday is the day before it. Days and hours are UTC. Figures may be five seconds old.',
  access: reader,
  parameters: {
    Day: text({
      help: 'The day, instead of today (UTC)',
      schema: { type: 'string' },
      example: '2027-01-31',
      check: (value) =>
        formats.day.test(value) ? undefined : { Code: 'format', Message: 'must be a day, like 2027-01-31' },
    }),
  },
  returns: {
    description: 'The figures',
    schema: closedObject({
      Day: Type.String({ description: 'The day' }),
      ComparedUntil: Type.String({
        description:
          'The moment of the day before until which SameHoursYesterday counts; of a day that is over, its end',
      }),
      ...comparisonMembers,
      Hours: Type.Array(
        Type.Unsafe<FigureValues & { Hour: string; Before: FigureValues }>(
          closedObject({
            Hour: Type.String({ description: 'Start of the hour (UTC)' }),
            ...measureMembers,
            Before: comparisonMembers.Yesterday,
          }),
        ),
        {
          description:
            'The hours of the day so far; if the last one has only begun, Before is of the same part of it',
        },
      ),
    }),
    example: () => ({
      Day: '2027-01-31',
      ComparedUntil: '2027-01-30T14:05:00+00:00',
      ...comparisonExample,
      Hours: [{ Hour: '2027-01-31T00:00:00.000Z', ...Today, Before: Today }],
    }),
  },
  serve(context) {
    const answers = createAsyncCache<Awaited<ReturnType<typeof overviewOf>>>(context.now, answerAges);
    return ({ caller: { teamId }, parameters: { Day } }) => {
      const day = dayIn(Day, context);
      return answers(`${teamId}/${day}`, () => overviewOf(context, teamId, day));
    };
  },
});
