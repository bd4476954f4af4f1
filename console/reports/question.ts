import { answerable } from 'virtual:answerable';
import { queryOptions } from '@tanstack/react-query';
import type { CsvForm } from '../../src/reference/csv.ts';
import type { AnswerTo } from '../api/answers.ts';
import { type ApiRequest, sendRequest } from '../api/call.ts';
import { reports } from '../field-tables.ts';
import { daysOf } from './period.ts';
import {
  figuresOf,
  groupsOf,
  isStep,
  type ReportFilter,
  type ReportSearch,
  standard,
} from './report-search.ts';
import { type Combinations, countedBy, isOfUtcDays } from './together.ts';

/** A question, as the API takes it. */
export interface Question {
  readonly Period?: string;
  readonly From?: string;
  readonly To?: string;
  readonly TimeZone: string;
  readonly GroupBy: readonly string[];
  readonly Measures: readonly string[];
  readonly Filters: readonly ReportFilter[];
  readonly OrderBy?: readonly { readonly Field: string; readonly Direction: 'Asc' | 'Desc' }[];
  readonly Limit?: number;
  readonly Total: 1;
  readonly CompareTo?: string;
}

/** Figures by name; a rate of nothing is null. */
export type Figures = Readonly<Record<string, number | null | undefined>>;
/** A row of an answer: values of dimensions and figures, and the figures of the period that it is compared with. */
export type Row = Readonly<Record<string, string | number | boolean | null | Figures | undefined>> & {
  readonly Before?: Figures | undefined;
};

type ReportAnswer = AnswerTo<'api/statistics/report'>;

/** An answer, with the question that it is to; its rows by name. */
export interface Answer extends Omit<ReportAnswer, 'Rows' | 'Total'> {
  readonly question: Question;
  readonly Rows: readonly Row[];
  readonly Total: Row;
}

/** A question as the address wishes it, and what of the wish is not kept. */
export interface AskedQuestion {
  readonly question: Question;
  /** Its first and last day; undefined for a period that is not of days. */
  readonly days: readonly [from: string | undefined, to: string | undefined];
  /** Figures that are not counted by these dimensions. */
  readonly leftOut: readonly string[];
  /** The zone that was wished for, where days of UTC alone are kept. */
  readonly otherZone?: string;
}

/** Behind a figure's name, in an order: by how much it has changed. */
export const changeSuffix = '.Change';

/** The figure that is drawn: the one that the address names, that by which rows are sorted, or the first. */
export function drawnFigure({ figure, sort = '' }: ReportSearch, figures: readonly string[]): string {
  const known = [figure, sort.replace('-', '').replace(changeSuffix, ''), 'Revenue'].find(
    (name) => name && figures.includes(name),
  );
  return known ?? figures[0] ?? '';
}

const isComparison = ({ compare }: ReportSearch): boolean =>
  compare !== undefined && Object.hasOwn(reports.comparisons, compare);

function orderOf(
  search: ReportSearch,
  groups: readonly string[],
  figures: readonly string[],
): Question['OrderBy'] {
  const sort = search.sort ?? (groups.some(isStep) ? '' : `-${drawnFigure(search, figures)}`);
  const Field = sort.replace(/^-/, '');
  const changes = isComparison(search) ? figures.map((name) => `${name}${changeSuffix}`) : [];
  if (![...groups, ...figures, ...changes].includes(Field)) return undefined;
  return [{ Field, Direction: sort.startsWith('-') ? 'Desc' : 'Asc' }];
}

const dayMs = 86_400_000;
/** How far back a comparison goes behind the period itself. */
const comparedDays: Readonly<Record<string, number>> = { Week: 7, Month: 31, Year: 366 };

/** Since when a question needs what was counted, about. */
function neededSince([from, to]: AskedQuestion['days'], compare: string | undefined): number {
  if (!from) return Date.now() - dayMs;
  const fromMs = Date.parse(from);
  if (compare === undefined) return fromMs;
  const ownDays = (Date.parse(to ?? from) - fromMs) / dayMs + 1;
  return fromMs - (comparedDays[compare] ?? ownDays) * dayMs;
}

