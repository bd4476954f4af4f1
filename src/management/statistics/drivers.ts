import { Type } from 'typebox';
import { closedObject, labelled, okStatus, oneOf, type ReadonlyStatic } from '../../answers/wire-schema.ts';
import { question } from '../../entities/question.ts';
import { faultsBy, invalid } from '../../fields/fault.ts';
import type { Field } from '../../fields/field.ts';
import type { MeasureName } from '../../reference/measures.ts';
import { createAsyncCache } from '../../shared/async-cache.ts';
import type { ReportQuestion } from '../../statistics/asking/question.ts';
import { runReport } from '../../statistics/asking/run-report.ts';
import { textInZone } from '../../statistics/asking/zones.ts';
import { dayMs } from '../../statistics/days.ts';
import type { ObjectKey } from '../../store/statistics/interface.ts';
import type { Context } from '../context.ts';
import { reader } from '../endpoint/access.ts';
import { checkedBody } from '../endpoint/body.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { changeSchema } from '../history/history-row.ts';
import { described } from '../schemas.ts';
import { readRetention } from './answer-report.ts';
import { reportsTag } from './ask-report.ts';
import { type NamedObject, readChanges } from './driver-changes.ts';
import { askFigures, keyOf, type ObjectFigures } from './driver-figures.ts';
import { askSplit, type Driver, type Split, splitNames, splits } from './driver-splits.ts';
import { readReportQuestion, type SentReport } from './report-question.ts';

const rowsStandard = 5;
const rowsMax = 50;
/** What changed this long before the period can still explain it. */
const shortlyBeforeMs = 7 * dayMs;
const answerAges = { freshMs: 10_000, keysMax: 200 };

const explained = ['Revenue', 'Profit', 'Cost', 'Impressions', 'Requests'] as const;

const rowOf = (name: 'Period' | 'From' | 'To' | 'TimeZone' | 'Filters' | 'CompareTo') => {
  const field: Field = question[name];
  return Type.Optional(described(field.accepts, name, field));
};
const time = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }));

const sentSchema = closedObject({
  Measure: oneOf([...explained], 'The measure whose change is explained'),
  Period: rowOf('Period'),
  From: rowOf('From'),
  To: rowOf('To'),
  TimeZone: rowOf('TimeZone'),
  Filters: rowOf('Filters'),
  CompareTo: rowOf('CompareTo'),
  BeforeFrom: time('Start of any other period to compare with, like From, instead of CompareTo'),
  BeforeTo: time('End of that period, like To'),
  Limit: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: rowsMax,
      description: `Maximum number of rows of each split; 0 or absent = ${rowsStandard}`,
    }),
  ),
});

type Sent = Omit<SentReport, 'Measures'> & {
  readonly Measure: (typeof explained)[number];
  readonly BeforeFrom?: string;
  readonly BeforeTo?: string;
  readonly Limit?: number;
};

/** Faults of the period before have its members' names. */
function beforeTimes({ BeforeFrom = '', BeforeTo = '', ...sent }: Sent, teamId: number, nowMs: number) {
  if (BeforeFrom === '' && BeforeTo === '') return undefined;
  const named: SentReport = {
    ...sent,
    Period: '',
    From: BeforeFrom,
    To: BeforeTo,
    Filters: [],
    Measures: [sent.Measure],
  };
  const faults = faultsBy(() => readReportQuestion(named, teamId, nowMs)).map((fault) => ({
    ...fault,
    Path: `Before${fault.Path}`,
    ...('Message' in fault && {
      Message: fault.Message.replace(/send .*$/, 'send both BeforeFrom and BeforeTo'),
    }),
  }));
  if (sent.CompareTo)
    faults.push({
      Path: 'CompareTo',
      Code: 'contradiction',
      Message: 'names another period than BeforeFrom and BeforeTo; send one of them',
    });
  if (faults.length > 0) throw invalid(faults);
  const { fromMs, untilMs } = readReportQuestion(named, teamId, nowMs);
  return [fromMs, untilMs] as const;
}

function questionOf(sent: Sent, teamId: number, nowMs: number): ReportQuestion {
  const { Measure, BeforeFrom: _, BeforeTo: __, Limit: ___, ...rest } = sent;
  const named = { ...rest, CompareTo: sent.CompareTo || 'Period', Measures: [Measure], Total: 1 } as const;
  const comparedTimes = beforeTimes(sent, teamId, nowMs);
  return { ...readReportQuestion(named, teamId, nowMs), comparedTimes };
}

