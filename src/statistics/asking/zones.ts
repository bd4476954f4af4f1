import type { TimeUnit } from '../../reference/dimensions.ts';
import { quarterMs } from '../days.ts';
import { Instant, PlainDate, type ZonedDateTime } from './temporal.ts';

/** A part of a period. */
export interface Bucket {
  /** Its start in the zone, also where the period begins later: RFC 3339, with the zone's offset. */
  readonly start: string;
  /** What of it is in the period, in milliseconds since 1970. */
  readonly fromMs: number;
  readonly untilMs: number;
}

type Zoned = ZonedDateTime;

const at = (ms: number, zone: string): Zoned => Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
const msOf = ({ epochMilliseconds }: Zoned) => epochMilliseconds;

const hourOf = (time: Zoned) => time.round({ smallestUnit: 'hour', roundingMode: 'floor' });

/** The hour after one. Where clocks go back by less than an hour, the hour that comes twice is cut there. */
function nextHour(time: Zoned): Zoned {
  const later = time.add({ hours: 1 });
  const floored = hourOf(later);
  return msOf(floored) > msOf(time) ? floored : later;
}

const weekOf = (time: Zoned) =>
  time
    .startOfDay()
    .subtract({ days: time.dayOfWeek - 1 })
    .startOfDay();

/** For each step: when the one that a time is in begins, and when the one after it does. */
const steps: Readonly<Record<TimeUnit, { start: (time: Zoned) => Zoned; next: (start: Zoned) => Zoned }>> = {
  QuarterHour: {
    start: (time) => time,
    next: (start) => start,
  },
  Hour: { start: hourOf, next: nextHour },
  Day: { start: (time) => time.startOfDay(), next: (start) => start.add({ days: 1 }).startOfDay() },
  // A day may begin later than midnight, where clocks go forward then.
  Week: { start: weekOf, next: (start) => start.add({ days: 7 }).startOfDay() },
  Month: {
    start: (time) => time.with({ day: 1 }).startOfDay(),
    next: (start) => start.add({ months: 1 }).startOfDay(),
  },
};

const shown = (time: Zoned) => time.toString({ timeZoneName: 'never', smallestUnit: 'second' });

function* quarterHours(fromMs: number, untilMs: number, zone: string): Generator<Bucket> {
  for (let ms = fromMs; ms < untilMs; ms += quarterMs) {
    yield { start: shown(at(ms, zone)), fromMs: ms, untilMs: Math.min(untilMs, ms + quarterMs) };
  }
}

/** The steps of a period, in order. Offsets of zones are whole quarter hours, so all of them begin at one. */
export function* bucketsOf(unit: TimeUnit, fromMs: number, untilMs: number, zone: string): Generator<Bucket> {
  if (unit === 'QuarterHour') return yield* quarterHours(fromMs, untilMs, zone);
  const { start, next } = steps[unit];
  let begin = start(at(fromMs, zone));
  while (msOf(begin) < untilMs) {
    const end = next(begin);
    const [from, until] = [Math.max(fromMs, msOf(begin)), Math.min(untilMs, msOf(end))];
    if (from < until) yield { start: shown(begin), fromMs: from, untilMs: until };
    begin = end;
  }
}

/** When the step of time begins that a time is in. */
export const startOf = (unit: 'Day' | 'Week' | 'Month', ms: number, zone: string): number =>
  msOf(steps[unit].start(at(ms, zone)));

/** The name of a zone as it is known, as `Europe/Berlin`; undefined where there is none, or it is only an offset. */
export function knownZone(name: string): string | undefined {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return /^[+-]/.test(timeZone) ? undefined : name;
  } catch {
    return undefined;
  }
}

/** When a day begins in a zone, in milliseconds since 1970. The day is valid, as `2027-01-31`. */
export const startOfDay = (day: string, zone: string): number =>
  msOf(PlainDate.from(day).toZonedDateTime(zone));

/** When the day after one begins. */
export const endOfDay = (day: string, zone: string): number =>
  msOf(PlainDate.from(day).toZonedDateTime(zone).add({ days: 1 }).startOfDay());

/** A time in a zone: RFC 3339 with the zone's offset. */
export const shownIn = (ms: number, zone: string): string => shown(at(ms, zone));

/** A time some days, or years, before, by the clock of the zone. */
export function before(
  ms: number,
  zone: string,
  length: { readonly days?: number; readonly years?: number },
): number {
  return msOf(at(ms, zone).subtract(length));
}

/** The days from one time to another, where both begin days of the zone; undefined where they do not. */
export function wholeDays(fromMs: number, untilMs: number, zone: string): number | undefined {
  const isStart = (ms: number) => msOf(at(ms, zone).startOfDay()) === ms;
  if (!isStart(fromMs) || !isStart(untilMs)) return undefined;
  let days = 0;
  for (const _ of bucketsOf('Day', fromMs, untilMs, zone)) days += 1;
  return days;
}
