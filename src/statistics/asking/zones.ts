import type { TimeUnit } from '../../reference/dimensions.ts';
import { Instant, PlainDate, type ZonedDateTime } from '../../shared/temporal.ts';
import { quarterMs } from '../days.ts';

export interface Interval {
  /** RFC 3339 with the zone's offset, even if the period begins later. */
  readonly start: string;
  /** The part within the period, in milliseconds since 1970. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Only part of it is in the period. */
  readonly isPartial?: true;
}

type Zoned = ZonedDateTime;

const at = (ms: number, zone: string): Zoned => Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
const msOf = ({ epochMilliseconds }: Zoned) => epochMilliseconds;

const isStartOfDay = (time: Zoned) => msOf(time.startOfDay()) === msOf(time);

const hourOf = (time: Zoned) => time.round({ smallestUnit: 'hour', roundingMode: 'floor' });

/** If clocks go back by less than an hour, the repeated hour is cut there. */
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

/** Start of the interval with a time, and of the next one. */
const steps: Readonly<Record<TimeUnit, { start: (time: Zoned) => Zoned; next: (start: Zoned) => Zoned }>> = {
  QuarterHour: {
    start: (time) => time,
    next: (start) => start,
  },
  Hour: { start: hourOf, next: nextHour },
  Day: { start: (time) => time.startOfDay(), next: (start) => start.add({ days: 1 }).startOfDay() },
  // A day may begin after midnight, if clocks go forward then.
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

/** In order. Offsets are whole quarter hours, so each begins at one. */
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

export const startOf = (unit: 'Day' | 'Week' | 'Month', ms: number, zone: string): number =>
  msOf(steps[unit].start(at(ms, zone)));

/** If clocks skip it, the one after. */
export const hourOfDay = (ms: number, zone: string, hour: number): number =>
  msOf(at(ms, zone).startOfDay().with({ hour, minute: 0 }));

/** Milliseconds since 1970. The day is valid, as `2027-01-31`. */
export const startOfDay = (day: string, zone: string): number =>
  msOf(PlainDate.from(day).toZonedDateTime(zone));

export const endOfDay = (day: string, zone: string): number =>
  msOf(PlainDate.from(day).toZonedDateTime(zone).add({ days: 1 }).startOfDay());

/** RFC 3339 with the zone's offset. */
export const textInZone = (ms: number, zone: string): string => shown(at(ms, zone));

interface Length {
  readonly days?: number;
  readonly months?: number;
}

/** By the zone's clock: starts of days stay starts of days; missing days of a month become its end. */
export function before(ms: number, zone: string, length: Length): number {
  const time = at(ms, zone);
  const then = time.subtract(length);
  if (length.months && then.day !== time.day) return msOf(steps.Month.next(steps.Month.start(then)));
  return msOf(isStartOfDay(time) ? then.startOfDay() : then);
}

/** As `2027-01-31`; undefined if that month has no such day. */
export function dayBefore(day: string, length: Length): string | undefined {
  const date = PlainDate.from(day);
  const then = date.subtract(length);
  return length.months && then.day !== date.day ? undefined : then.toString();
}

/** Undefined if either starts no month. */
export function wholeMonths(fromMs: number, untilMs: number, zone: string): number | undefined {
  const isStart = (ms: number) => startOf('Month', ms, zone) === ms;
  if (!isStart(fromMs) || !isStart(untilMs)) return undefined;
  return [...intervalsOf('Month', fromMs, untilMs, zone)].length;
}

/** Undefined if either starts no day. */
export function wholeDays(fromMs: number, untilMs: number, zone: string): number | undefined {
  const isStart = (ms: number) => isStartOfDay(at(ms, zone));
  if (!isStart(fromMs) || !isStart(untilMs)) return undefined;
  let days = 0;
  for (const _ of intervalsOf('Day', fromMs, untilMs, zone)) days += 1;
  return days;
}
