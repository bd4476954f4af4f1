import { type TSchema, Type } from 'typebox';
import { measureSchema } from '../../answers/measure-schema.ts';
import { closedObject, named } from '../../answers/wire-schema.ts';
import { type FigureValues, figures, figureValues } from '../../statistics/figure-values.ts';
import { exampleRow } from '../../statistics/statistics-columns.ts';

/** By name, of today's figures. */
export const measureMembers: Readonly<Record<string, TSchema>> = Object.fromEntries(
  figures.map(([name, measure]) => [name, measureSchema(measure)]),
);

const measuredSchema = Type.Unsafe<FigureValues>(
  named(
    'Measures',
    closedObject(measureMembers, 'What was counted in a period, and figures derived from it'),
  ),
);

/** Today so far, other days until the same moment, and all of yesterday. */
export const comparisonMembers = {
  Today: measuredSchema,
  SameHoursYesterday: measuredSchema,
  SameHoursWeekAgo: measuredSchema,
  Yesterday: measuredSchema,
  Trend: Type.Array(Type.Integer(), {
    minItems: 24,
    maxItems: 24,
    description: 'Requests in each of the last 24 hours, oldest first; the last hour has only begun',
  }),
};

const example = figureValues(exampleRow.counts);

export const comparisonExample = {
  Today: example,
  SameHoursYesterday: example,
  SameHoursWeekAgo: example,
  Yesterday: example,
  Trend: Array.from({ length: 24 }, (_, index) => 40 + index),
};
