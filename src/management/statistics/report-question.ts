import { type Static, Type } from 'typebox';
import { entityOf } from '../../entities/registry.ts';
import { type Fault, invalid, pathOf } from '../../fields/fault.ts';
import { formats } from '../../fields/formats.ts';
import { intMax } from '../../fields/number.ts';
import { helpOfReason } from '../../reference/reason-help.ts';
import {
  type Dimension,
  type DimensionName,
  dimensionRows,
  dimensions,
  groupNames,
  isTimeUnit,
} from '../../statistics/asking/dimensions.ts';
import { comparisons, type ReportFilter, type ReportQuestion } from '../../statistics/asking/question.ts';
import { rowsMax } from '../../statistics/asking/run-report.ts';
import { endOfDay, knownZone, startOfDay } from '../../statistics/asking/zones.ts';
import { quarterMs } from '../../statistics/days.ts';
import { type MeasureName, measureRows } from '../../statistics/measures.ts';
import { checkedBody } from '../endpoint/body.ts';
import { closedObject, labelled, oneOf } from '../endpoint/wire-schema.ts';
import { momentWants, readMoment } from '../input/moment.ts';

const measureNames = measureRows.map(([name]) => name) as [MeasureName, ...MeasureName[]];
const dimensionNames = dimensionRows.map(([name]) => name) as [DimensionName, ...DimensionName[]];
const names = groupNames as unknown as [string, ...string[]];
const valuesMax = 1000;
const zoneCharactersMax = 64;
/** Three years and a day. */
const daysMax = 1097;
const dayMs = 86_400_000;

const moment = (description: string) =>
  Type.String({ description, maxLength: 40, minLength: 1, 'x-wants': momentWants });

/** What is asked of `/api/statistics/report`. */
export const questionSchema = closedObject({
  From: moment('Begin: a time as 2027-01-31T12:00:00Z at a quarter hour, or a day in TimeZone'),
  To: moment('End: a time, which is excluded, or a day in TimeZone, which is included'),
  TimeZone: Type.Optional(
    Type.String({
      description: 'Zone of days and of steps of time, as Europe/Berlin (IANA); UTC where it is absent',
      maxLength: zoneCharactersMax,
      minLength: 1,
    }),
  ),
  GroupBy: Type.Optional(
    Type.Array(oneOf(names, 'A step of time, or a dimension'), {
      maxItems: 8,
      description: 'What rows are told apart by: one step of time at most, and dimensions; absent = one row',
    }),
  ),
  Measures: Type.Array(oneOf(measureNames, 'A figure'), {
    maxItems: measureNames.length,
    description: 'The figures of each row',
  }),
  Filters: Type.Optional(
    Type.Array(
      closedObject({
        Field: oneOf(dimensionNames, 'The dimension'),
        Operator: labelled(
          { In: 'Is one of the values', NotIn: 'Is none of the values' },
          'How it is compared',
        ),
        Values: Type.Array(
          Type.Union([Type.String({ maxLength: 256 }), Type.Integer({ minimum: 0, maximum: intMax })]),
          {
            maxItems: valuesMax,
            description: 'Values as answers have them; of Supply and Demand their kind and ID, as VastTag:7',
          },
        ),
      }),
      { maxItems: 20, description: 'What counts; all of them must be true' },
    ),
  ),
  OrderBy: Type.Optional(
    Type.Array(
      closedObject({
        Field: Type.String({ maxLength: 32, description: 'A name of GroupBy or Measures' }),
        Direction: Type.Optional(
          labelled({ Asc: 'Smallest first', Desc: 'Largest first' }, 'Asc where it is absent'),
        ),
      }),
      { maxItems: 4, description: 'Order of the rows; then comes that of GroupBy' },
    ),
  ),
  Limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: rowsMax, description: 'Most rows to answer; absent = all' }),
  ),
  Total: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1,
      description: '1 = the sums of all rows, also of those beyond Limit, too',
    }),
  ),
  CompareTo: Type.Optional(labelled(comparisons, 'A period whose figures stand beside as Before')),
});

/** A question as it is sent. */
export type SentReport = Static<typeof questionSchema>;

/** An example of a question. */
const questionExample: SentReport = {
  From: '2027-01-01',
  To: '2027-01-31',
  TimeZone: 'Europe/Berlin',
  GroupBy: ['Day', 'Publisher'],
  Measures: ['Requests', 'Impressions', 'Revenue', 'Margin'],
  Filters: [{ Field: 'SupplyKind', Operator: 'In', Values: ['VastTag'] }],
  OrderBy: [{ Field: 'Revenue', Direction: 'Desc' }],
  Limit: 100,
  Total: 1,
  CompareTo: 'Period',
};

/** The body: the question, checked as far as one value alone can be. */
export const questionBody = checkedBody({ schema: questionSchema, example: () => questionExample });

type Faults = Fault[];

/** When a limit of the period is; undefined for a text that says none. */
function momentOf(text: string, path: 'From' | 'To', zone: string): number | undefined {
  if (!formats.day.test(text)) return readMoment(text)?.fromMs;
  return path === 'From' ? startOfDay(text, zone) : endOfDay(text, zone);
}

