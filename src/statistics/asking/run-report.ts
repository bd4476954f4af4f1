import { type Fault, invalid, Refusal } from '../../fields/fault.ts';
import { columnName } from '../../reference/column-name.ts';
import { type CounterName, countersIn, noCounts } from '../../reference/counters.ts';
import { type Cube, type CubeName, cubes } from '../../reference/cubes.ts';
import { type Dimension, type DimensionName, dimensions, isTimeUnit } from '../../reference/dimensions.ts';
import { isNeverSampled } from '../../reference/fact-cubes.ts';
import { type MeasureValues, measures } from '../../reference/measures.ts';
import { ownMember } from '../../reference/own-member.ts';
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
  isMixed,
  planFacts,
  planReport,
  type ReportPlan,
  type RetentionState,
} from './plan-report.ts';
import type { ReportQuestion } from './question.ts';
import { createRowOrder } from './row-order.ts';
import { type Interval, intervalsOf, textInZone } from './zones.ts';

/** Two years of hours. */
const bucketsMax = 17_568;

export interface ReportRow {
  /** If the question groups by time. */
  readonly time: string | undefined;
  /** Only part of the interval is in the question's period. */
  readonly isPartial?: true;
  /** Of the dimensions' columns, in the order of the groups. */
  readonly values: readonly (readonly (string | number)[])[];
  readonly figures: MeasureValues;
  /** In the compared period. */
  readonly before?: MeasureValues;
}

export interface ReportAnswer {
  readonly rows: readonly ReportRow[];
  readonly total: { readonly figures: MeasureValues; readonly before?: MeasureValues } | undefined;
  /** The compared period, and intervals without a counterpart. */
  readonly before: (Pick<ComparedPeriod, 'fromMs' | 'untilMs'> & Pick<Counterparts, 'unmatched'>) | undefined;
  readonly hasPartial: boolean;
  /** Some figures are projected from sampled auctions. */
  readonly isSampled: boolean;
  /** Milliseconds since 1970; infinite if all counts are in it. */
  readonly wholeUntilMs: number;
}

/** Sums of the period, and of the compared one. */
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
      const Message = `has more than ${bucketsMax} intervals between From and To; use longer intervals, or less time`;
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
  const Message = `would have more than ${rowsMax} rows; group by less, shorten the time, or filter`;
  return { Path: 'GroupBy', Code: 'out_of_range', Message };
}

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

/** An engine of single events lacks something. */
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

interface SumTarget {
  readonly sums: Map<string, GroupSums>;
  readonly side: 'now' | 'before';
  /** Index of the matching interval. */
  readonly placeOf: (bucket: number) => number;
  /** How much of an interval counts; absent = all. */
  readonly shareOf?: (bucket: number) => number;
  /** Auctions that one of a row counts for, if known. */
  readonly weigh: (weight: number) => void;
}

const whole = () => 1;

/** `columns` dimensions, then counters. */
function addRow([bucket = 0, ...rest]: CubeRow, columns: number, counters: number, adding: SumTarget): void {
  const { sums, side, placeOf, shareOf = whole, weigh } = adding;
  const values = rest.slice(0, columns);
  const place = placeOf(Number(bucket));
  const key = JSON.stringify([place, ...values]);
  const zeros = () => Array<number>(counters).fill(0);
  const sum = sums.get(key) ?? { interval: place, values, now: zeros(), before: zeros() };
  sums.set(key, sum);
  const share = shareOf(Number(bucket));
  addTo(
    sum[side],
    rest.slice(columns, columns + counters).map((count) => share * Number(count)),
  );
  weigh(Number(rest[columns + counters] ?? 1));
}

type Asked = Omit<FactQuestion, 'grain' | 'ranges'> & Pick<ReportPlan, 'cube'>;

/** Of a row of `part`, in the columns of the whole question. */
interface AskedPart {
  readonly part: Asked;
  readonly rowOf: (row: CubeRow) => CubeRow;
}

const admitsNone = ({ values, isNot }: CubeCondition) => values.some(([value]) => value === '') !== isNot;

const openColumnOf = (cube: Cube | undefined) => columnName(cube?.attributes[0] ?? '');

