import { formats } from '../../fields/formats.ts';
import { intMax } from '../../fields/number.ts';
import { columnsOf } from '../../statistics/report-columns.ts';
import { reportFormats } from '../../statistics/report-text.ts';
import type { Report } from '../../statistics/reports.ts';
import type { QueryParameter, TextParameter } from '../input/query.ts';
import { suggestion } from '../input/validation.ts';

/** A template that a client has sent without filling it, as `{date_from}`. */
export const unfilled = /^\{\w*\}$/;

const anyText = { schema: { type: 'string', minLength: 1 }, faultIn: () => undefined };

const credentials: readonly TextParameter[] = [
  { name: 'username', help: '`Username` of the account', example: 'example-media', ...anyText },
  {
    name: 'auth',
    help: '`StatsAuth` of the account',
    example: 'c2VjcmV0LWV4YW1wbGUtb25seS0wMDAw',
    ...anyText,
  },
];

function dayParameter(name: string, help: string): TextParameter {
  return {
    name,
    help,
    schema: { type: 'string', minLength: 10, maxLength: 11 },
    example: '2027-01-31',
    faultIn: (value) =>
      value === '' || formats.day.test(value) ? undefined : { Code: 'format', Message: formats.day.wants },
  };
}

const days: readonly TextParameter[] = [
  dayParameter('date_from', 'First day (UTC); without it `date_to`, or today where there is neither'),
  dayParameter('date_to', 'Last day (UTC), inclusive; without it today. At most 366 days'),
];

const formatNames = [...reportFormats.keys()];
const format: TextParameter = {
  name: 'type',
  help: 'csv or json; without it csv',
  schema: { type: 'string', enum: formatNames },
  example: 'json',
  faultIn: (value) =>
    value === '' || reportFormats.has(value)
      ? undefined
      : { Code: 'out_of_range', Message: `must be one of ${formatNames.join(', ')}` },
};

/** The names in a list of columns. */
export function columnNames(value: string): string[] {
  return value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function columnsParameter(report: Report): TextParameter {
  const known = columnsOf(report).map(({ name }) => name);
  return {
    name: 'columns',
    help: `Columns to answer, in that order, separated by commas; without it all: ${known.join(', ')}`,
    schema: { type: 'string' },
    example: known.slice(0, 2).join(','),
    faultIn(value) {
      const names = columnNames(value);
      const unknown = names.find((name) => !known.includes(name));
      if (unknown !== undefined) {
        const Message = `has no column ${unknown}${suggestion(unknown, known)}; there are: ${known.join(', ')}`;
        return { Code: 'out_of_range', Message };
      }
      const isTwice = new Set(names).size < names.length;
      return isTwice ? { Code: 'duplicate', Message: 'names a column twice' } : undefined;
    },
  };
}

/** The query parameters of a report (specification 4.7; decisions, "Statistics"). */
export function reportParameters(report: Report): readonly (QueryParameter | TextParameter)[] {
  const { parameter, kind } = report;
  const object = parameter === undefined ? [] : [{ name: parameter, help: `ID of the ${kind}`, max: intMax }];
  return [...credentials, ...object, ...days, format, columnsParameter(report)];
}
