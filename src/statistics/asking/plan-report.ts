import type { Remedy } from '../../answers/failure.ts';
import { type Fault, invalid } from '../../fields/fault.ts';
import { columnName } from '../../reference/column-name.ts';
import {
  adCounters,
  type CounterName,
  countersIn,
  countersMadeBy,
  ownCounters,
} from '../../reference/counters.ts';
import {
  type Cube,
  type CubeName,
  cubeRows,
  type Grain,
  grains,
  type Retention,
} from '../../reference/cubes.ts';
import {
  type Dimension,
  type DimensionName,
  dimensionRows,
  dimensions,
  isTimeUnit,
} from '../../reference/dimensions.ts';
import { type FactCubeName, factCubes } from '../../reference/fact-cubes.ts';
import { type Measure, type MeasureName, measureRows, measures } from '../../reference/measures.ts';
import { isSeenBy } from '../../reference/partner-kinds.ts';
import { type RetentionDays, retainedFrom } from '../forgetting.ts';
import type { ReportQuestion } from './question.ts';
import type { Interval } from './zones.ts';
import { textInZone } from './zones.ts';

const minuteMs = 60_000;

export interface RetentionState {
  readonly nowMs: number;
  readonly keptDays: RetentionDays;
  /** See `StatisticsStore.cubeStarts`. */
  readonly starts: ReadonlyMap<string, number>;
}

/** Takes incomplete first data as they are: alerts and the overview work from the first day on. */
export const fromTheStart = (known: RetentionState): RetentionState => ({
  ...known,
  starts: new Map([...known.starts].map(([name]) => [name, 0])),
});

/** Of one grain of the cube that answers. */
export interface PlannedRanges {
  readonly grain: Grain;
  readonly ranges: { readonly bucket: number; readonly from: number; readonly until: number }[];
}

export interface ReportPlan {
  readonly cube: CubeName | FactCubeName;
  readonly grains: readonly PlannedRanges[];
}

function columnsOf({ objects, attributes }: Pick<Cube, 'objects' | 'attributes'>): Set<string> {
  const sides = {
    supply: ['publisher_id', 'supply_kind', 'supply_id'],
    demand: ['advertiser_id', 'demand_kind', 'demand_id'],
  };
  const named = attributes.map((name) => columnName(name));
  return new Set([...objects.flatMap((side) => sides[side]), ...named]);
}

function countersOf(cube: Cube): ReadonlySet<CounterName> {
  if (cube.isOfAds) return new Set(adCounters);
  const table = cube.counts ?? 'traffic';
  const all: readonly CounterName[] = [...countersIn(table), ...countersMadeBy(table)];
  const isOfDemand = cube.objects.includes('demand') && !cube.objects.includes('supply');
  return new Set(isOfDemand ? all.filter((counter) => !ownCounters.includes(counter)) : all);
}

interface Capability {
  readonly name: CubeName | FactCubeName;
  readonly cube: Pick<Cube, 'grains'>;
  readonly columns: ReadonlySet<string>;
  readonly counters: ReadonlySet<CounterName>;
}

const capabilities: readonly Capability[] = cubeRows.map(([name, cube]) => ({
  name,
  cube,
  columns: columnsOf(cube),
  counters: countersOf(cube),
}));

/** Of cubes of one side, whose rows are that side's own. */
const ofObjects: readonly Capability[] = cubeRows.flatMap(([name, cube]) =>
  cube.objects.length === 1 && !cube.isOfAds
    ? [{ name, cube, columns: columnsOf(cube), counters: new Set(countersIn(cube.counts ?? 'traffic')) }]
    : [],
);

/** Of an engine with single events. */
const ofFacts: readonly Capability[] = Object.entries(factCubes).map(([name, cube]) => ({
  name: name as FactCubeName,
  cube,
  columns: columnsOf(cube),
  counters: new Set(cube.counters),
}));

function usedDimensions({ groups, filters }: ReportQuestion): DimensionName[] {
  const grouped = groups.filter((name) => !isTimeUnit(name));
  return [...new Set([...grouped, ...filters.map(({ field }) => field)])] as DimensionName[];
}

export function countersFor({ measures: asked }: ReportQuestion): CounterName[] {
  return [...new Set(asked.flatMap((name): readonly CounterName[] => measures[name].from))];
}

const holds = ({ columns }: Capability, name: DimensionName) =>
  (dimensions[name] as Dimension).columns.every((column) => columns.has(column));

const isCounted = (name: MeasureName, { counters }: Capability) =>
  measures[name].from.every((counter) => counters.has(counter));

