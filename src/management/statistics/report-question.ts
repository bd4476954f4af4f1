import type { ReadonlyStatic } from '../../answers/wire-schema.ts';
import { demandKindNames, supplyKindNames } from '../../entities/kinds.ts';
import type { question } from '../../entities/question.ts';
import { entityOf } from '../../entities/registry.ts';
import { withArticle } from '../../entities/with-article.ts';
import { type Fault, invalid, pathOf } from '../../fields/fault.ts';
import { formats } from '../../fields/formats.ts';
import { momentWants, readMoment } from '../../fields/moment.ts';
import { intMax } from '../../fields/number.ts';
import { type Dimension, dimensions, isTimeUnit } from '../../reference/dimensions.ts';
import { helpOfReason } from '../../reference/reason-help.ts';
import { knownZone } from '../../shared/zoned-time.ts';
import { periodTimes, type Times } from '../../statistics/asking/period-times.ts';
import type { ReportFilter, ReportQuestion } from '../../statistics/asking/question.ts';
import { endOfDay, startOfDay } from '../../statistics/asking/zones.ts';
import { dayMs, quarterMs } from '../../statistics/days.ts';

type Rows = typeof question;
type SentRows = { readonly [Name in keyof Rows]?: ReadonlyStatic<Rows[Name]['accepts']> };

/** As sent or saved. `""`, `[]` and 0 mean nothing. */
export type SentReport = SentRows & Required<Pick<SentRows, 'Measures'>>;

const daysMax = 1097;

type Faults = Fault[];

/** Undefined for invalid text. */
function momentOf(text: string, path: 'From' | 'To', zone: string): number | undefined {
  if (!formats.day.test(text)) return readMoment(text)?.fromMs;
  return path === 'From' ? startOfDay(text, zone) : endOfDay(text, zone);
}

/** Milliseconds since 1970; a fault if it is invalid or starts no quarter hour. */
function timeOf(text: string, path: 'From' | 'To', zone: string, faults: Faults): number {
  const ms = momentOf(text, path, zone);
  if (ms === undefined) faults.push({ Path: path, Code: 'format', Message: momentWants });
  else if (ms % quarterMs !== 0) {
    faults.push({
      Path: path,
      Code: 'out_of_range',
      Message: 'must be at a quarter hour: figures are kept by quarter hours',
    });
  }
  return ms ?? 0;
}

const kindsOf = (side: 'supply' | 'demand'): readonly string[] =>
  side === 'supply' ? supplyKindNames : demandKindNames;

/** As the dimension's columns hold it; undefined if invalid. */
function filterValue({ shows }: Dimension, value: string | number): readonly (string | number)[] | undefined {
  if (shows === 'text') return typeof value === 'string' ? [value] : undefined;
  if (shows === 'reason') return helpOfReason(String(value)) === '' ? undefined : [value];
  if (shows === 'number' || 'account' in shows) return typeof value === 'number' ? [value] : undefined;
  const [, kind = '', id = ''] = /^([A-Za-z]+):([1-9]\d{0,9})$/.exec(String(value)) ?? [];
  return kindsOf(shows.side).includes(kind) && Number(id) <= intMax ? [kind, Number(id)] : undefined;
}

