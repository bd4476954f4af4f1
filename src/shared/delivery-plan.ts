import { hoursPerWeek, zoneClock } from './zone-clock.ts';
import { zonedTime } from './zoned-time.ts';

const secondMs = 1000;
const minuteMs = 60_000;
const hourMs = 3_600_000;

/** Traffic by hour of the week, from Thursday 00:00 UTC (as 1970 began); without any, all hours are alike. */
export type WeekShape = readonly number[];

export interface PlannedTime {
  readonly startMs: number;
  /** Its last millisecond. */
  readonly endMs: number;
}

/** What the statistics say of an object. */
export interface KnownTraffic {
  /** Of the week before. */
  readonly shape?: WeekShape | undefined;
}

/** Settings that plan delivery, as entities have them. */
export interface PlanSettings {
  readonly Pacing?: number | undefined;
  readonly Type?: number | undefined;
  readonly Units?: number | undefined;
  readonly StartTime?: string | undefined;
  readonly EndTime?: string | undefined;
  readonly StartDate?: string | undefined;
  readonly EndDate?: string | undefined;
  readonly TimeZone?: string | undefined;
}

/** How an object's limits are spread over time: what of a limit is due at a moment. */
export interface DeliveryPlan {
  /** Of a day's limit; undefined: not spread by traffic. */
  ofDay(limit: number, timeMs: number): number | undefined;
  /** Of a limit of all days. */
  inAll(limit: number, timeMs: number): number;
}

const guaranteed = 4;
export const pacings = { fast: 0, even: 1, ahead: 2 } as const;
/** A plan that is ahead has all of its limit due when so much of the traffic has passed. */
const aheadOf = 0.8;

/** A guaranteed deal is spread, whatever it says. */
export function pacingOf({ Pacing, Type, Units }: PlanSettings): number {
  return Math.max(Pacing || pacings.fast, Type === guaranteed && Units ? pacings.even : pacings.fast);
}

/** From the object's first moment to its last; undefined if one of them is open. */
export function plannedTime(settings: PlanSettings): PlannedTime | undefined {
  const { StartTime, StartDate, EndTime, EndDate, TimeZone } = settings;
  const startMs = zonedTime(StartTime || StartDate || '', TimeZone || 'UTC')?.startMs;
  const endMs = zonedTime(EndTime || EndDate || '', TimeZone || 'UTC')?.endMs;
  return startMs === undefined || endMs === undefined || endMs <= startMs ? undefined : { startMs, endMs };
}

/** The day of a time, of 23 to 25 hours. */
export function dayAt(timeMs: number, zone: string): PlannedTime {
  const { startMs, endMs } = zoneClock(zone).dayAt(timeMs);
  return { startMs, endMs: endMs - 1 };
}

const flat: WeekShape = Array.from({ length: hoursPerWeek }, () => 1);
/** An hour without traffic last week still gets this part of the mean. */
const leastPart = 0.02;

/** Sums up to each hour of the week. */
function cumulated(shape: WeekShape): readonly number[] {
  const mean = shape.reduce((sum, hour) => sum + hour, 0) / hoursPerWeek;
  const used = shape.length === hoursPerWeek && mean > 0 ? shape : flat;
  const least = mean > 0 ? mean * leastPart : 0;
  const sums = [0];
  for (const hour of used) sums.push((sums.at(-1) ?? 0) + Math.max(hour, least));
  return sums;
}

/** Traffic since 1970, in the unit of the shape. */
function trafficBy(sums: readonly number[], timeMs: number): number {
  const hours = timeMs / hourMs;
  const weeks = Math.floor(hours / hoursPerWeek);
  const hour = Math.floor(hours) - weeks * hoursPerWeek;
  const [before = 0, after = 0] = [sums[hour], sums[hour + 1]];
  return weeks * (sums.at(-1) ?? 0) + before + (after - before) * (hours - Math.floor(hours));
}

/** The part of a time's traffic, from 0 to 1, that has passed at a moment. */
export type PassedPart = (timeMs: number) => number;

export function passedPart({ startMs, endMs }: PlannedTime, shape: WeekShape = []): PassedPart {
  const sums = cumulated(shape);
  const start = trafficBy(sums, startMs);
  const whole = trafficBy(sums, endMs) - start;
  return (timeMs) => {
    if (timeMs <= startMs) return 0;
    return timeMs >= endMs ? 1 : (trafficBy(sums, timeMs) - start) / whole;
  };
}

/** When so much of a time's traffic has passed, to the second. */
export function timeOfPart(time: PlannedTime, part: number, shape?: WeekShape): number {
  const passed = passedPart(time, shape);
  let [from, to] = [time.startMs, time.endMs];
  while (to - from > secondMs / 2) {
    const middle = (from + to) / 2;
    if (passed(middle) < part) from = middle;
    else to = middle;
  }
  return Math.round(to / secondMs) * secondMs;
}

/** Of a limit, when a part of the traffic has passed. */
export const partDue = (passed: number, pacing: number): number =>
  pacing === pacings.ahead ? Math.min(1, passed / aheadOf) : passed;

/** What of a time's limit is due: what its traffic brings, and what a minute does, at least one. */
function spreading(time: PlannedTime, shape: WeekShape | undefined, pacing: number) {
  const passed = passedPart(time, shape);
  const minute = minuteMs / (time.endMs + 1 - time.startMs);
  return (limit: number, timeMs: number) => {
    const part = partDue(passed(timeMs), pacing);
    return Math.min(limit, Math.floor(limit * part + Math.max(1, limit * minute)));
  };
}

/** Undefined if nothing is spread, and all is due at once. */
export function deliveryPlan(settings: PlanSettings, { shape }: KnownTraffic = {}): DeliveryPlan | undefined {
  const pacing = pacingOf(settings);
  if (pacing === pacings.fast) return undefined;
  const time = plannedTime(settings);
  const inAll = time && spreading(time, shape, pacing);
  let day: PlannedTime | undefined;
  let spread: ReturnType<typeof spreading> | undefined;
  return {
    ofDay(limit, timeMs) {
      if (!settings.Pacing) return undefined;
      if (!day || timeMs < day.startMs || timeMs > day.endMs) {
        day = dayAt(timeMs, settings.TimeZone ?? '');
        spread = spreading(day, shape, pacing);
      }
      return spread?.(limit, timeMs);
    },
    inAll: (limit, timeMs) => (inAll ? inAll(limit, timeMs) : limit),
  };
}