/** Whether a sum of all rows adds amounts that are not alike (`Measure.by`). */
export function isMixed({ filters }: ReportQuestion, name: MeasureName): boolean {
  const { by }: Measure = measures[name];
  const isOne = filters.some(({ field, isNot, values }) => field === by && !isNot && values.length === 1);
  return by !== undefined && !isOne;
}

function assertAlike(question: ReportQuestion): void {
  const { groups } = question;
  const faults = question.measures.flatMap((name): Fault[] => {
    const { by }: Measure = measures[name];
    if (by === undefined || groups.includes(by) || !isMixed(question, name)) return [];
    const Message = `${name} has amounts of each ${by}, which cannot be added; group by ${by}, or filter by one`;
    const Remedies: Remedy[] = [{ GroupBy: [...groups, by] }, { LeaveOut: [name] }];
    return [{ Path: 'Measures', Code: 'out_of_range', Message, Remedies }];
  });
  if (faults.length > 0) throw invalid(faults);
}

const namesOf = (names: readonly string[]) => names.join(', ');

/** From when on there are rows. */
function firstSlot(
  grain: Grain,
  retention: Retention,
  start: number,
  { nowMs, keptDays }: RetentionState,
): number {
  const stepMs = grains[grain] * minuteMs;
  return Math.max(start, Math.ceil(retainedFrom(retention, nowMs, keptDays) / stepMs));
}

/** The longest first, with their first times. */
function stepsOf({ name, cube }: Capability, now: RetentionState) {
  const order: readonly Grain[] = ['day', 'hour', 'quarter', 'minute'];
  return order.flatMap((grain) => {
    const retention = cube.grains[grain];
    if (!retention) return [];
    const stepMs = grains[grain] * minuteMs;
    const first = firstSlot(grain, retention, now.starts.get(`${name} ${grain}`) ?? 0, now);
    return [{ grain, stepMs, first }];
  });
}
type Step = ReturnType<typeof stepsOf>[number];

type Shortfall =
  | { readonly kind: 'step'; readonly steps: readonly Step[] }
  | { readonly kind: 'time'; readonly step: Step };

/** By the longest grains that fit, shorter ones before and behind. */
function cut(
  fromMs: number,
  untilMs: number,
  steps: readonly Step[],
  add: (grain: Grain, from: number, until: number) => void,
): Shortfall | undefined {
  if (fromMs >= untilMs) return undefined;
  const [step, ...finer] = steps;
  if (!step) return { kind: 'step', steps };
  const { stepMs, grain, first } = step;
  const [from, until] = [Math.ceil(fromMs / stepMs), Math.floor(untilMs / stepMs)];
  if (from >= until) return cut(fromMs, untilMs, finer, add);
  if (from < first) return { kind: 'time', step };
  add(grain, from, until);
  return cut(fromMs, from * stepMs, finer, add) ?? cut(until * stepMs, untilMs, finer, add);
}

/** The plan, or what the cube lacks. */
function planOn(
  capability: Capability,
  intervals: readonly Interval[],
  now: RetentionState,
): ReportPlan | Shortfall {
  const steps = stepsOf(capability, now);
  const planned = new Map<Grain, PlannedRanges>(steps.map(({ grain }) => [grain, { grain, ranges: [] }]));
  for (const [bucket, { fromMs, untilMs }] of intervals.entries()) {
    const lack = cut(fromMs, untilMs, steps, (grain, from, until) => {
      planned.get(grain)?.ranges.push({ bucket, from, until });
    });
    if (lack) return lack.kind === 'step' ? { kind: 'step', steps } : lack;
  }
  return { cube: capability.name, grains: [...planned.values()].filter(({ ranges }) => ranges.length > 0) };
}

/** Dimensions, figures and intervals with the start of the first whole one. */
export interface Answerable {
  readonly dimensions: readonly DimensionName[];
  readonly measures: readonly MeasureName[];
  readonly steps: readonly { readonly grain: Grain; readonly sinceMs: number }[];
}

/** `factsFromMs`: since when an engine has single events; absent without one. */
export function answerableFrom(now: RetentionState, factsFromMs?: number): readonly Answerable[] {
  const answerable = (one: Capability, since: RetentionState): Answerable => ({
    dimensions: dimensionRows.flatMap(([name]) => (holds(one, name) ? [name] : [])),
    measures: measureRows.flatMap(([name]) => (isCounted(name, one) ? [name] : [])),
    steps: stepsOf(one, since).map(({ grain, first, stepMs }) => ({ grain, sinceMs: first * stepMs })),
  });
  const facts =
    factsFromMs === undefined
      ? []
      : ofFacts.map((one) => answerable(one, { ...now, starts: factStarts(factsFromMs) }));
  return [...facts, ...capabilities.map((one) => answerable(one, now))];
}

