import {
  type DeliveryPlan,
  deliveryPlan,
  type PlannedTime,
  type PlanSettings,
} from '../shared/delivery-plan.ts';
import type { ZoneClock } from '../shared/zone-clock.ts';
import { hourMs } from './days.ts';
import { type BudgetPart, type BudgetUse, courseOf, daysOf, type PlannedBudget } from './pace.ts';

export type PaceUnit = 'impressions' | 'nanos';
export type PaceStep = 'Hour' | 'Day';
/** How a limit is spread over its time: not at all, evenly by the clock, with the traffic, or ahead of it. */
export type Spread = 'none' | 'clock' | 'traffic' | 'ahead';

/** Sums since the start of the budget. */
export interface PacePoint {
  readonly timeMs: number;
  /** What is due; undefined: it is not spread. */
  readonly planned: number | undefined;
  /** Undefined: not yet, or no longer known. */
  readonly delivered: number | undefined;
  /** Undefined before the last point with `delivered`. */
  readonly forecast: number | undefined;
}

export interface PaceLine {
  readonly spread: Spread;
  readonly due: number | undefined;
  /** In percent of what is due; undefined before the time begins. */
  readonly pace: number | undefined;
  /** At the end. */
  readonly forecast: number | undefined;
  readonly ends: string | null;
  readonly points: readonly PacePoint[];
}

export interface PaceLineOf {
  readonly budget: PlannedBudget;
  readonly unit: PaceUnit;
  readonly use: BudgetUse;
  readonly times: readonly number[];
  readonly dueAt: (timeMs: number) => number | undefined;
  readonly spread: Spread;
  /** From a full hour until now; undefined: no longer known. */
  readonly usedSince: (timeMs: number) => number | undefined;
}

const hoursPerDay = 24;
/** Longer times are shown by the day. */
const hourDaysMax = 14;
/** Longer times are shown by so many days that there are no more points. */
const daysMax = 366;

const spans = ({ startMs, endMs }: PlannedTime) => (endMs + 1 - startMs) / (hoursPerDay * hourMs);
export const stepOf = (time: PlannedTime): PaceStep =>
  spans(time) <= hourDaysMax + 1 / hoursPerDay ? 'Hour' : 'Day';

/** From the first moment to the last: full hours between, or starts of days by the clock, of which each first hour is full. */
export function pointTimes(time: PlannedTime, { dayAt }: Pick<ZoneClock, 'dayAt'>): readonly number[] {
  const { startMs, endMs } = time;
  const every = Math.ceil(spans(time) / daysMax);
  const next = (timeMs: number) => {
    if (stepOf(time) === 'Hour') return (Math.floor(timeMs / hourMs) + 1) * hourMs;
    let after = timeMs;
    for (let days = 0; days < every; days += 1) after = dayAt(after).endMs;
    return Math.ceil(after / hourMs) * hourMs;
  };
  const times = [startMs];
  for (let at = next(startMs); at < endMs; at = next(at)) times.push(at);
  return [...times, endMs + 1];
}

const spreads: readonly Spread[] = ['none', 'traffic', 'ahead'];

type DueOf = (
  plan: DeliveryPlan,
  budget: PlannedBudget,
  unit: PaceUnit,
  timeMs: number,
) => number | undefined;
const dueOf: Readonly<Record<BudgetPart, DueOf>> = {
  day: (plan, budget, unit, timeMs) => plan.ofDay(budget[unit], timeMs),
  flight(plan, _, unit, timeMs) {
    const line = plan.inFlight(unit, timeMs);
    return line && line.line - line.before;
  },
  total: (plan, budget, unit, timeMs) => plan.inAll(budget[unit], timeMs),
};

/** By the plan that auctions follow; impressions of a day are spread in any case. */
export function spreadOf(
  values: Readonly<Record<string, unknown>>,
  { budget, unit, use: { shape } }: Pick<PaceLineOf, 'budget' | 'unit' | 'use'>,
): Pick<PaceLineOf, 'dueAt' | 'spread'> {
  const { part, pacing, endMs } = budget;
  const settings = values as PlanSettings;
  const days = daysOf(values);
  const isByClock = part === 'day' && unit === 'impressions' && pacing === 0;
  const plan = isByClock
    ? deliveryPlan({ ...settings, Pacing: 1 }, {}, days)
    : deliveryPlan(settings, { shape }, days);
  const spread = isByClock ? 'clock' : (spreads[pacing] ?? 'none');
  return {
    spread,
    dueAt: (timeMs) =>
      plan && spread !== 'none' ? dueOf[part](plan, budget, unit, Math.min(timeMs, endMs)) : undefined,
  };
}

export function paceLine({ budget, unit, use, times, dueAt, spread, usedSince }: PaceLineOf): PaceLine {
  const { nowMs } = use;
  const [used, limit] = [use[unit], budget[unit]];
  const course = courseOf(budget, use);
  const lastMs = times.findLast((timeMs) => timeMs <= nowMs) ?? Number.POSITIVE_INFINITY;
  const deliveredAt = (timeMs: number) => {
    if (timeMs > nowMs) return undefined;
    if (timeMs === budget.startMs) return 0;
    if (timeMs > budget.endMs) return used;
    const since = usedSince(timeMs);
    return since === undefined ? undefined : Math.max(0, used - since);
  };
  const expectedAt = (timeMs: number) => {
    if (timeMs < lastMs) return undefined;
    return timeMs === lastMs ? deliveredAt(timeMs) : course?.expected(used, timeMs);
  };
  return {
    spread,
    due: nowMs < budget.startMs ? undefined : dueAt(nowMs),
    pace: course?.pace(used / limit),
    forecast: course?.expected(used, budget.endMs),
    ends: course?.ends ?? null,
    points: times.map((timeMs) => ({
      timeMs,
      planned: dueAt(timeMs),
      delivered: deliveredAt(timeMs),
      forecast: expectedAt(timeMs),
    })),
  };
}
