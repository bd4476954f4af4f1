import { zonedTime } from './zoned-time.ts';

const hourMs = 3_600_000;
export const hoursPerWeek = 168;

/** Traffic by hour of the week, from Thursday 00:00 UTC (as 1970 began); without any, all hours are alike. */
export type WeekShape = readonly number[];

/** Impressions spread over a time as its traffic is. */
export interface DeliveryPlan {
  /** The part, from 0 to 1, that is due by then. */
  dueBy(timeMs: number): number;
}

export interface PlannedTime {
  readonly startMs: number;
  readonly endMs: number;
}

/** Settings of a deal. */
export interface PlanSettings {
  readonly Type: number;
  readonly Units: number;
  readonly StartTime: string;
  readonly EndTime: string;
  readonly TimeZone: string;
}

const guaranteed = 4;

/** Of a guaranteed deal with all that this needs; undefined: as fast as possible. */
export function plannedTime(settings: PlanSettings): PlannedTime | undefined {
  const { Type, Units, StartTime, EndTime, TimeZone } = settings;
  const startMs = zonedTime(StartTime, TimeZone || 'UTC')?.startMs;
  const endMs = zonedTime(EndTime, TimeZone || 'UTC')?.endMs;
  if (Type !== guaranteed || Units === 0 || startMs === undefined || endMs === undefined) return undefined;
  return { startMs, endMs };
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

export function deliveryPlan({ startMs, endMs }: PlannedTime, shape: WeekShape = []): DeliveryPlan {
  const sums = cumulated(shape);
  const start = trafficBy(sums, startMs);
  const whole = trafficBy(sums, endMs) - start;
  return {
    dueBy(timeMs) {
      if (timeMs <= startMs) return 0;
      return timeMs >= endMs ? 1 : (trafficBy(sums, timeMs) - start) / whole;
    },
  };
}