const everlasting: RetentionState = {
  nowMs: 0,
  keptDays: { finest: 0, trafficHours: 0, hours: 0, traffic: 0 },
  starts: new Map(),
};

/** As long as it is kept. */
export const answerable: readonly Answerable[] = answerableFrom(everlasting);

/** Dimensions and counters together, by intervals. */
interface CubeRequest {
  /** Cubes that may answer: for partners, those that tell accounts apart. */
  readonly among: readonly Capability[];
  readonly used: readonly DimensionName[];
  readonly counters: readonly CounterName[];
  readonly intervals: readonly Interval[];
  readonly now: RetentionState;
}

/** Of the first cube that can answer, or what each lacks. */
function firstPlan({
  among,
  used,
  counters,
  intervals,
  now,
}: CubeRequest): ReportPlan | readonly Shortfall[] {
  const lacks: Shortfall[] = [];
  for (const capability of among) {
    const { counters: known } = capability;
    if (!used.every((name) => holds(capability, name)) || !counters.every((name) => known.has(name)))
      continue;
    const planned = planOn(capability, intervals, now);
    if ('cube' in planned) return planned;
    lacks.push(planned);
  }
  return lacks;
}

const isPlan = (found: ReportPlan | readonly Shortfall[]): found is ReportPlan => 'cube' in found;
const examples = 3;

/** By the same dimensions. */
function otherFigures(
  { measures: wanted, owner }: ReportQuestion,
  { among, used, intervals, now }: CubeRequest,
): Remedy[] {
  const able = among
    .filter((one) => used.every((name) => holds(one, name)) && 'cube' in planOn(one, intervals, now))
    .map((one) => ({ one, missing: wanted.filter((name) => !isCounted(name, one)) }))
    .toSorted((a, b) => a.missing.length - b.missing.length);
  const [best] = able;
  if (!best) return [];
  const others = measureRows.flatMap(([name, measure]) =>
    isSeenBy(measure, owner) &&
    measure.by === undefined &&
    isCounted(name, best.one) &&
    !wanted.includes(name)
      ? [name]
      : [],
  );
  return [{ LeaveOut: best.missing, ...(others.length > 0 && { AskFor: others.slice(0, examples) }) }];
}

/** Other figures, or all figures by fewer dimensions. */
function waysOut(question: ReportQuestion, asked: CubeRequest): Remedy[] {
  const fewer = asked.used.filter((name) =>
    isPlan(firstPlan({ ...asked, used: asked.used.filter((one) => one !== name) })),
  );
  return [...otherFigures(question, asked), ...fewer.map((name) => ({ LeaveOut: [name] }))];
}

function wordsOf({ LeaveOut = [], AskFor = [] }: Remedy): string {
  const instead = AskFor.length > 0 ? ` and use ${namesOf(AskFor)} or others instead` : '';
  return `leave out ${namesOf(LeaveOut)}${instead}`;
}

/** As far as it is not. */
function inDaysOfUtc({ groups, zone }: ReportQuestion): Remedy[] {
  const GroupBy = groups.map((name) => (name === 'Hour' || name === 'QuarterHour' ? 'Day' : name));
  const isOther = GroupBy.some((name, index) => name !== groups[index]);
  const remedy: Remedy = { ...(isOther && { GroupBy }), ...(zone !== 'UTC' && { TimeZone: 'UTC' }) };
  return Object.keys(remedy).length > 0 ? [remedy] : [];
}

/** No cube has these dimensions together; says which are. */
function combinationFault({ among, used }: CubeRequest, { owner }: ReportQuestion): Fault {
  const sharedBy = (one: Capability) => used.filter((name) => holds(one, name)).length;
  const most = Math.max(...among.map(sharedBy));
  const together = among
    .filter((one) => sharedBy(one) === most)
    .map((one) =>
      dimensionRows.flatMap(([name, row]) => (isSeenBy(row, owner) && holds(one, name) ? [name] : [])),
    );
  const possible = together
    .filter((names) => !together.some((more) => more !== names && names.every((name) => more.includes(name))))
    .map(namesOf);
  const Remedies = used.flatMap((name): Remedy[] => {
    const others = used.filter((one) => one !== name);
    return among.some((one) => others.every((other) => holds(one, other))) ? [{ LeaveOut: [name] }] : [];
  });
  const Message = `${namesOf(used)} are not counted together; possible combinations, including filters: ${possible.join('; or ')}`;
  return { Path: 'GroupBy', Code: 'out_of_range', Message, Remedies };
}

