/** Milliseconds of an hour. */
export const hourMs = 3_600_000;
/** Milliseconds of a day. */
export const dayMs = 86_400_000;

/** Milliseconds of a quarter hour. */
export const quarterMs = 900_000;

/** Minutes since 1970 at a time in milliseconds since 1970. */
export function minuteOf(timeMs: number): number {
  return Math.floor(timeMs / 60_000);
}

/** A minute (minutes since 1970) as hour since 1970, quarter of the hour, and minute of the quarter. */
export const stepsOf = (
  minute: number,
): { readonly hour: number; readonly quarter: number; readonly minute: number } => ({
  hour: Math.floor(minute / 60),
  quarter: Math.floor(minute / 15) % 4,
  minute: minute % 15,
});

/** Hours since 1970 at a time in milliseconds since 1970. */
export function hourOf(timeMs: number): number {
  return Math.floor(timeMs / hourMs);
}

/** Days since 1970, UTC, at a time in milliseconds since 1970. */
export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / dayMs);
}

/** A day since 1970 as `YYYY-MM-DD`. */
export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
