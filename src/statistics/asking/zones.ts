import type { TimeUnit } from '../../reference/dimensions.ts';
import { quarterMs } from '../days.ts';
import { Instant, PlainDate, type ZonedDateTime } from './temporal.ts';

export interface Interval {
  /** Its start in the zone, also where the period begins later: RFC 3339, with the zone's offset. */
  readonly start: string;
  /** What of it is in the period, in milliseconds since 1970. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Whether the period has only a part of it. */
  readonly isPartial?: true;
}

type Zoned = ZonedDateTime;

const at = (ms: number, zone: string): Zoned => Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
const msOf = ({ epochMilliseconds }: Zoned) => epochMilliseconds;

const isStartOfDay = (time: Zoned) => msOf(time.startOfDay()) === msOf(time);

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

function* quarterHours(fromMs: number, untilMs: number, zone: string): Generator<Interval> {
  for (let ms = fromMs; ms < untilMs; ms += quarterMs) {
    yield { start: shown(at(ms, zone)), fromMs: ms, untilMs: Math.min(untilMs, ms + quarterMs) };
  }
}

/** The steps of a period, in order. Offsets of zones are whole quarter hours, so all of them begin at one. */
export function* intervalsOf(
  unit: TimeUnit,
  fromMs: number,
  untilMs: number,
  zone: string,
): Generator<Interval> {
  if (unit === 'QuarterHour') return yield* quarterHours(fromMs, untilMs, zone);
  const { start, next } = steps[unit];
  let begin = start(at(fromMs, zone));
  while (msOf(begin) < untilMs) {
    const end = next(begin);
    const [from, until] = [Math.max(fromMs, msOf(begin)), Math.min(untilMs, msOf(end))];
    const isCut = from > msOf(begin) || until < msOf(end);
    const step = { start: shown(begin), fromMs: from, untilMs: until };
    if (from < until) yield isCut ? { ...step, isPartial: true } : step;
    begin = end;
  }
}

/** When the step of time begins that a time is in. */
export const startOf = (unit: 'Day' | 'Week' | 'Month', ms: number, zone: string): number =>
  msOf(steps[unit].start(at(ms, zone)));

/** When an hour of the clock begins on the day of a time; where clocks skip it, the one after. */
export const hourOfDay = (ms: number, zone: string, hour: number): number =>
  msOf(at(ms, zone).startOfDay().with({ hour, minute: 0 }));

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
export const textInZone = (ms: number, zone: string): string => shown(at(ms, zone));

/** So many days or months. */
interface Length {
  readonly days?: number;
  readonly months?: number;
}

/**
 * A time some days, or months, before, by the clock of the zone. What begins a day does so then, too; a day that the month
 * of then does not have is the end of that month.
 */
export function before(ms: number, zone: string, length: Length): number {
  const time = at(ms, zone);
  const then = time.subtract(length);
  if (length.months && then.day !== time.day) return msOf(steps.Month.next(steps.Month.start(then)));
  return msOf(isStartOfDay(time) ? then.startOfDay() : then);
}

/** The day (`2027-01-31`) some days, or months, before another; undefined where the month of then has no such day. */
export function dayBefore(day: string, length: Length): string | undefined {
  const date = PlainDate.from(day);
  const then = date.subtract(length);
  return length.months && then.day !== date.day ? undefined : then.toString();
}

/** The months from one time to another, where both begin months of the zone; undefined where they do not. */
export function wholeMonths(fromMs: number, untilMs: number, zone: string): number | undefined {
  const isStart = (ms: number) => startOf('Month', ms, zone) === ms;
  if (!isStart(fromMs) || !isStart(untilMs)) return undefined;
  return [...intervalsOf('Month', fromMs, untilMs, zone)].length;
}

/** The days from one time to another, where both begin days of the zone; undefined where they do not. */
export function wholeDays(fromMs: number, untilMs: number, zone: string): number | undefined {
  const isStart = (ms: number) => isStartOfDay(at(ms, zone));
  if (!isStart(fromMs) || !isStart(untilMs)) return undefined;
  let days = 0;
  for (const _ of intervalsOf('Day', fromMs, untilMs, zone)) days += 1;
  return days;
}
