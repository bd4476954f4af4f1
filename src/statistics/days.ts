export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

export const quarterMs = 900_000;

/** Minutes since 1970. */
export function minuteOf(timeMs: number): number {
  return Math.floor(timeMs / 60_000);
}

/** Hour since 1970, quarter of the hour, and minute of the quarter. */
export const stepsOf = (
  minute: number,
): { readonly hour: number; readonly quarter: number; readonly minute: number } => ({
  hour: Math.floor(minute / 60),
  quarter: Math.floor(minute / 15) % 4,
  minute: minute % 15,
});

/** Quarter hours since 1970. */
export function quarterOf(timeMs: number): number {
  return Math.floor(timeMs / quarterMs);
}

export const quartersPerDay = dayMs / quarterMs;

/** Hours since 1970. */
export function hourOf(timeMs: number): number {
  return Math.floor(timeMs / hourMs);
}

/** Days since 1970, UTC. */
export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / dayMs);
}

/** `YYYY-MM-DD`. */
export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
