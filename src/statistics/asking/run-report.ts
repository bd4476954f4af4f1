import { type Fault, invalid, Refusal } from '../../fields/fault.ts';
import { type CounterName, noCounts } from '../../reference/counters.ts';
import type { CubeName } from '../../reference/cubes.ts';
import { type Dimension, type DimensionName, dimensions, isTimeUnit } from '../../reference/dimensions.ts';
import { isNeverSampled } from '../../reference/fact-cubes.ts';
import { type MeasureValues, measures } from '../../reference/measures.ts';
import { reportRowsMax as rowsMax } from '../../reference/report-rows-max.ts';
import type {
  Analytics,
  CubeCondition,
  CubeRow,
  FactQuestion,
  StatisticsStore,
} from '../../store/statistics/interface.ts';
import type { ComparedPeriod } from './compared-period.ts';
import type { Counterparts } from './counterparts.ts';
import { planComparison } from './plan-comparison.ts';
import {
  countersFor,
  factStarts,
  planFacts,
  planReport,
  type ReportPlan,
  type RetentionState,
} from './plan-report.ts';
import type { ReportQuestion } from './question.ts';
import { createRowOrder } from './row-order.ts';
import { type Interval, intervalsOf, textInZone } from './zones.ts';

/** Most steps of time of a question: two years of hours. */
const bucketsMax = 17_568;

/** A row of an answer, its dimensions as the database has them. */
export interface ReportRow {
  /** The start of its step of time, where the question groups by time. */
  readonly time: string | undefined;
  /** Whether the question has only a part of its step of time. */
  readonly isPartial?: true;
  /** Values of the dimensions' columns, in the order of the groups. */
  readonly values: readonly (readonly (string | number)[])[];
  readonly figures: MeasureValues;
  /** The same of the period that is compared with. */
  readonly before?: MeasureValues;
}

export interface ReportAnswer {
  readonly rows: readonly ReportRow[];
  readonly total: { readonly figures: MeasureValues; readonly before?: MeasureValues } | undefined;
  /** What it is compared with: from when until when, and starts of steps that have no counterpart. */
  readonly before: (Pick<ComparedPeriod, 'fromMs' | 'untilMs'> & Pick<Counterparts, 'unmatched'>) | undefined;
  /** Whether it has steps of time of which the question has only a part. */
  readonly hasPartial: boolean;
  /** Whether some of its figures are projected from sampled auctions. */
  readonly isSampled: boolean;
  /** Up to when what was counted is in it, in milliseconds since 1970; infinite where all of it is. */
  readonly wholeUntilMs: number;
}

/** Sums of counters, and those of the period that is compared with. */
interface GroupSums {
  readonly interval: number;
  readonly values: CubeRow;
  readonly now: number[];
  readonly before: number[];
}

function bucketsIn({ groups, zone, fromMs, untilMs }: ReportQuestion): readonly Interval[] {
  const unit = groups.find(isTimeUnit);
  if (!unit) return [{ start: textInZone(fromMs, zone), fromMs, untilMs }];
  const intervals: Interval[] = [];
  for (const interval of intervalsOf(unit, fromMs, untilMs, zone)) {
    intervals.push(interval);
    if (intervals.length > bucketsMax) {
      const Message = `has more than ${bucketsMax} steps of time between From and To; ask for longer steps, or less time`;
      throw invalid([{ Path: 'GroupBy', Code: 'out_of_range', Message }]);
    }
  }
  return intervals;
}

const conditionsOf = ({ filters, owner }: ReportQuestion): CubeCondition[] => [
  ...filters.map(({ field, values, isNot }) => ({
    columns: (dimensions[field] as Dimension).columns,
    values,
    isNot,
  })),
  ...(owner ? [{ columns: dimensions[owner.kind].columns, values: [[owner.id]], isNot: false }] : []),
];

const dimensionsOf = ({ groups }: ReportQuestion) =>
  groups
    .filter((name): name is DimensionName => !isTimeUnit(name))
    .map((name): Dimension => dimensions[name]);

function tooMany(): Fault {
  const Message = `would have more than ${rowsMax} rows; group by less, ask for less time, or filter`;
  return { Path: 'GroupBy', Code: 'out_of_range', Message };
}

/** What is asked: the cubes of the store, and where there is one, the engine of single events. */
type Statistics = Pick<StatisticsStore, 'ask' | 'analytics'>;

interface Engine {
  plan(question: ReportQuestion, intervals: readonly Interval[]): ReportPlan;
  ask(question: FactQuestion & Pick<ReportPlan, 'cube'>): AsyncIterable<readonly CubeRow[]>;
  readonly untilMs: number;
}

