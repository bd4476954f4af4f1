import { type Fault, invalid } from '../../fields/fault.ts';
import { adCounters, type CounterName, countersIn, ownCounters } from '../../reference/counters.ts';
import { type Cube, type CubeName, cubeRows, type Grain, grains, type Kept } from '../../reference/cubes.ts';
import { dayOf } from '../days.ts';
import type { KeptDays } from '../forgetting.ts';
import { measures } from '../measures.ts';
import { type Dimension, type DimensionName, dimensionRows, dimensions, isTimeUnit } from './dimensions.ts';
import type { ReportQuestion } from './question.ts';
import type { Bucket } from './zones.ts';
import { shownIn } from './zones.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** What is kept now. */
export interface KeptNow {
  readonly nowMs: number;
  readonly keptDays: KeptDays;
  /** See `StatisticsStore.cubeStarts`. */
  readonly starts: ReadonlyMap<string, number>;
}

/** Ranges of one step of time of the cube that answers. */
export interface PlannedRanges {
  readonly grain: Grain;
  readonly ranges: { readonly bucket: number; readonly from: number; readonly until: number }[];
}

/** How a question is answered. */
export interface ReportPlan {
  readonly cube: CubeName;
  readonly grains: readonly PlannedRanges[];
}

/** The columns of a cube. */
function columnsOf({ objects, attributes }: Cube): Set<string> {
  const sides = {
    supply: ['publisher_id', 'supply_kind', 'supply_id'],
    demand: ['advertiser_id', 'demand_kind', 'demand_id'],
  };
  const named = attributes.map((name) => dimensionColumn(name));
  return new Set([...objects.flatMap((side) => sides[side]), ...named]);
}

