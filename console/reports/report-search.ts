import { hasMembers } from '../api/values.ts';
import { measures, reports } from '../field-tables.ts';
import { countOf, dayOf, textOf } from '../parts/address-values.ts';

/** Which values of a dimension count, as the API takes it. */
export interface ReportFilter {
  readonly Field: string;
  readonly Operator: 'In' | 'NotIn';
  readonly Values: readonly (string | number)[];
}

/** What the address of a report says: what is asked, and how it is shown. Lists of names have commas between them. */
export interface ReportSearch {
  readonly period?: string | undefined;
  /** Days, as `2027-01-31`: in place of `period`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly zone?: string | undefined;
  /** A step of time and dimensions; "" for none. */
  readonly by?: string | undefined;
  readonly figures?: string | undefined;
  readonly filter?: readonly ReportFilter[] | undefined;
  readonly compare?: string | undefined;
  /** A name of `by` or `figures`, with `-` before it for the greatest first. */
  readonly sort?: string | undefined;
  readonly limit?: number | undefined;
  readonly chart?: string | undefined;
  readonly figure?: string | undefined;
  /** The name of `by` whose values become columns. */
  readonly across?: string | undefined;
  /** Whether pairs without demand or figures are shown, too. */
  readonly quiet?: 'shown' | undefined;
  /** ID of the saved report that it comes from. */
  readonly saved?: number | undefined;
}

/** Whether a value is a condition on what is counted. */
export function isFilter(value: unknown): value is ReportFilter {
  if (!hasMembers(value)) return false;
  const { Field, Operator, Values } = value;
  return Object.hasOwn(reports.dimensions, String(Field)) && Operator !== undefined && Array.isArray(Values);
}

/** What an address says, as far as it says something. */
export const readReportSearch = (sent: Readonly<Record<string, unknown>>): ReportSearch => ({
  period: textOf(sent.period),
  from: dayOf(sent.from),
  to: dayOf(sent.to),
  zone: textOf(sent.zone),
  by: typeof sent.by === 'string' ? sent.by : undefined,
  figures: textOf(sent.figures),
  compare: textOf(sent.compare),
  sort: textOf(sent.sort),
  filter: Array.isArray(sent.filter) ? sent.filter.filter(isFilter) : undefined,
  limit: countOf(sent.limit),
  chart: textOf(sent.chart),
  figure: textOf(sent.figure),
  across: textOf(sent.across),
  quiet: sent.quiet === 'shown' ? sent.quiet : undefined,
  saved: countOf(sent.saved),
});

/** What a report is asked for where its address does not say it. */
export const standard = {
  period: 'Last7Days',
  by: 'Day',
  figures: 'Requests,Impressions,FillRate,Revenue,Cost,Profit,Margin',
} as const;

/** Whether a name of `by` is a step of time. */
export const isStep = (name: string): boolean => reports.steps.includes(name);

const namesIn = (text: string, isKnown: (name: string) => boolean): readonly string[] => [
  ...new Set(text.split(',').filter(isKnown)),
];

/** The step of time and the dimensions that an address names. */
export const groupsOf = ({ by = standard.by }: ReportSearch): readonly string[] =>
  namesIn(by, (name) => isStep(name) || Object.hasOwn(reports.dimensions, name));

export function figuresOf({ figures = standard.figures }: ReportSearch): readonly string[] {
  const named = namesIn(figures, (name) => Object.hasOwn(measures, name));
  return named.length > 0 ? named : standard.figures.split(',');
}