const objectSchema = closedObject({
  Entity: Type.String({ description: 'Kind of the object' }),
  Id: Type.Integer({ description: 'ID of the object' }),
  Name: Type.String({ description: 'Name of the object' }),
  Figures: Type.Array(
    closedObject({
      Measure: Type.String({ description: 'Name of the measure, as in reports' }),
      Now: Type.Number({ description: 'In the period' }),
      Before: Type.Number({ description: 'In the period that it is compared with' }),
    }),
    { description: 'Other measures of the object that moved noticeably, causes before effects; at most 3' },
  ),
  QuietSince: Type.Optional(
    closedObject({
      Measure: Type.String({ description: 'The measure that has been zero since, as in reports' }),
      Time: Type.String({ description: 'End of the last hour in which it was counted' }),
    }),
  ),
  Changes: Type.Array(changeSchema, {
    description:
      'Changes of the object and its account in either period or up to 7 days before, newest first; at most 4. Long values are left out',
  }),
});

const now = { Now: Type.Number({ description: 'The measure in the period' }) };
const figures = {
  ...now,
  Before: Type.Number({ description: 'The measure in the period that it is compared with' }),
};

const splitLabels = {
  Supply: 'By supply object',
  Demand: 'By demand object',
  Pair: 'By supply object with demand object',
  Country: 'By country',
} as const satisfies Readonly<Record<keyof typeof splits, string>>;

const answerSchema = closedObject({
  Status: okStatus,
  Measure: Type.String({ description: 'The measure' }),
  From: Type.String({ description: 'When the period begins' }),
  To: Type.String({ description: 'When it ends (exclusive); if it is not over, the time of the answer' }),
  BeforeFrom: Type.String({ description: 'When the period begins that it is compared with' }),
  BeforeTo: Type.String({
    description: 'When that ends (exclusive): for a period that is not over, the same part',
  }),
  ...figures,
  Splits: Type.Array(
    closedObject({
      By: labelled(splitLabels, 'What the change is split by'),
      Rows: Type.Array(
        closedObject({
          Objects: Type.Array(objectSchema, {
            description: 'The object; of pairs, supply and then demand; empty for a country',
          }),
          Country: Type.Optional(Type.String({ description: 'ISO 3166-1 alpha-2; `""` = unknown' })),
          ...figures,
        }),
        { description: 'What changed most, in either direction' },
      ),
      Others: closedObject(
        { Count: Type.Integer({ description: 'How many there are' }), ...figures },
        'All others that changed',
      ),
      Refusal: Type.String({ description: 'Why this split cannot be answered; `""` if it can' }),
    }),
    { description: 'The change, split by supply, demand, pairs and country' },
  ),
});

type Answer = ReadonlyStatic<typeof answerSchema>;

const objectsOf = (found: readonly Split[]) => [
  ...new Map(
    found.flatMap(({ drivers }) => drivers.flatMap(({ objects }) => objects)).map((one) => [keyOf(one), one]),
  ).values(),
];

const ofSplit = (found: readonly Split[], name: 'Supply' | 'Demand'): readonly ObjectKey[] => [
  ...new Map(
    found
      .flatMap((split) => {
        const place = (splits[split.name] as readonly string[]).indexOf(name);
        return split.drivers.flatMap(({ objects }) => objects[place] ?? []);
      })
      .map((one) => [keyOf(one), one]),
  ).values(),
];

function shownObject(
  object: ObjectKey,
  named: ReadonlyMap<string, NamedObject>,
  moved: ReadonlyMap<string, ObjectFigures>,
  measure: MeasureName,
) {
  const { name = '', changes = [] } = named.get(keyOf(object)) ?? {};
  const { moved: others = [], quiet } = moved.get(keyOf(object)) ?? {};
  return {
    Entity: object.kind,
    Id: object.id,
    Name: name,
    Figures: others
      .filter((one) => one.measure !== measure)
      .map((one) => ({ Measure: one.measure, Now: one.now, Before: one.before })),
    ...(quiet && { QuietSince: { Measure: quiet.measure, Time: new Date(quiet.sinceMs).toJSON() } }),
    Changes: changes,
  };
}

