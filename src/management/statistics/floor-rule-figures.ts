import { Type } from 'typebox';
import { closedObject } from '../../answers/wire-schema.ts';
import { entityOf } from '../../entities/registry.ts';
import { invalid } from '../../fields/fault.ts';
import { intMax } from '../../fields/number.ts';
import { floorInForce } from '../../reference/floor-in-force.ts';
import type { MeasureName } from '../../reference/measures.ts';
import type { ReportRow } from '../../statistics/asking/run-report.ts';
import { ruleEvidence } from '../../statistics/auto-floors.ts';
import { hourMs } from '../../statistics/days.ts';
import { type ExperimentHour, floorUplift, type GroupHour } from '../../statistics/floor-uplift.ts';
import type { StoredObject } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import { reader } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { number } from '../endpoint/parameter.ts';
import { notFoundFault } from '../post-answer.ts';
import { readRetention } from './answer-report.ts';
import { askingOf } from './compared-figures.ts';
import { sizeOf } from './floors.ts';
import { figuresTag } from './object-figures.ts';

const floorRule = entityOf('FloorRule');
const measures = ['Opportunities', 'Bids', 'Impressions', 'Cost', 'Revenue'] as const satisfies MeasureName[];
const [usualDays, daysMax] = [7, 31];
const hoursPerDay = 24;

const amount = (description: string) => Type.Number({ description });
const count = (description: string) => Type.Integer({ description });
const groupSchema = closedObject({
  Opportunities: count('Impressions that were offered'),
  Bids: count('Bids for them'),
  Impressions: count('Impressions of the ads that won them'),
  Cost: amount('USD paid to publishers'),
  Revenue: amount('USD earned from advertisers'),
  PerThousand: amount('Revenue per 1,000 opportunities, in USD'),
});
const upliftSchema = closedObject({
  PerThousand: amount('USD more per 1,000 opportunities than in the control group; below 0 = less'),
  Low: amount('In 95 of 100 such comparisons it is not less'),
  High: amount('In 95 of 100 such comparisons it is not more'),
});

const autoSchema = closedObject({
  Floor: amount('The floor in force, in CPM and the `Currency` of the rule'),
  Found: Type.Union([Type.Number(), Type.Null()], {
    description: '`AutoFloor`, what was found by the bids; null = not enough are known yet',
  }),
  FoundAt: Type.String({ description: 'When it was found (UTC); "" = not yet' }),
  Auctions: count('Auctions in the evidence: of the last seven days, since the rule was changed'),
  Sampled: count('How many of them were sampled; 200 are enough'),
});

const roundedUsd = (usd: number) => Math.round(usd * 1e6) / 1e6;

function groupOf(rows: readonly ReportRow[]) {
  const sum = (name: (typeof measures)[number]) =>
    rows.reduce((all, { figures }) => all + (figures[name] ?? 0), 0);
  const [Opportunities, Revenue] = [sum('Opportunities'), roundedUsd(sum('Revenue'))];
  const PerThousand = Opportunities === 0 ? 0 : roundedUsd((1000 * Revenue) / Opportunities);
  const counts = { Opportunities, Bids: sum('Bids'), Impressions: sum('Impressions') };
  return { ...counts, Cost: roundedUsd(sum('Cost')), Revenue, PerThousand };
}

const isOf = (group: 'floor' | 'control') => (row: ReportRow) => row.values[0]?.[0] === group;

function hoursOf(rows: readonly ReportRow[]): ExperimentHour[] {
  const hourOf = (own: readonly ReportRow[], group: 'floor' | 'control'): GroupHour => {
    const { Opportunities: requests, Revenue: revenue } = groupOf(own.filter(isOf(group)));
    return { requests, revenue };
  };
  return [...Map.groupBy(rows, ({ time }) => time).values()].map((own) => ({
    floor: hourOf(own, 'floor'),
    control: hourOf(own, 'control'),
  }));
}