const cubesOf = ({ ask }: Statistics, now: RetentionState): Engine => ({
  plan: (question, intervals) => planReport(question, intervals, now),
  untilMs: Number.POSITIVE_INFINITY,
  ask: ({ cube, ...question }) => ask({ ...question, cube: cube as CubeName }),
});

/** Thrown where an engine of single events has not all that a question asks for. */
class DataExpired extends Error {}

async function factsOf({ range, ask }: Analytics, now: RetentionState): Promise<Engine> {
  const { fromMs, untilMs } = await range();
  const known = { ...now, starts: factStarts(fromMs) };
  return {
    plan(question, intervals) {
      const plan = planFacts(question, intervals, known);
      if (plan) return plan;
      throw new DataExpired();
    },
    ask,
    untilMs,
  };
}

function addTo(total: number[], sums: readonly number[]): void {
  for (const [index, value] of sums.entries()) total[index] = (total[index] ?? 0) + value;
}

/** Where sums of a period are added up: by bucket and dimensions. */
interface SumTarget {
  readonly sums: Map<string, GroupSums>;
  readonly side: 'now' | 'before';
  /** The place of the step that a step of this period stands beside. */
  readonly placeOf: (bucket: number) => number;
  /** Told for how many auctions one of a row counts, where that is known. */
  readonly weigh: (weight: number) => void;
}

/** Adds a row of an answer, of which so many columns are dimensions, and so many counters. */
function addRow([bucket = 0, ...rest]: CubeRow, columns: number, counters: number, adding: SumTarget): void {
  const { sums, side, placeOf, weigh } = adding;
  const values = rest.slice(0, columns);
  const place = placeOf(Number(bucket));
  const key = JSON.stringify([place, ...values]);
  const zeros = () => Array<number>(counters).fill(0);
  const sum = sums.get(key) ?? { interval: place, values, now: zeros(), before: zeros() };
  sums.set(key, sum);
  addTo(sum[side], rest.slice(columns, columns + counters).map(Number));
  weigh(Number(rest[columns + counters] ?? 1));
}

/** Adds up what was counted in a period, as it is planned. */
async function addPeriod(
  engine: Engine,
  question: ReportQuestion,
  { cube, grains }: ReportPlan,
  adding: SumTarget,
): Promise<void> {
  const columns = dimensionsOf(question).flatMap((dimension) => dimension.columns);
  const counters = countersFor(question);
  const { teamId } = question;
  const asked = { cube, teamId, columns, counters, conditions: conditionsOf(question), rowsMax: rowsMax + 1 };
  for (const { grain, ranges } of grains) {
    for await (const part of engine.ask({ ...asked, grain, ranges })) {
      for (const row of part) addRow(row, columns.length, counters.length, adding);
      if (adding.sums.size > rowsMax) throw invalid([tooMany()]);
    }
  }
}

function measuring(question: ReportQuestion) {
  const counters = countersFor(question);
  // One for all rows: there may be thousands of them.
  const counts: Record<CounterName, number> = { ...noCounts };
  return (sums: readonly number[]): MeasureValues => {
    for (const [index, name] of counters.entries()) counts[name] = sums[index] ?? 0;
    return Object.fromEntries(question.measures.map((name) => [name, measures[name].of(counts)]));
  };
}

/** Sums that a question's steps of time have, also those without any; where only time groups, rows of zeros for them. */
function withEmptySteps(
  { groups }: ReportQuestion,
  sums: Map<string, GroupSums>,
  buckets: number,
  counters: number,
): void {
  if (groups.some((name) => !isTimeUnit(name))) return;
  for (let interval = 0; interval < buckets; interval += 1) {
    const key = JSON.stringify([interval]);
    const zeros = () => Array<number>(counters).fill(0);
    if (!sums.has(key)) sums.set(key, { interval, values: [], now: zeros(), before: zeros() });
  }
}

function splitValues(values: CubeRow, dimensions: readonly Dimension[]): CubeRow[] {
  let from = 0;
  return dimensions.map(({ columns }) => {
    from += columns.length;
    return values.slice(from - columns.length, from);
  });
}

