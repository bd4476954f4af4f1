import { Refusal } from '../../fields/fault.ts';
import type { MeasureName, MeasureValues } from '../../reference/measures.ts';
import type { RetentionState } from '../../statistics/asking/plan-report.ts';
import type { ReportQuestion } from '../../statistics/asking/question.ts';
import { type ReportRow, runReport } from '../../statistics/asking/run-report.ts';
import { hourMs } from '../../statistics/days.ts';
import type { ObjectKey, StatisticsStore } from '../../store/statistics/interface.ts';

export interface MovedFigure {
  readonly measure: MeasureName;
  readonly now: number;
  readonly before: number;
}

export interface QuietSince {
  readonly measure: MeasureName;
  /** End of the last hour that counted something. */
  readonly sinceMs: number;
}

export interface ObjectFigures {
  readonly moved: readonly MovedFigure[];
  readonly quiet: QuietSince | undefined;
}

type Side = 'Supply' | 'Demand';

/** Of each side: what explains a change, the cause before its effect, and what is missed when it stops. */
const sides = {
  Supply: { explain: ['Requests', 'FillRate', 'Impressions', 'Ecpm'], missed: ['Requests', 'Impressions'] },
  Demand: {
    explain: ['Calls', 'UnavailableRate', 'TimeoutRate', 'BidRate', 'Bids', 'WinRate', 'Impressions', 'Ecpm'],
    missed: ['Calls', 'Bids', 'Impressions'],
  },
} as const satisfies Readonly<Record<Side, Readonly<Record<string, readonly MeasureName[]>>>>;

/** By a quarter up, or a fifth down. */
const noticeable = Math.log(1.25);
/** Points of a rate, or a count: less is chance. */
const leastChange = 3;
const shownMax = 3;
const hoursMax = 7 * 24;

export const keyOf = ({ kind, id }: ObjectKey): string => `${kind}:${id}`;

const isNoticed = ({ now, before }: MovedFigure) =>
  Math.abs(now - before) >= leastChange && Math.abs(Math.log((now + 0.5) / (before + 0.5))) >= noticeable;

function movedIn(
  measures: readonly MeasureName[],
  figures: MeasureValues,
  earlier: MeasureValues = {},
): readonly MovedFigure[] {
  return measures
    .flatMap((measure) => {
      const { [measure]: now = null } = figures;
      const { [measure]: before = null } = earlier;
      return now === null || before === null ? [] : [{ measure, now, before }];
    })
    .filter(isNoticed)
    .slice(0, shownMax);
}

/** Rows by object; none for what is not counted or not kept. */
async function rowsOf(
  statistics: Pick<StatisticsStore, 'ask' | 'analytics'>,
  question: ReportQuestion,
  kept: RetentionState,
): Promise<readonly ReportRow[]> {
  try {
    return (await runReport(statistics, question, kept)).rows;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'invalid') return [];
    throw error;
  }
}

const objectOf = ({ values: [value = []] }: ReportRow): ObjectKey => ({
  kind: String(value[0]),
  id: Number(value[1]),
});

/** By whole hours of UTC, of which the running one says nothing yet. */
function lastHours({ fromMs, untilMs, askedMs = untilMs, comparedTimes }: ReportQuestion) {
  const endMs = Math.floor(Math.min(untilMs, askedMs) / hourMs) * hourMs;
  const beginMs = Math.floor(Math.min(fromMs, comparedTimes?.[0] ?? fromMs) / hourMs) * hourMs;
  return { fromMs: Math.max(endMs - hoursMax * hourMs, beginMs - (endMs - beginMs)), untilMs: endMs };
}

function quietIn(
  measures: readonly MeasureName[],
  rows: readonly ReportRow[],
  untilMs: number,
): QuietSince | undefined {
  const last = (measure: MeasureName) =>
    Math.max(
      ...rows.flatMap(({ time = '', figures }) => (figures[measure] ? [Date.parse(time) + hourMs] : [])),
    );
  for (const measure of measures) {
    const sinceMs = last(measure);
    if (Number.isFinite(sinceMs) && sinceMs < untilMs) return { measure, sinceMs };
  }
  return undefined;
}

/** Which other figures of objects of one side moved with the question's, and what stopped. */
export async function askFigures(
  statistics: Pick<StatisticsStore, 'ask' | 'analytics'>,
  question: ReportQuestion,
  kept: RetentionState,
  { side, objects }: { readonly side: Side; readonly objects: readonly ObjectKey[] },
): Promise<ReadonlyMap<string, ObjectFigures>> {
  if (objects.length === 0) return new Map();
  const { explain, missed } = sides[side];
  const values = objects.map(({ kind, id }) => [kind, id] as const);
  const filters = [...question.filters, { field: side, isNot: false, values }];
  const asked = { ...question, filters, orderBy: [], limit: undefined, hasTotal: false };
  const hours = { ...lastHours(question), zone: 'UTC', period: undefined };
  const quietly = { ...asked, ...hours, compareTo: undefined, comparedTimes: undefined };
  const [compared, byHour] = await Promise.all([
    rowsOf(statistics, { ...asked, groups: [side], measures: explain }, kept),
    rowsOf(statistics, { ...quietly, groups: ['Hour', side], measures: missed }, kept),
  ]);
  const moved = new Map(
    compared.map((row) => [keyOf(objectOf(row)), movedIn(explain, row.figures, row.before)]),
  );
  const hourly = Map.groupBy(byHour, (row) => keyOf(objectOf(row)));
  return new Map(
    objects.map((object) => {
      const key = keyOf(object);
      const quiet = quietIn(missed, hourly.get(key) ?? [], hours.untilMs);
      return [key, { moved: moved.get(key) ?? [], quiet }];
    }),
  );
}
