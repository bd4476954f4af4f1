import type { LimitDays } from '../../shared/limit-days.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;
export const minutesPerDay = 1440;

/** Number of the UTC day since 1970. */
export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / dayMs);
}

/**
 * How much of a daily limit may be used by a time of its day: never above `L × t/d + max(1, L × 60/d)` (t and the day's
 * length d in seconds), never above `L` (reference, "Limits").
 */
export function dayLine(limit: number, timeMs: number, days?: LimitDays): number {
  const day = days?.dayAt(timeMs);
  const share = day ? (timeMs - day.startMs) / (day.endMs - day.startMs) : (timeMs % dayMs) / dayMs;
  const minutes = day ? (day.endMs - day.startMs) / minuteMs : minutesPerDay;
  return Math.min(limit, Math.floor(limit * share + Math.max(1, limit / minutes)));
}