/** Column of an attribute, as its dimension says it. */
function dimensionColumn(attribute: string): string {
  return attribute.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function countersOf(name: CubeName, cube: Cube): ReadonlySet<CounterName> {
  if (name === 'pair') return new Set(countersIn('pair'));
  if (cube.isOfAds) return new Set(adCounters);
  const all = countersIn('traffic');
  return new Set(
    cube.objects.includes('supply') ? all : all.filter((counter) => !ownCounters.includes(counter)),
  );
}

const capabilities = cubeRows.map(([name, cube]) => ({
  ...{ name, cube, columns: columnsOf(cube), counters: countersOf(name, cube) },
}));
type Capability = (typeof capabilities)[number];

/** The dimensions that a question uses. */
function usedDimensions({ groups, filters }: ReportQuestion): DimensionName[] {
  const grouped = groups.filter((name) => !isTimeUnit(name));
  return [...new Set([...grouped, ...filters.map(({ field }) => field)])] as DimensionName[];
}

/** The counters that a question's measures are made of. */
export function countersFor({ measures: asked }: ReportQuestion): CounterName[] {
  return [...new Set(asked.flatMap((name): readonly CounterName[] => measures[name].from))];
}

const holds = ({ columns }: Capability, name: DimensionName) =>
  (dimensions[name] as Dimension).columns.every((column) => columns.has(column));

const namesOf = (names: readonly string[]) => names.join(', ');

/** The fault of a question whose dimensions, or measures, no cube has together: it says which ones do. */
function combinationFault(question: ReportQuestion, used: readonly DimensionName[]): Fault {
  const fitting = capabilities.filter((one) => used.every((name) => holds(one, name)));
  if (fitting.length > 0) {
    const answered = new Set(fitting.flatMap(({ counters }) => [...counters]));
    const missing = question.measures.filter(
      (name) => !measures[name].from.every((counter) => answered.has(counter)),
    );
    const Message = `${namesOf(missing)} cannot be asked by ${namesOf(used)}; leave out the ones or the others`;
    return { Path: 'Measures', Code: 'out_of_range', Message };
  }
  const shared = Math.max(...capabilities.map((one) => used.filter((name) => holds(one, name)).length));
  const nearest = capabilities.filter((one) => used.filter((name) => holds(one, name)).length === shared);
  const possible = nearest.map((one) =>
    namesOf(dimensionRows.map(([name]) => name).filter((name) => holds(one, name))),
  );
  return {
    Path: 'GroupBy',
    Code: 'out_of_range',
    Message: `${namesOf(used)} are not counted together; what can be asked together, with filters: ${possible.join('; or ')}`,
  };
}

/** The first step from which on rows are there. */
function firstSlot(grain: Grain, kept: Kept, start: number, { nowMs, keptDays }: KeptNow): number {
  const stepMs = grains[grain] * minuteMs;
  const keptFrom = kept === 'always' ? 0 : ((dayOf(nowMs) - keptDays[kept]) * dayMs) / stepMs;
  return Math.max(start, Math.ceil(keptFrom));
}

/** The steps of a cube, the longest first, with the first time that each has. */
function stepsOf({ name, cube }: Capability, now: KeptNow) {
  const order: readonly Grain[] = ['day', 'hour', 'quarter'];
  return order.flatMap((grain) => {
    const kept = cube.grains[grain];
    if (!kept) return [];
    const stepMs = grains[grain] * minuteMs;
    const first = firstSlot(grain, kept, now.starts.get(`${name} ${grain}`) ?? 0, now);
    return [{ grain, stepMs, first }];
  });
}
type Step = ReturnType<typeof stepsOf>[number];

/** What a cube lacks for a question. */
type Lack =
  | { readonly kind: 'step'; readonly steps: readonly Step[] }
  | { readonly kind: 'time'; readonly step: Step };

/** Cuts a period into steps of the cube: the longest that fit, shorter ones before and behind. */
function cut(
  fromMs: number,
  untilMs: number,
  steps: readonly Step[],
  add: (grain: Grain, from: number, until: number) => void,
): Lack | undefined {
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

/** The plan of a question for one cube, or what it lacks. */
function planOn(capability: Capability, buckets: readonly Bucket[], now: KeptNow): ReportPlan | Lack {
  const steps = stepsOf(capability, now);
  const planned = new Map<Grain, PlannedRanges>(steps.map(({ grain }) => [grain, { grain, ranges: [] }]));
  for (const [bucket, { fromMs, untilMs }] of buckets.entries()) {
    const lack = cut(fromMs, untilMs, steps, (grain, from, until) => {
      planned.get(grain)?.ranges.push({ bucket, from, until });
    });
    if (lack) return lack.kind === 'step' ? { kind: 'step', steps } : lack;
  }
  return { cube: capability.name, grains: [...planned.values()].filter(({ ranges }) => ranges.length > 0) };
}

const stepNames: Readonly<Record<Grain, string>> = { quarter: 'quarter hours', hour: 'hours', day: 'days' };

/** The fault of a question for a time, or steps of time, that are not kept: it says which are. */
function timeFault(lacks: readonly Lack[], { zone }: ReportQuestion): Fault {
  const inTime = lacks.filter((lack) => lack.kind === 'time');
  const [last] = inTime.toSorted(
    (one, other) => one.step.first * one.step.stepMs - other.step.first * other.step.stepMs,
  );
  if (last) {
    const { grain, first, stepMs } = last.step;
    const since = shownIn(first * stepMs, 'UTC').replace('+00:00', 'Z');
    const coarser =
      grain === 'day' ? '' : ', or ask for longer steps of time that begin at whole days of UTC';
    const Message = `asks for ${stepNames[grain]} of UTC, which are kept for this since ${since}; begin there or later${coarser}`;
    return { Path: 'From', Code: 'out_of_range', Message };
  }
  const [lack] = lacks;
  const kept = lack?.kind === 'step' ? lack.steps.map(({ grain }) => stepNames[grain]) : [];
  const Message = `is kept by ${kept.join(' and ')} of UTC only; ask for whole ones with the TimeZone UTC`;
  return { Path: zone === 'UTC' ? 'GroupBy' : 'TimeZone', Code: 'out_of_range', Message };
}

/** Finds the first cube that answers a question. Refuses with `invalid`, and says what could be asked. */
export function planReport(question: ReportQuestion, buckets: readonly Bucket[], now: KeptNow): ReportPlan {
  const used = usedDimensions(question);
  const counters = countersFor(question);
  const fitting = capabilities.filter(
    (one) => used.every((name) => holds(one, name)) && counters.every((name) => one.counters.has(name)),
  );
  if (fitting.length === 0) throw invalid([combinationFault(question, used)]);
  const lacks: Lack[] = [];
  for (const capability of fitting) {
    const planned = planOn(capability, buckets, now);
    if ('cube' in planned) return planned;
    lacks.push(planned);
  }
  throw invalid([timeFault(lacks, question)]);
}