const exampleGroup = {
  Opportunities: 9000,
  Bids: 7000,
  Impressions: 4000,
  Cost: 6,
  Revenue: 9,
  PerThousand: 1,
};

/** With `Auto` 1. */
async function autoOf(context: Pick<Context, 'store' | 'now'>, { id, teamId, document }: StoredObject) {
  if (document.Auto !== 1) return null;
  const { AutoFloor: Found = null } = document as { readonly AutoFloor?: number | null };
  const filter = { entity: floorRule.key, id, field: 'AutoFloor', newestFirst: true };
  const [samples, [change]] = await Promise.all([
    ruleEvidence(context, { teamId, id }),
    context.store.changes(teamId, filter, 1),
  ]);
  const FoundAt = Found === null || !change ? '' : new Date(change.timeMs).toISOString();
  return { Floor: floorInForce(document), Found, FoundAt, ...sizeOf(samples) };
}

export const getFloorRuleFigures = defineEndpoint({
  method: 'GET',
  path: '/api/floorrule/figures',
  name: 'getFloorRuleFigures',
  tag: figuresTag,
  summary: 'Fetch what a Floor Rule has brought',
  description:
    'What was earned with the requests for which the Floor Rule held, with those of its control group (`SkipPercent`), and how much more the first earned per 1,000. The interval comes from how hours differ (jackknife), and needs 24 hours in which both groups had requests. Changes of the rule within the time are not told apart. Days are the last 24 hours each.',
  access: reader,
  parameters: {
    Id: { ...number({ help: 'ID of the Floor Rule', max: intMax }), isRequired: true },
    Days: number({ help: `How many days, up to ${daysMax}; absent = ${usualDays}`, max: daysMax }),
  },
  returns: {
    description: 'Both groups, and their difference',
    schema: closedObject({
      Status: Type.Literal('Ok'),
      Floor: groupSchema,
      Control: groupSchema,
      Uplift: Type.Union([upliftSchema, Type.Null()], {
        description: 'null if there are too few hours for a comparison',
      }),
      Auto: Type.Union([autoSchema, Type.Null()], {
        description: 'What is known for `Auto`; null if it is 0',
      }),
    }),
    example: () => ({
      Status: 'Ok' as const,
      Floor: exampleGroup,
      Control: {
        ...exampleGroup,
        Opportunities: 1000,
        Bids: 800,
        Impressions: 500,
        Cost: 0.6,
        Revenue: 0.9,
        PerThousand: 0.9,
      },
      Uplift: { PerThousand: 0.1, Low: 0.02, High: 0.18 },
      Auto: { Floor: 1.8, Found: 1.8, FoundAt: '2027-01-31T12:01:30.000Z', Auctions: 9000, Sampled: 2700 },
    }),
  },
  serve:
    (context) =>
    async ({ caller: { teamId }, parameters: { Id: id = 0, Days } }) => {
      const { store, now } = context;
      const rule = await store.reads(teamId).find(floorRule, id);
      if (!rule) throw invalid([{ ...notFoundFault(floorRule, id), Path: 'Id' }]);
      const untilMs = (Math.floor(now() / hourMs) + 1) * hourMs;
      const fromMs = untilMs - (Days || usualDays) * hoursPerDay * hourMs;
      const ask = askingOf(store.statistics, teamId, await readRetention(context));
      const { rows } = await ask([fromMs, untilMs], {
        groups: ['Hour', 'FloorGroup'],
        filters: [{ field: 'FloorRule', isNot: false, values: [[id]] }],
        measures,
        compareTo: undefined,
      });
      const uplift = floorUplift(hoursOf(rows));
      return {
        Status: 'Ok' as const,
        Floor: groupOf(rows.filter(isOf('floor'))),
        Control: groupOf(rows.filter(isOf('control'))),
        Uplift: uplift
          ? {
              PerThousand: roundedUsd(uplift.perThousand),
              Low: roundedUsd(uplift.low),
              High: roundedUsd(uplift.high),
            }
          : null,
        Auto: await autoOf(context, rule),
      };
    },
});