function figuresFault(question: ReportQuestion, asked: CubeRequest): Fault {
  const able = asked.among.filter((one) => asked.used.every((name) => holds(one, name)));
  const missing = question.measures.filter((name) => !able.some((one) => isCounted(name, one)));
  const figures = namesOf(missing.length > 0 ? missing : question.measures);
  // If each can be asked alone, only the combination is the fault.
  const together = missing.length > 0 ? '' : ' together';
  const by = asked.used.length > 0 ? ` by ${namesOf(asked.used)}` : '';
  const Remedies = waysOut(question, asked);
  const ways = Remedies.map(wordsOf).join('; or ');
  const Message = `${figures} cannot be shown${together}${by}; ${ways || 'ask for less'}`;
  return { Path: 'Measures', Code: 'out_of_range', Message, Remedies };
}

const stepNames: Readonly<Record<Grain, string>> = {
  minute: 'minutes',
  quarter: 'quarter hours',
  hour: 'hours',
  day: 'days',
};

/** Times or intervals that are not kept; says which are. */
function timeFault(lacks: readonly Shortfall[], question: ReportQuestion, asked: CubeRequest): Fault {
  const inTime = lacks.filter((lack) => lack.kind === 'time');
  const [last] = inTime.toSorted(
    (one, other) => one.step.first * one.step.stepMs - other.step.first * other.step.stepMs,
  );
  const ways = waysOut(question, asked);
  const instead = ways.map((way) => `; or ${wordsOf(way)}`).join('');
  if (last) {
    const { grain, first, stepMs } = last.step;
    const since = textInZone(first * stepMs, 'UTC').replace('+00:00', 'Z');
    const coarser = grain === 'day' ? '' : ', or use longer intervals that begin at whole days (UTC)';
    const Message = `asks for ${stepNames[grain]} (UTC), which are kept for this since ${since}; start there or later${coarser}${instead}`;
    const longer = coarser === '' ? [] : inDaysOfUtc(question);
    return { Path: 'From', Code: 'out_of_range', Message, Remedies: [...longer, { From: since }, ...ways] };
  }
  const [lack] = lacks;
  const kept = lack?.kind === 'step' ? lack.steps.map(({ grain }) => stepNames[grain]) : [];
  const isUtc = question.zone === 'UTC';
  const ask = isUtc ? 'whole ones, or use longer intervals' : 'whole ones with the TimeZone UTC';
  const Message = `asks for what is kept only by ${kept.join(' and ')} (UTC); ask for ${ask}${instead}`;
  const Remedies = [...(isUtc ? inDaysOfUtc(question) : [{ TimeZone: 'UTC' }]), ...ways];
  return { Path: isUtc ? 'GroupBy' : 'TimeZone', Code: 'out_of_range', Message, Remedies };
}

/** Whole intervals of such an engine, like `RetentionState.starts`. */
export const factStarts = (fromMs: number): ReadonlyMap<string, number> =>
  new Map(
    ofFacts.flatMap(({ name, cube }) =>
      (Object.keys(cube.grains) as Grain[]).map((grain) => [
        `${name} ${grain}`,
        Math.ceil(fromMs / (grains[grain] * minuteMs)),
      ]),
    ),
  );

/** Undefined if it cannot. */
export function planFacts(
  question: ReportQuestion,
  intervals: readonly Interval[],
  now: RetentionState,
): ReportPlan | undefined {
  const asked = { used: usedDimensions(question), counters: countersFor(question), intervals, now };
  const found = firstPlan({ among: ofFacts, ...asked });
  return isPlan(found) ? found : undefined;
}

export function planReport(
  question: ReportQuestion,
  intervals: readonly Interval[],
  now: RetentionState,
): ReportPlan {
  assertAlike(question);
  const { owner, isOfObjects } = question;
  const known = isOfObjects ? ofObjects : capabilities;
  const among = known.filter((one) => !owner || holds(one, owner.kind));
  const asked = { among, used: usedDimensions(question), counters: countersFor(question), intervals, now };
  const found = firstPlan(asked);
  if (isPlan(found)) return found;
  if (found.length > 0) throw invalid([timeFault(found, question, asked)]);
  const isTogether = among.some((one) => asked.used.every((name) => holds(one, name)));
  throw invalid([isTogether ? figuresFault(question, asked) : combinationFault(asked, question)]);
}
