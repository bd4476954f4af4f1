import { entityOf } from '../../entities/registry.ts';
import { type Fault, invalid } from '../../fields/fault.ts';
import { dayOf } from '../../statistics/days.ts';
import { columnsOf, type ReportColumn } from '../../statistics/report-columns.ts';
import { type ReportFormat, reportFormats } from '../../statistics/report-text.ts';
import type { Report } from '../../statistics/reports.ts';
import type { DayRange } from '../../store/statistics-interface.ts';
import { type Parameters, readParameters } from '../input/query.ts';
import { columnNames, reportParameters, unfilled } from './report-parameters.ts';

/** What a report is asked for. */
export interface ReportQuestion {
  /** ID of the object; 0 where the report is about the account. */
  readonly id: number;
  readonly range: DayRange;
  readonly format: ReportFormat;
  readonly columns: readonly ReportColumn[];
}

const daysMax = 366;

function dayIn(text: string | undefined): number | undefined {
  return text ? dayOf(Date.parse(`${text}T00:00:00Z`)) : undefined;
}

/** Days from first to last: both absent = today, an absent end = today, an absent start = the end. */
function readRange({ texts }: Parameters, nowMs: number): DayRange {
  const toDay = dayIn(texts.date_to) ?? dayOf(nowMs);
  const fromDay = dayIn(texts.date_from) ?? toDay;
  const [Path, other, order] = texts.date_to
    ? ['date_to', 'date_from', 'must not be before date_from']
    : ['date_from', 'today', 'must not be after today where date_to is omitted'];
  const out = (Message: string): Fault => ({ Path, Code: 'out_of_range', Message });
  if (toDay < fromDay) throw invalid([out(order)]);
  if (toDay - fromDay >= daysMax) {
    throw invalid([out(`must be within ${daysMax} days of ${other}, both included`)]);
  }
  return { fromDay, toDay };
}

function readId({ parameter, kind }: Report, { numbers }: Parameters): number {
  if (parameter === undefined) return 0;
  const id = numbers[parameter] ?? 0;
  if (id > 0) return id;
  const Message = `is required: the ID of a ${entityOf(kind).title}`;
  throw invalid([{ Path: parameter, Code: 'required', Message }]);
}

function readColumns(report: Report, { texts }: Parameters): readonly ReportColumn[] {
  const all = columnsOf(report);
  const names = columnNames(texts.columns ?? '');
  const picked = names.flatMap((name) => all.filter((column) => column.name === name));
  return picked.length === 0 ? all : picked;
}

/** The query as sent, without values that are still templates, as `{date_from}` (decisions, "Statistics"). */
function filled(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).filter(
      ([name, value]) => name === 'username' || typeof value !== 'string' || !unfilled.test(value),
    ),
  );
}

/** Compiles the reading of a report's query parameters. Refuses unknown and malformed ones. */
export function reportReader(
  report: Report,
  now: () => number,
): (query: Readonly<Record<string, unknown>>) => ReportQuestion {
  const known = reportParameters(report);
  return (query) => {
    const parameters = readParameters(known, filled(query));
    const format = reportFormats.get(parameters.texts.type || 'csv');
    if (!format) throw new Error('a checked type has no format');
    return {
      id: readId(report, parameters),
      range: readRange(parameters, now()),
      format,
      columns: readColumns(report, parameters),
    };
  };
}