async function driversOf(
  context: Pick<Context, 'store' | 'now' | 'keptDays'>,
  asked: ReportQuestion,
  limit: number,
): Promise<Answer> {
  const { store } = context;
  const kept = await readRetention(context);
  const [measure = 'Revenue'] = asked.measures;
  const whole = await runReport(store.statistics, asked, kept);
  const ask = (name: Split['name']) => askSplit(store.statistics, asked, kept, { name, limit });
  const found = await Promise.all(splitNames.map(ask));
  const { fromMs, untilMs } = whole.before ?? asked;
  const endMs = Math.min(asked.untilMs, kept.nowMs);
  const changed = {
    fromMs: Math.max(Math.min(fromMs, asked.fromMs), asked.fromMs - shortlyBeforeMs),
    untilMs: endMs,
  };
  const sides = (['Supply', 'Demand'] as const).map((side) =>
    askFigures(store.statistics, asked, kept, { side, objects: ofSplit(found, side) }),
  );
  const named = await readChanges(store, asked.teamId, objectsOf(found), changed);
  const moved = new Map((await Promise.all(sides)).flatMap((part) => [...part]));
  const rowOfDriver = ({ objects, country, now: Now, before: Before }: Driver) => ({
    Objects: objects.map((object) => shownObject(object, named, moved, measure)),
    ...(country !== undefined && { Country: country }),
    Now,
    Before,
  });
  const text = (ms: number) => textInZone(ms, asked.zone);
  return {
    Status: 'Ok',
    Measure: measure,
    ...{ From: text(asked.fromMs), To: text(endMs), BeforeFrom: text(fromMs), BeforeTo: text(untilMs) },
    Now: whole.total?.figures[measure] ?? 0,
    Before: whole.total?.before?.[measure] ?? 0,
    Splits: found.map(({ name, drivers, others, refusal }) => ({
      By: name,
      Rows: drivers.map(rowOfDriver),
      Others: { Count: others.count, Now: others.now, Before: others.before },
      Refusal: refusal,
    })),
  };
}

const exampleChange = {
  Revision: 17,
  Time: '2027-01-30T19:13:00.000Z',
  UserId: 1,
  UserName: 'Ada Byron',
  Entity: 'DspVastTag',
  Id: 9,
  Operation: 'deactivate',
  Changes: [{ Field: 'StatusString', Old: 'Active', New: 'Inactive' }],
} as const;

export const askDrivers = defineEndpoint({
  method: 'POST',
  path: '/api/statistics/drivers',
  name: 'askDrivers',
  tag: reportsTag,
  summary: 'Ask what moved a figure, and why',
  description:
    'How a measure changed between two periods, split by supply, demand, pairs and country, with what may explain it: what was changed at those objects and their accounts, which of their other measures moved, and since when they have been quiet. A period that is not over is compared with the same part of the one before. Answers may be ten seconds old.',
  access: reader,
  accepts: checkedBody({
    schema: sentSchema,
    example: () => ({ Measure: 'Revenue', Period: 'Today', CompareTo: 'Period' }),
  }),
  returns: {
    description: 'The change, and what moved',
    schema: answerSchema,
    example: (): Answer => ({
      Status: 'Ok',
      Measure: 'Revenue',
      From: '2027-01-31T00:00:00+00:00',
      To: '2027-01-31T14:05:00+00:00',
      BeforeFrom: '2027-01-30T00:00:00+00:00',
      BeforeTo: '2027-01-30T14:05:00+00:00',
      Now: 51.2,
      Before: 87.4,
      Splits: [
        {
          By: 'Demand',
          Rows: [
            {
              Objects: [
                {
                  Entity: 'DspVastTag',
                  Id: 9,
                  Name: 'North DSP',
                  Figures: [{ Measure: 'Calls', Now: 0, Before: 41_200 }],
                  QuietSince: { Measure: 'Calls', Time: '2027-01-30T20:00:00.000Z' },
                  Changes: [exampleChange],
                },
              ],
              Now: 0,
              Before: 36.1,
            },
          ],
          Others: { Count: 2, Now: 51.2, Before: 51.3 },
          Refusal: '',
        },
      ],
    }),
  },
  serve(context) {
    const answers = createAsyncCache<Answer>(context.now, answerAges);
    return ({ caller: { teamId }, body }) => {
      const sent = body as unknown as Sent;
      const asked = questionOf(sent, teamId, context.now());
      return answers(`${teamId} ${JSON.stringify(sent)}`, () =>
        driversOf(context, asked, sent.Limit || rowsStandard),
      );
    };
  },
});
