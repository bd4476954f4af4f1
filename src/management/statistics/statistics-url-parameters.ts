import { entityOf } from '../../entities/registry.ts';
import { type Fault, invalid } from '../../fields/fault.ts';
import { formats } from '../../fields/formats.ts';
import { intMax } from '../../fields/number.ts';
import { dayOf } from '../../statistics/days.ts';
import { columnsOf, type StatisticsColumn } from '../../statistics/statistics-columns.ts';
import { type StatisticsFormat, statisticsFormats } from '../../statistics/statistics-text.ts';
import type { StatisticsUrl } from '../../statistics/statistics-urls.ts';
import type { DayRange } from '../../store/statistics/interface.ts';
import { number, type Parameter, text } from '../endpoint/parameter.ts';
import { suggestion } from '../input/validation.ts';

const daysMax = 366;

interface AskedDays {
  readonly date_from?: number | undefined;
  readonly date_to?: number | undefined;
}

/** Inclusive; by default today. Refuses a range that is empty or too long. */
export function dayRange({ date_from, date_to }: AskedDays, nowMs: number): DayRange {
  const toDay = date_to ?? dayOf(nowMs);
  const fromDay = date_from ?? toDay;
  const [Path, other, order] =
    date_to === undefined
      ? ['date_from', 'today', 'must not be after today if date_to is omitted']
      : ['date_to', 'date_from', 'must not be before date_from'];
  const out = (Message: string): Fault => ({ Path, Code: 'out_of_range', Message });
  if (toDay < fromDay) throw invalid([out(order)]);
  if (toDay - fromDay >= daysMax) {
    throw invalid([out(`must be within ${daysMax} days of ${other}, both included`)]);
  }
  return { fromDay, toDay };
}

const anyText = { type: 'string', minLength: 1 };

/** Instead of a token; read before all other parameters. */
const credentials = {
  username: {
    ...text({ help: '`Username` of the account', example: 'example-media', schema: anyText }),
    isRequired: true,
  },
  auth: {
    ...text({
      help: '`StatsAuth` of the account',
      example: 'c2VjcmV0LWV4YW1wbGUtb25seS0wMDAw',
      schema: anyText,
    }),
    isRequired: true,
  },
};

function day(help: string): Parameter<number | undefined> {
  return {
    help,
    schema: { type: 'string', minLength: 10, maxLength: 11 },
    example: '2027-01-31',
    check: (value) =>
      value === '' || formats.day.test(value) ? undefined : { Code: 'format', Message: formats.day.wants },
    read: (value) => (value === '' ? undefined : dayOf(Date.parse(`${value}T00:00:00Z`))),
  };
}

const formatNames = [...statisticsFormats.keys()];
const type: Parameter<StatisticsFormat | undefined> = {
  help: 'csv or json; omitted = csv',
  schema: { type: 'string', enum: formatNames },
  example: 'json',
  check: (value) =>
    value === '' || statisticsFormats.has(value)
      ? undefined
      : { Code: 'out_of_range', Message: `must be one of ${formatNames.join(', ')}` },
  read: (value) => statisticsFormats.get(value),
};

function columnNames(value: string): string[] {
  return value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function columns(statisticsUrl: StatisticsUrl): Parameter<readonly StatisticsColumn[]> {
  const all = columnsOf(statisticsUrl);
  const known = all.map(({ name }) => name);
  return {
    help: `Columns to return, in this order, separated by commas; omitted = all: ${known.join(', ')}`,
    schema: { type: 'string' },
    example: known.slice(0, 2).join(','),
    check(value) {
      const names = columnNames(value);
      const unknown = names.find((name) => !known.includes(name));
      if (unknown !== undefined) {
        const Message = `contains ${unknown}, which is not a column${suggestion(unknown, known)}; possible values: ${known.join(', ')}`;
        return { Code: 'out_of_range', Message };
      }
      const isTwice = new Set(names).size < names.length;
      return isTwice ? { Code: 'duplicate', Message: 'names a column twice' } : undefined;
    },
    read: (value) => columnNames(value).flatMap((name) => all.filter((column) => column.name === name)),
  };
}

function objectOf({ parameter, kind }: StatisticsUrl): Readonly<Record<string, Parameter<number>>> {
  if (parameter === undefined) return {};
  const id = number({ help: `ID of the ${entityOf(kind).title}`, max: intMax });
  return { [parameter]: { ...id, isRequired: true } };
}

/** Reference, "Statistics". */
export function statisticsUrlParameters(statisticsUrl: StatisticsUrl) {
  return {
    ...credentials,
    ...objectOf(statisticsUrl),
    date_from: day('First day (UTC); omitted = `date_to`, or today if that is omitted too'),
    date_to: day('Last day (UTC), inclusive; omitted = today. At most 366 days'),
    type,
    columns: columns(statisticsUrl),
  };
}
