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
import { formerZonesIn, limitDays } from '../shared/limit-days.ts';
import { zoneClock } from '../shared/zone-clock.ts';

/** A time and its limits, by which delivery is measured; 0 = unlimited. */
export interface PlannedBudget extends PlannedTime {
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

/** The present flight, the time from first to last day if that has limits, or the day; undefined: nothing is planned. */
export function plannedBudget(
  key: string,
  values: Readonly<Record<string, unknown>>,
  nowMs: number,
): PlannedBudget | undefined {
  const settings = values as PlanSettings;
  const pacing = pacingOf(settings);
  const flights = flightsOf(settings);
  if (flights.length > 0) {
    const flight = flights.find(({ startMs, endMs }) => nowMs >= startMs && nowMs <= endMs);
    if (!flight || flight.impressions + flight.nanos > 0) return flight && { ...flight, pacing };
  }
  if (pacing === 0 || !isLimited(key) || isSupply(key)) return undefined;
  const { amountDaily, amountTotal, impressionsTotal } = roleOf(key);
  const limit = (name: string | undefined) => Number(ownMember(values, name ?? '') ?? 0);
  const days = limitDays(settings.TimeZone ?? '', formerZonesIn(values)) ?? zoneClock('');
  const inAll = {
    impressions: limit(impressionsTotal),
    // A deal's price in total is agreed, and not spread.
    nanos: isDeal(key) ? 0 : nanosPerUsd * limit(amountTotal),
    time: plannedTime(settings),
  };
  const ofDay = {
    impressions: limit('ImpressionsDailyLimit'),
    nanos: nanosPerUsd * limit(amountDaily),
    time: settings.Pacing ? dayAt(nowMs, days) : undefined,
  };
  const planned = [inAll, ofDay].find(({ time, impressions, nanos }) => time && impressions + nanos > 0);
  if (!planned?.time) return undefined;
  const { time, impressions, nanos } = planned;
  return { ...time, impressions, nanos, pacing };
}

const oneDecimal = (value: number) => Math.round(10 * value) / 10;

export function paceOf(budget: PlannedBudget, { impressions, nanos, shape, nowMs }: BudgetUse): Pace {
  const passed = passedPart(budget, shape)(nowMs);
  if (passed === 0) return noPace;
  const used = [budget.impressions && impressions / budget.impressions, budget.nanos && nanos / budget.nanos];
  const part = Math.max(0, ...used);
  const whole = part === 0 ? Number.POSITIVE_INFINITY : passed / part;
  return {
    Pace: oneDecimal((100 * part) / partDue(passed, budget.pacing)),
    ForecastUnits: Math.round(impressions / Math.max(passed, part)),
    ForecastEnd: whole > 1 ? null : new Date(timeOfPart(budget, whole, shape)).toISOString(),
  };
}
