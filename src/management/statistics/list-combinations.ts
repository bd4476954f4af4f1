import { Type } from 'typebox';
import { closedObject, okStatus } from '../../answers/wire-schema.ts';
import { Refusal } from '../../fields/fault.ts';
import type { Grain } from '../../reference/cubes.ts';
import { dimensionRows } from '../../reference/dimensions.ts';
import { measureRows } from '../../reference/measures.ts';
import { isSeenBy } from '../../reference/partner-kinds.ts';
import { answerableFrom } from '../../statistics/asking/plan-report.ts';
import type { Store } from '../../store/interface.ts';
import { everyUser } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { readRetention } from './answer-report.ts';
import { reportsTag } from './ask-report.ts';

const stepNames: Readonly<Partial<Record<Grain, string>>> = {
  quarter: 'QuarterHour',
  hour: 'Hour',
  day: 'Day',
};

type Seen = Parameters<typeof isSeenBy>[0];
const hidden: Seen = { help: '' };

/** From when single events are kept; undefined without an engine that keeps them, or while it is away. */
async function factsFrom({
  statistics: { analytics },
}: Pick<Store, 'statistics'>): Promise<number | undefined> {
  try {
    return (await analytics?.range())?.fromMs;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unavailable') return undefined;
    throw error;
  }
}

export const listCombinations = defineEndpoint({
  method: 'GET',
  path: '/api/statistics/combinations',
  name: 'listCombinations',
  tag: reportsTag,
  summary: 'List what reports can be asked for',
  description:
    'Which dimensions and measures are counted together, and by which intervals of UTC since when. A report can be asked for if one of these has all of its dimensions, filters included, and measures. Intervals of any time zone are made of those of UTC: hours and days of most zones need Hour, those of zones with half hours QuarterHour. Single events that ClickHouse keeps come first. Partners see the dimensions and measures that partners may see.',
  access: everyUser,
  returns: {
    description: 'The combinations',
    schema: closedObject({
      Status: okStatus,
      Combinations: Type.Array(
        closedObject({
          Dimensions: Type.Array(Type.String(), { description: 'Names, as in GroupBy' }),
          Measures: Type.Array(Type.String(), { description: 'Names, as in Measures' }),
          Steps: Type.Array(
            closedObject({
              Step: Type.String({ description: 'QuarterHour, Hour or Day, of UTC' }),
              Since: Type.String({ description: 'Start of the first one that is kept whole' }),
            }),
            { description: 'By which intervals they are kept' },
          ),
        }),
        { description: 'What is counted together' },
      ),
    }),
    example: () => ({
      Status: 'Ok',
      Combinations: [
        {
          Dimensions: ['Publisher', 'Supply', 'SupplyKind', 'Country'],
          Measures: ['Requests', 'Impressions', 'Revenue'],
          Steps: [
            { Step: 'QuarterHour', Since: '2027-01-01T00:00:00.000Z' },
            { Step: 'Day', Since: '2026-10-31T00:00:00.000Z' },
          ],
        },
      ],
    }),
  },
  serve:
    (context) =>
    async ({ caller: { partner } }) => {
      const known = answerableFrom(await readRetention(context), await factsFrom(context.store));
      const dimensions = new Map(dimensionRows);
      const measures = new Map(measureRows);
      const seen = <Name extends string>(names: readonly Name[], rows: ReadonlyMap<Name, Seen>) =>
        names.filter((name) => isSeenBy(rows.get(name) ?? hidden, partner));
      return {
        Status: 'Ok' as const,
        Combinations: known.map((one) => ({
          Dimensions: seen(one.dimensions, dimensions),
          Measures: seen(one.measures, measures),
          Steps: one.steps.flatMap(({ grain, sinceMs }) => {
            const Step = stepNames[grain];
            return Step ? [{ Step, Since: new Date(sinceMs).toJSON() }] : [];
          }),
        })),
      };
    },
});