/** What a cube (`Cube.openIn`) lacks, under `""` of its first attribute: all that is counted, less what it has. */
function openParts(asked: Asked): AskedPart[] {
  const { cube, columns, counters, conditions } = asked;
  const of: Cube | undefined = ownMember<Cube>(cubes, cube);
  const base = of?.openIn as CubeName | undefined;
  const openColumn = openColumnOf(of);
  const isAbout = ({ columns: about }: CubeCondition) => about.includes(openColumn);
  if (!of || !base || !conditions.filter(isAbout).every(admitsNone)) return [];
  const [own, all] = [of, cubes[base] as Cube].map(
    ({ counts = 'traffic' }) => new Set<CounterName>(countersIn(counts)),
  );
  const inBase = (name: CounterName) => of.openAs?.[name] ?? name;
  const ofBoth = counters.filter((name) => own?.has(name) && all?.has(inBase(name)));
  if (ofBoth.length === 0) return [];
  const named = columns.filter((name) => name !== openColumn);
  const asOpen = [...new Set(ofBoth.map(inBase))];
  const rest = {
    ...asked,
    columns: named,
    counters: asOpen,
    conditions: conditions.filter((one) => !isAbout(one)),
  };
  const places: readonly string[] = [...named, ...asOpen];
  const rowOf = (sign: 1 | -1) => {
    return ([bucket = 0, ...values]: CubeRow): CubeRow => [
      bucket,
      ...columns.map((name) => (name === openColumn ? '' : (values[places.indexOf(name)] ?? ''))),
      ...counters.map((name) =>
        ofBoth.includes(name) ? sign * Number(values[places.indexOf(inBase(name))] ?? 0) : 0,
      ),
    ];
  };
  return [
    { part: { ...rest, cube: base }, rowOf: rowOf(1) },
    { part: rest, rowOf: rowOf(-1) },
  ];
}

/** Less than shares of intervals leave of a difference that is none. */
const negligible = 1e-6;

/** All that was counted is in the cube itself. */
function dropEmpty({ sums }: SumTarget, place: number): void {
  for (const [key, { values, now, before }] of sums)
    if (values[place] === '' && [...now, ...before].every((sum) => Math.abs(sum) < negligible))
      sums.delete(key);
}

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
  const open = openParts(asked);
  const steps = [{ part: asked, rowOf: (row: CubeRow) => row }, ...open].flatMap((one) =>
    grains.map((ranges) => ({ ...one, ...ranges })),
  );
  for (const { part, rowOf, grain, ranges } of steps) {
    for await (const rows of engine.ask({ ...part, grain, ranges })) {
      for (const row of rows) addRow(rowOf(row), columns.length, counters.length, adding);
      if (adding.sums.size > rowsMax) throw invalid([tooMany()]);
    }
  }
  if (open.length > 0) dropEmpty(adding, columns.indexOf(openColumnOf(ownMember<Cube>(cubes, cube))));
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

/** With rows of zeros for empty intervals if only time groups. */
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

/** Null for a measure of several currencies. */
function totalOf(question: ReportQuestion, total: NonNullable<ReportAnswer['total']>): typeof total {
  const mixed = Object.fromEntries(
    question.measures.flatMap((name) => (isMixed(question, name) ? [[name, null]] : [])),
  );
  const { figures, before } = total;
  return { figures: { ...figures, ...mixed }, ...(before && { before: { ...before, ...mixed } }) };
}

/** In the question's order, with the sums of all rows. */
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
    // Without a matching interval it counts in the total only.
    if (!bucket) continue;
    const { start, isPartial } = bucket;
    const ofTime = hasTime ? { time: start, ...(isPartial && { isPartial }) } : { time: undefined };
    await order.add({ ...ofTime, values: splitValues(sum.values, shown), ...both(sum) }, sum.interval);
  }
  const rows = await order.rows();
  return {
    rows: rows.slice(0, question.limit ?? rowsMax),
    total: question.hasTotal ? totalOf(question, both(total)) : undefined,
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
    const shareOf = (bucket: number) => beside.shares.get(bucket) ?? 1;
    await addPeriod(engine, question, beside.plan, { sums, side: 'before', placeOf, shareOf, weigh });
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

/** If an engine of single events is behind for longer, the store is asked first. */
const behindMs = 60_000;

/**
 * Refuses with `invalid` if it is unanswerable or too long. Compared intervals match in order. An engine of single
 * events answers what it has, the store the rest, and all it can while the engine is away or behind.
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
      // A cube's lack is no answer while the other engine is merely away.
      throw isOf(error, 'unavailable') && isOf(refusal, 'invalid') && wouldBeKept(question, now)
        ? error
        : refusal;
    });
  }
}

/** If the engine had always been there. */
const wouldBeKept = (question: ReportQuestion, now: RetentionState) =>
  planFacts(question, bucketsIn(question), { ...now, starts: factStarts(0) }) !== undefined;

/** Refuses with `invalid` what can never be answered. What an engine of single events will have counts as kept. */
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
