const dayMs = 86_400_000;
export const minutesPerDay = 1440;

/** Number of the UTC day since 1970. */
export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / dayMs);
}

/**
 * How much of a daily limit may be used by a time of the UTC day: never above `L × t/86400 + max(1, L/1440)` (t in
 * seconds), never above `L` (reference, "Limits").
 */
export function dayLine(limit: number, timeMs: number): number {
  const share = (timeMs % dayMs) / dayMs;
  return Math.min(limit, Math.floor(limit * share + Math.max(1, limit / minutesPerDay)));
}