function valueWants({ shows }: Dimension): string {
  if (shows === 'text') return 'must be a text';
  if (shows === 'reason') return 'must be the name of a reason, for example below_floor';
  if (shows === 'number') return 'must be a code';
  if ('account' in shows) return `must be the ID of ${withArticle(entityOf(shows.account)).toLowerCase()}`;
  const kinds = kindsOf(shows.side);
  return `must be a kind and an ID, like ${kinds[0]}:7; kinds are ${kinds.join(', ')}`;
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

function twice(path: string, list: readonly string[]): Faults {
  return list.flatMap((name, index) =>
    list.indexOf(name) < index
      ? [{ Path: pathOf(path, index), Code: 'duplicate' as const, Message: 'appears twice; send it once' }]
      : [],
  );
}

/** In OrderBy, behind the name of a measure: by how much it differs from before. */
const changeSuffix = '.Change';

function orderOf(
  { OrderBy = [], GroupBy = [], Measures, CompareTo = '' }: SentReport,
  faults: Faults,
): ReportQuestion['orderBy'] {
  const changes = CompareTo === '' ? [] : Measures.map((name) => `${name}${changeSuffix}`);
  const known: readonly string[] = [...GroupBy, ...Measures, ...changes];
  return OrderBy.map(({ Field, Direction }, index) => {
    if (!known.includes(Field)) {
      if (CompareTo === '' && Measures.some((name) => Field === `${name}${changeSuffix}`)) {
        const Message = 'orders by a change, which needs a comparison; send CompareTo, too';
        faults.push({ Path: pathOf('OrderBy', index, 'Field'), Code: 'contradiction', Message });
        return { field: Field, isDescending: false };
      }
      const names = known.length > 0 ? `: ${known.join(', ')}` : ', which are empty';
      const Message = `must be a name of GroupBy or Measures${names}`;
      faults.push({ Path: pathOf('OrderBy', index, 'Field'), Code: 'out_of_range', Message });
    }
    const isOfChange = Field.endsWith(changeSuffix);
    const field = isOfChange ? Field.slice(0, -changeSuffix.length) : Field;
    return { field, isDescending: Direction === 'Desc', isOfChange };
  });
}

function checkPeriod([fromMs, untilMs]: Times, faults: Faults): void {
  if (untilMs <= fromMs) faults.push({ Path: 'To', Code: 'out_of_range', Message: 'must be after From' });
  if (untilMs - fromMs > daysMax * dayMs) {
    faults.push({ Path: 'To', Code: 'out_of_range', Message: `must be within ${daysMax} days of From` });
  }
}

function timesOf(
  { Period = '', From = '', To = '' }: SentReport,
  zone: string,
  nowMs: number,
  faults: Faults,
): Times {
  if (Period !== '') {
    const Message = 'replaces From and To; send either Period, or From and To, and "" for the other';
    if (From !== '' || To !== '') faults.push({ Path: 'Period', Code: 'contradiction', Message });
    return periodTimes(Period, nowMs, zone);
  }
  const wanted = 'is missing; send Period, for example Last7Days, or both From and To';
  if (From === '' && To === '') faults.push({ Path: 'Period', Code: 'required', Message: wanted });
  else if (From === '') faults.push({ Path: 'From', Code: 'required', Message: wanted });
  else if (To === '') faults.push({ Path: 'To', Code: 'required', Message: wanted });
  if (From === '' || To === '') return [0, 0];
  const found: Faults = [];
  const times = [timeOf(From, 'From', zone, found), timeOf(To, 'To', zone, found)] as const;
  if (found.length === 0) checkPeriod(times, found);
  faults.push(...found);
  return times;
}

/** `""` is UTC. */
function zoneOf({ TimeZone = '' }: SentReport, faults: Faults): string {
  const zone = knownZone(TimeZone || 'UTC');
  const Message = 'is not a time zone of the IANA database, like Europe/Berlin';
  if (zone === undefined) faults.push({ Path: 'TimeZone', Code: 'out_of_range', Message });
  return zone ?? 'UTC';
}

function nameFaults({ GroupBy = [], Measures }: SentReport): Faults {
  const faults = [...twice('GroupBy', GroupBy), ...twice('Measures', Measures)];
  if (GroupBy.filter(isTimeUnit).length > 1) {
    faults.push({ Path: 'GroupBy', Code: 'contradiction', Message: 'must name at most one interval' });
  }
  if (Measures.length === 0) {
    faults.push({ Path: 'Measures', Code: 'required', Message: 'must name at least one measure' });
  }
  return faults;
}

/** With all that is wrong with it. */
function questionOf(sent: SentReport, teamId: number, nowMs: number) {
  const faults: Faults = [];
  const zone = zoneOf(sent, faults);
  const [fromMs, untilMs] = timesOf(sent, zone, nowMs, faults);
  faults.push(...nameFaults(sent));
  const filters = filtersOf(sent, faults);
  const orderBy = orderOf(sent, faults);
  const { GroupBy = [], Measures, Limit = 0, Total = 0, CompareTo = '', Period = '' } = sent;
  const asked: ReportQuestion = {
    teamId,
    fromMs,
    untilMs,
    zone,
    filters,
    orderBy,
    groups: GroupBy,
    measures: Measures,
    period: Period || undefined,
    askedMs: nowMs,
    limit: Limit || undefined,
    hasTotal: Total === 1,
    compareTo: CompareTo || undefined,
  };
  return { asked, faults };
}

/** As asked now. Refuses with `invalid` and all faults. */
export function readReportQuestion(sent: SentReport, teamId: number, nowMs: number): ReportQuestion {
  const { asked, faults } = questionOf(sent, teamId, nowMs);
  if (faults.length > 0) throw invalid(faults);
  return asked;
}

/** To be asked later. */
export const questionFaults = (sent: SentReport): readonly Fault[] => questionOf(sent, 0, 0).faults;