/**
 * What is asked for at an address. `zone`: that of whoever looks, where the address names none; `combinations`: what is
 * kept, where it matters since when.
 */
export function askedFor(
  search: ReportSearch,
  zone: string,
  combinations: Combinations = answerable,
): AskedQuestion {
  const wished = search.zone ?? zone;
  const groups = groupsOf(search);
  const filters = search.filter ?? [];
  const used = [...groups, ...filters.map(({ Field }) => Field)];
  const figures = figuresOf(search);
  const Measures = countedBy(combinations, used, figures);
  const { period = standard.period, compare } = search;
  const daysIn = (zoneOfDays: string): AskedQuestion['days'] => {
    const [from, to] = daysOf(period, zoneOfDays) ?? [];
    return [search.from ?? from, search.to ?? to];
  };
  const since = neededSince(daysIn(wished), isComparison(search) ? compare : undefined);
  const isUtc = wished !== 'UTC' && isOfUtcDays(combinations, used, Measures, since);
  const TimeZone = isUtc ? 'UTC' : wished;
  const days = daysIn(TimeZone);
  const isPeriod = search.from === undefined && search.to === undefined;
  const OrderBy = orderOf(search, groups, Measures);
  const question: Question = {
    ...(isPeriod ? { Period: period } : { From: days[0] ?? '', To: days[1] ?? '' }),
    TimeZone,
    GroupBy: groups,
    Measures,
    Filters: filters,
    ...(OrderBy && { OrderBy }),
    ...(search.limit !== undefined && { Limit: search.limit }),
    Total: 1,
    ...(compare !== undefined && isComparison(search) && { CompareTo: compare }),
  };
  return {
    question,
    days,
    leftOut: figures.filter((name) => !Measures.includes(name)),
    ...(isUtc && { otherZone: wished }),
  };
}

export const reportRequest = (question: Question) =>
  ({
    path: 'api/statistics/report',
    body: { ...question },
  }) satisfies ApiRequest;

const withoutBefore = ({ Before: _, ...row }: Row): Row => row;

/** An answer whose rows stand beside nothing where the period that they are compared with is empty. */
function withoutEmptyBefore(answer: Answer): Answer {
  const { Before, Rows, Total } = answer;
  if (!Before || Before.From !== Before.To) return answer;
  return { ...answer, Rows: Rows.map(withoutBefore), Total: withoutBefore(Total) };
}

/** A question as a request for its rows as a file. `name`: what the file is called beside its days, `""` = as it is grouped. */
export const csvRequest = (question: Question, form: CsvForm, name: string) =>
  ({
    ...reportRequest(question),
    query: { type: 'csv', ...form, ...(name !== '' && { Name: name.slice(0, nameCharactersMax) }) },
  }) satisfies ApiRequest;
const nameCharactersMax = 200;

export const answerQuery = (question: Question) =>
  queryOptions({
    queryKey: ['statistics', question],
    queryFn: async ({ signal }): Promise<Answer> => {
      const { Total = {}, ...data } = (await sendRequest(reportRequest(question), { signal })).data;
      return withoutEmptyBefore({ ...data, Total, question });
    },
    staleTime: 30_000,
  });

/** How a question can be drawn, what suits it best first; nothing where it has one row. */
export const chartsOf = ({ GroupBy }: Question): readonly string[] => {
  if (GroupBy.length === 0) return [];
  return GroupBy.some(isStep) ? ['lines', 'bars', 'none'] : ['bars', 'none'];
};

export function chartOf({ chart }: Pick<ReportSearch, 'chart'>, question: Question): string {
  const charts = chartsOf(question);
  return charts.find((name) => name === chart) ?? charts[0] ?? 'none';
}

/** The step of time of a question; undefined where it has none. */
export const stepOf = ({ GroupBy }: Question): string | undefined => GroupBy.find(isStep);

export const figureIn = (row: Row, name: string): number => Number(row[name] ?? 0);
/** The same, and null where a figure says nothing. */
export const rateIn = (row: Row, name: string): number | null =>
  row[name] === null ? null : figureIn(row, name);
/** The figures of the period that a row is compared with. */
export const beforeOf = (row: Row): Figures | undefined => row.Before;
