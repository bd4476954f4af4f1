import { invalid, Refusal } from '../../fields/fault.ts';
import type { DimensionName } from '../../reference/dimensions.ts';
import type { MeasureName, MeasureValues } from '../../reference/measures.ts';
import type { RetentionState } from '../../statistics/asking/plan-report.ts';
import type { ReportQuestion } from '../../statistics/asking/question.ts';
import { changeOf } from '../../statistics/asking/row-order.ts';
import { type ReportAnswer, type ReportRow, runReport } from '../../statistics/asking/run-report.ts';
import type { ObjectKey, StatisticsStore } from '../../store/statistics/interface.ts';

export const splits = {
  Supply: ['Supply'],
  Demand: ['Demand'],
  Pair: ['Supply', 'Demand'],
  Country: ['Country'],
} as const satisfies Readonly<Record<string, readonly DimensionName[]>>;

export type SplitName = keyof typeof splits;
export const splitNames = Object.keys(splits) as readonly SplitName[];

/** Values of a split with what they counted in both periods. */
export interface Driver {
  /** Supply before demand; none for a country. */
  readonly objects: readonly ObjectKey[];
  readonly country: string | undefined;
  readonly now: number;
  readonly before: number;
}

export interface Split {
  readonly name: SplitName;
  /** Those that changed most, in either direction. */
  readonly drivers: readonly Driver[];
  readonly others: { readonly count: number; readonly now: number; readonly before: number };
  /** Why it cannot be told; `""` if it can. */
  readonly refusal: string;
}

const figureIn = (values: MeasureValues | undefined, name: MeasureName) => values?.[name] ?? 0;

function driverOf(name: SplitName, measure: MeasureName, { values, figures, before }: ReportRow): Driver {
  const isCountry = name === 'Country';
  return {
    objects: isCountry ? [] : values.map(([kind = '', id = 0]) => ({ kind: String(kind), id: Number(id) })),
    country: isCountry ? String(values[0]?.[0] ?? '') : undefined,
    now: figureIn(figures, measure),
    before: figureIn(before, measure),
  };
}

/** What supply counts on its own has no demand. */
const isNamed = ({ objects }: Driver) => objects.every(({ kind }) => kind !== '');

const sumOf = (drivers: readonly Driver[], of: 'now' | 'before') =>
  Math.round(1e6 * drivers.reduce((sum, driver) => sum + driver[of], 0)) / 1e6;

function splitOf(name: SplitName, measure: MeasureName, { rows }: ReportAnswer, limit: number): Split {
  const moved = (row: ReportRow) => Math.abs(changeOf(row, measure) ?? 0);
  const drivers = rows
    .filter((row) => moved(row) > 0)
    .toSorted((one, other) => moved(other) - moved(one))
    .map((row) => driverOf(name, measure, row))
    .filter(isNamed);
  const rest = drivers.slice(limit);
  const others = { count: rest.length, now: sumOf(rest, 'now'), before: sumOf(rest, 'before') };
  return { name, drivers: drivers.slice(0, limit), others, refusal: '' };
}

type Statistics = Pick<StatisticsStore, 'ask' | 'analytics'>;

/** Of the question's one measure. A split that is not counted says so in `refusal`. */
export async function askSplit(
  statistics: Statistics,
  question: ReportQuestion,
  kept: RetentionState,
  { name, limit }: { readonly name: SplitName; readonly limit: number },
): Promise<Split> {
  const [measure] = question.measures;
  if (!measure) throw invalid([{ Path: 'Measure', Code: 'required', Message: 'is required' }]);
  try {
    const answer = await runReport(statistics, { ...question, groups: splits[name] }, kept);
    return splitOf(name, measure, answer, limit);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'invalid') throw error;
    const refusal = error.faults[0]?.Message ?? '';
    return { name, drivers: [], others: { count: 0, now: 0, before: 0 }, refusal };
  }
}
