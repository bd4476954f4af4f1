import { PlainDate, PlainDateTime } from './temporal.ts';

/** As `Europe/Berlin`; undefined if unknown, or only an offset. */
export function knownZone(name: string): string | undefined {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return /^[+-]/.test(timeZone) ? undefined : name;
  } catch {
    return undefined;
  }
}

const day = /^\d{4}-\d{2}-\d{2}$/;
const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/;
const timeWithOffset = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?)(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Milliseconds since 1970, by the zone's clock unless the text names an offset: a time begins and ends at once, a day
 * ends with its last millisecond. Undefined if it is neither.
 */
export function zonedTime(
  text: string,
  zone: string,
): { readonly startMs: number; readonly endMs: number } | undefined {
  try {
    if (day.test(text)) {
      const start = PlainDate.from(text).toZonedDateTime(zone);
      const next = start.add({ days: 1 }).startOfDay();
      return { startMs: start.epochMilliseconds, endMs: next.epochMilliseconds - 1 };
    }
    // Temporal refuses days that no month has; `Date` does not.
    const local = PlainDateTime.from(timeWithOffset.exec(text)?.[1] ?? text);
    const startMs = time.test(text) ? local.toZonedDateTime(zone).epochMilliseconds : Date.parse(text);
    return timeWithOffset.test(text) || time.test(text) ? { startMs, endMs: startMs } : undefined;
  } catch {
    return undefined;
  }
}