/** The rows of sums, in the order of the question, and the sums of all of them. */
async function answerOf(
  question: ReportQuestion,
  sums: Iterable<GroupSums>,
  intervals: readonly Interval[],
): Promise<Pick<ReportAnswer, 'rows' | 'total'>> {
  const measured = measuring(question);
  const hasTime = question.groups.some(isTimeUnit);
  const shown = dimensionsOf(question);
  const total: { readonly now: number[]; readonly before: number[] } = { now: [], before: [] };
  const both = (sum: Pick<GroupSums, 'now' | 'before'>) => ({
    figures: measured(sum.now),
    ...(question.compareTo && { before: measured(sum.before) }),
  });
  const order = createRowOrder<ReportRow>(question);
  for (const sum of sums) {
    addTo(total.now, sum.now);
    addTo(total.before, sum.before);
    const { [sum.interval]: bucket } = intervals;
    // What stands beside no step is in the sums of all alone.
    if (!bucket) continue;
    const { start, isPartial } = bucket;
    const ofTime = hasTime ? { time: start, ...(isPartial && { isPartial }) } : { time: undefined };
    await order.add({ ...ofTime, values: splitValues(sum.values, shown), ...both(sum) }, sum.interval);
  }
  const rows = await order.rows();
  return {
    rows: rows.slice(0, question.limit ?? rowsMax),
    total: question.hasTotal ? both(total) : undefined,
  };
}

async function reportOf(engine: Engine, question: ReportQuestion): Promise<ReportAnswer> {
  const sums = new Map<string, GroupSums>();
  let weightMax = 1;
  const weigh = (weight: number) => {
    weightMax = Math.max(weightMax, weight);
  };
  const intervals = bucketsIn(question);
  const plan = engine.plan(question, intervals);
  const beside =
    question.compareTo && planComparison(question, intervals, (steps) => engine.plan(question, steps));
  await addPeriod(engine, question, plan, { sums, side: 'now', placeOf: (bucket) => bucket, weigh });
  if (beside) {
    const placeOf = (bucket: number) => beside.places[bucket] ?? intervals.length;
    await addPeriod(engine, question, beside.plan, { sums, side: 'before', placeOf, weigh });
  }
  const counters = countersFor(question);
  withEmptySteps(question, sums, intervals.length, counters.length);
  const isSampled = weightMax > 1 && !counters.every(isNeverSampled);
  return {
    ...(await answerOf(question, sums.values(), intervals)),
    isSampled,
    wholeUntilMs: engine.untilMs,
    before: beside && { ...beside.period, unmatched: beside.unmatched },
    hasPartial: question.groups.some(isTimeUnit) && intervals.some(({ isPartial }) => isPartial),
  };
}

const isOf = (error: unknown, code: Refusal['code']) => error instanceof Refusal && error.code === code;

/** What an engine of single events lacks for so long that the store, which has all, is asked first. */
const behindMs = 60_000;

/**
 * Answers a question of a team. Refuses with `invalid` where what is kept cannot answer it, or the answer would be too
 * long. Steps of time of the period that is compared with stand beside those of the question in their order. Where there
 * is an engine of single events, it answers what it has; the store answers the rest, and all that it can while that
 * engine is away or behind.
 */
export async function runReport(
  statistics: Statistics,
  question: ReportQuestion,
  now: RetentionState,
): Promise<ReportAnswer> {
  const cubes = cubesOf(statistics, now);
  const { analytics } = statistics;
  if (!analytics) return reportOf(cubes, question);
  try {
    const facts = await factsOf(analytics, now);
    const isBehind = facts.untilMs < Math.min(question.untilMs, now.nowMs) - behindMs;
    if (!isBehind) return await reportOf(facts, question);
    return await reportOf(cubes, question).catch((error) => {
      if (isOf(error, 'invalid')) return reportOf(facts, question);
      throw error;
    });
  } catch (error) {
    if (!(error instanceof DataExpired) && !isOf(error, 'unavailable')) throw error;
    return reportOf(cubes, question).catch((refusal) => {
      // What the cubes lack is told; but that they lack it says nothing where the other engine alone is away.
      throw isOf(error, 'unavailable') && isOf(refusal, 'invalid') && wouldBeKept(question, now)
        ? error
        : refusal;
    });
  }
}

/** Whether an engine of single events could answer a question if it had always been there. */
const wouldBeKept = (question: ReportQuestion, now: RetentionState) =>
  planFacts(question, bucketsIn(question), { ...now, starts: factStarts(0) }) !== undefined;

/**
 * Refuses with `invalid` a question that what is kept cannot answer, or not with its comparison, whatever was counted.
 * What an engine of single events will have is taken for kept.
 */
export function assertAnswerable(
  question: ReportQuestion,
  now: RetentionState,
  { analytics }: Pick<Statistics, 'analytics'> = {},
): void {
  if (analytics && wouldBeKept(question, now)) return;
  const steps = bucketsIn(question);
  const planOf = (intervals: readonly Interval[]) => planReport(question, intervals, now);
  planOf(steps);
  if (question.compareTo) planComparison(question, steps, planOf);
}