/** A limit of the period, in milliseconds since 1970; a fault where it is none, or begins no quarter hour. */
function timeOf(text: string, path: 'From' | 'To', zone: string, faults: Faults): number {
  const ms = momentOf(text, path, zone);
  if (ms === undefined) faults.push({ Path: path, Code: 'format', Message: momentWants });
  else if (ms % quarterMs !== 0) {
    faults.push({
      Path: path,
      Code: 'out_of_range',
      Message: 'must be at a quarter hour: figures are kept by those',
    });
  }
  return ms ?? 0;
}

/** The value of a filter as the dimension's columns hold it; undefined where it can be none. */
function filterValue({ shows }: Dimension, value: string | number): readonly (string | number)[] | undefined {
  if (shows === 'text') return typeof value === 'string' ? [value] : undefined;
  if (shows === 'reason') return helpOfReason(String(value)) === '' ? undefined : [value];
  if (shows === 'number' || 'account' in shows) return typeof value === 'number' ? [value] : undefined;
  const [, kind = '', id = ''] = /^([A-Za-z]+):([1-9]\d{0,9})$/.exec(String(value)) ?? [];
  return shows.objects.includes(kind) && Number(id) <= intMax ? [kind, Number(id)] : undefined;
}

function valueWants({ shows }: Dimension): string {
  if (shows === 'text') return 'must be a text';
  if (shows === 'reason') return 'must be the name of a reason, as below_floor';
  if (shows === 'number') return 'must be a code';
  if ('account' in shows) return `must be the ID of ${entityOf(shows.account).title.toLowerCase()}`;
  return `must be a kind and an ID, as ${shows.objects[0]}:7; kinds are ${shows.objects.join(', ')}`;
}

function filtersOf({ Filters = [] }: SentReport, faults: Faults): ReportFilter[] {
  return Filters.map(({ Field, Operator, Values }, index) => {
    const dimension: Dimension = dimensions[Field];
    if (Values.length === 0) {
      faults.push({
        Path: pathOf('Filters', index, 'Values'),
        Code: 'required',
        Message: 'must not be empty',
      });
    }
    const values = Values.flatMap((value, at) => {
      const read = filterValue(dimension, value);
      if (read) return [read];
      const Path = pathOf('Filters', index, 'Values', at);
      faults.push({ Path, Code: 'type', Message: valueWants(dimension) });
      return [];
    });
    return { field: Field, isNot: Operator === 'NotIn', values };
  });
}

/** Faults of names that stand twice. */
function twice(path: string, list: readonly string[]): Faults {
  return list.flatMap((name, index) =>
    list.indexOf(name) < index
      ? [{ Path: pathOf(path, index), Code: 'duplicate' as const, Message: 'stands twice; send it once' }]
      : [],
  );
}

function orderOf(
  { OrderBy = [], GroupBy = [], Measures }: SentReport,
  faults: Faults,
): ReportQuestion['orderBy'] {
  const known: readonly string[] = [...GroupBy, ...Measures];
  return OrderBy.map(({ Field, Direction }, index) => {
    if (!known.includes(Field)) {
      const Message = `must be a name of GroupBy or Measures: ${known.join(', ')}`;
      faults.push({ Path: pathOf('OrderBy', index, 'Field'), Code: 'out_of_range', Message });
    }
    return { field: Field, isDescending: Direction === 'Desc' };
  });
}

function checkPeriod(fromMs: number, untilMs: number, faults: Faults): void {
  if (untilMs <= fromMs) faults.push({ Path: 'To', Code: 'out_of_range', Message: 'must be after From' });
  if (untilMs - fromMs > daysMax * dayMs) {
    faults.push({ Path: 'To', Code: 'out_of_range', Message: `must be within ${daysMax} days of From` });
  }
}

/** Reads a checked question of a team. Refuses with `invalid` and all that is wrong with it. */
export function readReportQuestion(sent: SentReport, teamId: number): ReportQuestion {
  const faults: Faults = [];
  const { GroupBy = [], Measures, TimeZone = 'UTC', Limit, Total = 0, CompareTo } = sent;
  const zone = knownZone(TimeZone);
  if (zone === undefined) {
    const Message = 'is no zone of the IANA database, as Europe/Berlin';
    faults.push({ Path: 'TimeZone', Code: 'out_of_range', Message });
  }
  const fromMs = timeOf(sent.From, 'From', zone ?? 'UTC', faults);
  const untilMs = timeOf(sent.To, 'To', zone ?? 'UTC', faults);
  if (faults.every(({ Path }) => Path !== 'From' && Path !== 'To')) checkPeriod(fromMs, untilMs, faults);
  faults.push(...twice('GroupBy', GroupBy), ...twice('Measures', Measures));
  if (GroupBy.filter(isTimeUnit).length > 1) {
    faults.push({ Path: 'GroupBy', Code: 'contradiction', Message: 'must name one step of time at most' });
  }
  if (Measures.length === 0) {
    faults.push({ Path: 'Measures', Code: 'required', Message: 'must name at least one figure' });
  }
  const filters = filtersOf(sent, faults);
  const orderBy = orderOf(sent, faults);
  if (faults.length > 0) throw invalid(faults);
  return {
    ...{
      teamId,
      fromMs,
      untilMs,
      zone: zone ?? 'UTC',
      filters,
      orderBy,
      limit: Limit,
      hasTotal: Total === 1,
    },
    ...{ groups: GroupBy as ReportQuestion['groups'], measures: Measures, compareTo: CompareTo },
  };
}
