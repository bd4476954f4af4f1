const minuteMs = 60_000;
const minutesPerHour = 60;

/**
 * A promise is counted in the minute in which its auction began. An auction that began later may have made its promise
 * earlier, so these minutes count as well.
 */
export const minutesAhead = 3;

export function minuteOf(timeMs: number): number {
  return Math.floor(timeMs / minuteMs);
}

export interface PromiseMinutes {
  /** Of a promise that was made in an auction that began at `promisedMs`. */
  of(promisedMs: number): number;
  /** Of promises of an hour (hours since 1970) that were made before the process began. */
  restored(hour: number): number;
}

/**
 * Of promises from before the process began, at `startMs`, only the hour is known: they count as made in the last
 * minute of that hour, or in the minute of `startMs` if that is earlier.
 */
export function promiseMinutes(startMs: number): PromiseMinutes {
  const restored = (hour: number) => Math.min((hour + 1) * minutesPerHour - 1, minuteOf(startMs));
  return {
    of(promisedMs) {
      const minute = minuteOf(promisedMs);
      return promisedMs < startMs ? restored(Math.floor(minute / minutesPerHour)) : minute;
    },
    restored,
  };
}
