import { entityOf } from '../../entities/registry.ts';
import { noCounts } from '../../reference/counters.ts';
import type { DimensionName } from '../../reference/dimensions.ts';
import type { MeasureName } from '../../reference/measures.ts';
import type { Times } from '../../statistics/asking/period-times.ts';
import { fromTheStart, type RetentionState } from '../../statistics/asking/plan-report.ts';
import type { ReportQuestion } from '../../statistics/asking/question.ts';
import { type ReportRow, runReport } from '../../statistics/asking/run-report.ts';
import { dayMs, dayOf, hourMs, hourOf } from '../../statistics/days.ts';
import { type FigureValues, figures, figureValues } from '../../statistics/figure-values.ts';
import type { StatisticsStore } from '../../store/statistics/interface.ts';

const shownFigures: readonly MeasureName[] = figures.map(([name]) => name);
const trendHours = 24;

type Asked = Pick<ReportQuestion, 'groups' | 'compareTo'> &
  Partial<Pick<ReportQuestion, 'measures' | 'filters' | 'isOfObjects'>>;

/** The engine of reports, asked about times of one team in UTC, from the store, whose counts are seconds old. */
export function askingOf(
  statistics: Pick<StatisticsStore, 'ask'>,
  teamId: number,
  known: RetentionState,
): (times: Times, asked: Asked) => ReturnType<typeof runReport> {
  const kept = fromTheStart(known);
  return ([fromMs, untilMs], asked) =>
    runReport(
      { ask: statistics.ask },
      {
        ...{
          measures: shownFigures,
          filters: [],
          orderBy: [],
          limit: undefined,
          hasTotal: true,
          zone: 'UTC',
        },
        ...asked,
        ...{ teamId, fromMs, untilMs, askedMs: kept.nowMs },
      },
      kept,
    );
}

/** Of a day (since 1970): itself, the day before, and the last 24 hours of it so far. */
export function timesOf(day: number, nowMs: number): Readonly<Record<'day' | 'before' | 'trend', Times>> {
  const endMs = Math.min((hourOf(nowMs) + 1) * hourMs, (day + 1) * dayMs);
  return {
    day: [day * dayMs, (day + 1) * dayMs],
    before: [(day - 1) * dayMs, day * dayMs],
    trend: [endMs - trendHours * hourMs, endMs],
  };
}

export type ComparedName = 'Today' | 'SameHoursYesterday' | 'SameHoursWeekAgo' | 'Yesterday';

/** Figures of today and other days, and the last 24 hours' requests, oldest first. */
export type Comparison = Readonly<Record<ComparedName, FigureValues>> & { readonly Trend: readonly number[] };

/** The dimension whose last column has the IDs of a kind, and those of some as it holds them. */
export function dimensionOf(kind: string, ids: readonly number[]) {
  const side = entityOf(kind).exchange?.side;
  if (side === 'account') return { field: kind as DimensionName, values: ids.map((id) => [id]) };
  const field: DimensionName = side === 'demand' ? 'Demand' : 'Supply';
  return { field, values: ids.map((id) => [kind, id]) };
}

const none = figureValues(noCounts);
const idIn = ({ values }: ReportRow) => Number(values[0]?.at(-1));

/** What objects of a kind counted today, and how it compares, as reports say it; of all `ids`, in their order. */
export async function compareObjects(
  statistics: Pick<StatisticsStore, 'ask'>,
  known: RetentionState,
  { teamId, kind, ids }: { readonly teamId: number; readonly kind: string; readonly ids: readonly number[] },
): Promise<ReadonlyMap<number, Comparison>> {
  const { field, values } = dimensionOf(kind, ids);
  const ask = askingOf(statistics, teamId, known);
  const of = { groups: [field], filters: [{ field, isNot: false, values }], isOfObjects: true } as const;
  const times = timesOf(dayOf(known.nowMs), known.nowMs);
  const [own, weekAgo, yesterday, trend] = await Promise.all([
    ask(times.day, { ...of, compareTo: 'Period' }),
    ask(times.day, { ...of, compareTo: 'Week' }),
    ask(times.before, { ...of, compareTo: undefined }),
    ask(times.trend, { ...of, groups: ['Hour', field], compareTo: undefined, measures: ['Requests'] }),
  ]);
  const [ownById, weekById, yesterdayById] = [own, weekAgo, yesterday].map(
    ({ rows }) => new Map(rows.map((row) => [idIn(row), row])),
  );
  const hours = Map.groupBy(trend.rows, idIn);
  const [firstMs] = times.trend;
  const trendOf = (id: number) => {
    const requests = Array<number>(trendHours).fill(0);
    for (const { time = '', figures: counted } of hours.get(id) ?? [])
      requests[(Date.parse(time) - firstMs) / hourMs] = counted.Requests ?? 0;
    return requests;
  };
  const shown = (values: ReportRow['figures'] | undefined) => (values ?? none) as FigureValues;
  return new Map(
    ids.map((id) => [
      id,
      {
        Today: shown(ownById?.get(id)?.figures),
        SameHoursYesterday: shown(ownById?.get(id)?.before),
        SameHoursWeekAgo: shown(weekById?.get(id)?.before),
        Yesterday: shown(yesterdayById?.get(id)?.figures),
        Trend: trendOf(id),
      },
    ]),
  );
}
