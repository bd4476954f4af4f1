import { isDeal, isSupply, type LimitedKind, limitedKindNames, roleOf } from '../entities/kinds.ts';
import { ownMember } from '../reference/own-member.ts';
import {
  dayAt,
  flightsOf,
  type PlannedTime,
  type PlanSettings,
  pacingOf,
  partDue,
  passedPart,
  plannedTime,
  timeOfPart,
  type WeekShape,
} from '../shared/delivery-plan.ts';
import { formerZonesIn, type LimitDays, limitDays } from '../shared/limit-days.ts';
import { zoneClock } from '../shared/zone-clock.ts';

export type BudgetPart = 'day' | 'flight' | 'total';

/** A time and its limits, by which delivery is measured; 0 = unlimited. */
export interface PlannedBudget extends PlannedTime {
  readonly part: BudgetPart;
  readonly impressions: number;
  readonly nanos: number;
  readonly pacing: number;
}

/** Of an object in its planned time until now. */
export interface BudgetUse {
  readonly impressions: number;
  readonly nanos: number;
  readonly shape: WeekShape | undefined;
  readonly nowMs: number;
}

/** By names on the wire; null where nothing is planned, or not yet due. */
export interface Pace {
  /** What was used in percent of what is due; 100 = on plan. */
  readonly Pace: number | null;
  /** Impressions at the end of the planned time, if it goes on so. */
  readonly ForecastUnits: number | null;
  /** When the budget is used up, if it goes on so; null: not in the planned time. */
  readonly ForecastEnd: string | null;
}

export const noPace: Pace = { Pace: null, ForecastUnits: null, ForecastEnd: null };

const nanosPerUsd = 1e9;
const isLimited = (key: string): key is LimitedKind => limitedKindNames.some((kind) => kind === key);

const isPresent =
  (nowMs: number) =>
  ({ startMs, endMs }: PlannedTime): boolean =>
    nowMs >= startMs && nowMs <= endMs;

/** The days that limits count by. */
export function daysOf(values: Readonly<Record<string, unknown>>): LimitDays | undefined {
  return limitDays(String(values.TimeZone ?? ''), formerZonesIn(values));
}

/** Of the present flight, of the time from first to last day, and of the day: those that have limits. */
export function budgetsOf(
  key: string,
  values: Readonly<Record<string, unknown>>,
  nowMs: number,
): readonly PlannedBudget[] {
  if (!isLimited(key) || isSupply(key)) return [];
  const settings = values as PlanSettings;
  const { amountDaily, amountTotal, impressionsTotal } = roleOf(key);
  const limit = (name: string | undefined) => Number(ownMember(values, name ?? '') ?? 0);
  const pacing = pacingOf(settings);
  const flight = flightsOf(settings).find(isPresent(nowMs));
  const time = plannedTime(settings);
  const budgets: readonly (PlannedBudget | undefined)[] = [
    flight && { part: 'flight', pacing, ...flight },
    time && {
      part: 'total',
      pacing,
      ...time,
      impressions: limit(impressionsTotal),
      // A deal's price in total is agreed, and not spread.
      nanos: isDeal(key) ? 0 : nanosPerUsd * limit(amountTotal),
    },
    {
      part: 'day',
      pacing: settings.Pacing ?? 0,
      ...dayAt(nowMs, daysOf(values) ?? zoneClock('')),
      impressions: limit('ImpressionsDailyLimit'),
      nanos: nanosPerUsd * limit(amountDaily),
    },
  ];
  return budgets.filter(
    (budget) => budget !== undefined && budget.impressions + budget.nanos > 0,
  ) as PlannedBudget[];
}

/** The present flight, the time from first to last day if that has limits, or the day; undefined: nothing is planned. */
export function plannedBudget(
  key: string,
  values: Readonly<Record<string, unknown>>,
  nowMs: number,
): PlannedBudget | undefined {
  const flights = flightsOf(values as PlanSettings);
  if (flights.length > 0 && !flights.some(isPresent(nowMs))) return undefined;
  return budgetsOf(key, values, nowMs).find(({ part, pacing }) => part === 'flight' || pacing > 0);
}

/** How a budget will be used if it goes on as until now; undefined before its time begins. */
export function courseOf(budget: PlannedBudget, { impressions, nanos, shape, nowMs }: BudgetUse) {
  const passed = passedPart(budget, shape);
  const now = passed(nowMs);
  if (now === 0) return undefined;
  const used = [budget.impressions && impressions / budget.impressions, budget.nanos && nanos / budget.nanos];
  const part = Math.max(0, ...used);
  /** The part of the traffic in which the budget is used up. */
  const whole = part === 0 ? Number.POSITIVE_INFINITY : now / part;
  return {
    /** In percent of what is due. */
    pace: (usedPart: number) => oneDecimal((100 * usedPart) / partDue(now, budget.pacing)),
    part,
    /** From now on. */
    expected: (amount: number, timeMs: number) => amount * Math.max(1, Math.min(passed(timeMs), whole) / now),
    ends: whole > 1 ? null : new Date(timeOfPart(budget, whole, shape)).toISOString(),
  };
}

const oneDecimal = (value: number) => Math.round(10 * value) / 10;

export function paceOf(budget: PlannedBudget, use: BudgetUse): Pace {
  const course = courseOf(budget, use);
  if (!course) return noPace;
  return {
    Pace: course.pace(course.part),
    ForecastUnits: Math.round(course.expected(use.impressions, budget.endMs)),
    ForecastEnd: course.ends,
  };
}
