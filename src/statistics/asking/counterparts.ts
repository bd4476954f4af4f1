import { isTimeUnit, type TimeUnit } from '../../reference/dimensions.ts';
import { type ComparedPeriod, inCalendar, isRunning, type Shift, shiftedBy } from './compared-period.ts';
import type { ReportQuestion } from './question.ts';
import { dayBefore, type Interval, intervalsOf } from './zones.ts';

/** Intervals of the compared period, and which ones they match. */
export interface Counterparts {
  readonly intervals: readonly Interval[];
  /** Index of the matching interval of the question; undefined = none. */
  readonly places: readonly (number | undefined)[];
  /** How much of an interval counts, by its index; absent = all. */
  readonly shares: ReadonlyMap<number, number>;
  /** Starts of intervals, in either period, without a counterpart. */
  readonly unmatched: readonly string[];
}

/** Named in answers. */
const unmatchedMax = 1000;

/** How much of an interval's start names it by the clock; longer ones have no such name. */
const nameLengths: Readonly<Partial<Record<TimeUnit, number>>> = { Day: 10, Hour: 13, QuarterHour: 16 };
const dayLength = 10;

/** Whole intervals, the last one included. */
type CountedTimes = Pick<ComparedPeriod, 'fromMs' | 'untilMs'>;

type Calendar = NonNullable<ReturnType<typeof inCalendar>>;

/** Counts names, because an hour of the clock may come twice. */
function namesOf(starts: readonly string[], length: number) {
  const times = new Map<string, number>();
  return starts.map((start) => {
    const name = start.slice(0, length);
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    return { name, time };
  });
}

function createDaysBefore(shift: Calendar) {
  const known = new Map<string, string | undefined>();
  return (day: string): string | undefined => {
    if (!known.has(day)) known.set(day, dayBefore(day, shift));
    return known.get(day);
  };
}

interface Pairing {
  readonly question: ReportQuestion;
  readonly unit: TimeUnit;
  readonly length: number;
  readonly shift: Calendar;
}

type Pairs = Omit<Counterparts, 'shares'>;

/** By the zone's clock. */
function pairedByClock(
  { question, unit, length, shift }: Pairing,
  steps: readonly Interval[],
  { fromMs, untilMs }: CountedTimes,
): Pairs {
  const { zone, askedMs = question.untilMs } = question;
  const passedMs = isRunning(question) ? askedMs : question.untilMs;
  const intervals = [...intervalsOf(unit, fromMs, untilMs, zone)];
  const names = namesOf(
    intervals.map(({ start }) => start),
    length,
  );
  const known = new Map(names.map(({ name, time }, place) => [`${name}/${time}`, place]));
  const places: (number | undefined)[] = intervals.map(() => undefined);
  const dayOf = createDaysBefore(shift);
  const without: string[] = [];
  const own = namesOf(
    steps.map(({ start }) => start),
    length,
  );
  for (const [place, { start, fromMs: beginMs, untilMs: endMs }] of steps.entries()) {
    const { name, time } = own[place] ?? { name: '', time: 0 };
    const day = dayOf(name.slice(0, dayLength));
    const found = day === undefined ? undefined : known.get(`${day}${name.slice(dayLength)}/${time}`);
    if (found !== undefined) places[found] = place;
    // The future has none yet.
    else if (endMs <= passedMs || (day === undefined && beginMs < passedMs)) without.push(start);
  }
  const alone = intervals.flatMap(({ start }, place) => (places[place] === undefined ? [start] : []));
  return { intervals, places, unmatched: [...alone, ...without].slice(0, unmatchedMax) };
}

/** By what lies that far back. */
function pairedByShift(
  { zone, askedMs, ...question }: ReportQuestion,
  shift: Shift,
  steps: readonly Interval[],
  { fromMs, untilMs }: CountedTimes,
): Pairs {
  const within = (ms: number) => Math.min(Math.max(shiftedBy(shift, ms, zone), fromMs), untilMs);
  const passedMs = askedMs ?? question.untilMs;
  const isWhole = !question.groups.some(isTimeUnit);
  const intervals = steps.map(
    (step): Interval =>
      isWhole
        ? { ...step, fromMs, untilMs }
        : { ...step, fromMs: within(step.fromMs), untilMs: within(step.untilMs) },
  );
  const isEmpty = (place: number) => (intervals[place]?.fromMs ?? 0) >= (intervals[place]?.untilMs ?? 0);
  return {
    intervals,
    places: steps.map((_, place) => place),
    unmatched: steps
      .flatMap((step, place) => (isEmpty(place) && step.untilMs <= passedMs ? [step.start] : []))
      .slice(0, unmatchedMax),
  };
}

/** Cuts the intervals where the one begins that counts pro rata. */
function withShares({ intervals, places, unmatched }: Pairs, { last }: ComparedPeriod): Counterparts {
  if (!last) return { intervals, places, unmatched, shares: new Map() };
  const parts = intervals.flatMap((interval, index) => {
    const { fromMs, untilMs } = interval;
    const place = places[index];
    const cutMs = Math.min(untilMs, Math.max(fromMs, last.fromMs));
    return [
      { interval: { ...interval, untilMs: cutMs }, place, share: 1 },
      { interval: { ...interval, fromMs: cutMs }, place, share: last.share },
    ].filter(({ interval: part }) => part.fromMs < part.untilMs);
  });
  return {
    intervals: parts.map(({ interval }) => interval),
    places: parts.map(({ place }) => place),
    unmatched,
    shares: new Map(parts.flatMap(({ share }, index) => (share < 1 ? [[index, share] as const] : []))),
  };
}

/**
 * Days, hours and quarter hours match by name on the zone's clock, however long the day is; longer ones, and shifts
 * without whole days, by distance.
 */
export function counterparts(
  question: ReportQuestion,
  steps: readonly Interval[],
  period: ComparedPeriod,
): Counterparts {
  const unit = question.groups.find(isTimeUnit);
  const length = unit && nameLengths[unit];
  const shift = inCalendar(period.shift);
  const counted = { fromMs: period.fromMs, untilMs: period.last?.untilMs ?? period.untilMs };
  const pairs =
    unit && length && shift
      ? pairedByClock({ question, unit, length, shift }, steps, counted)
      : pairedByShift(question, period.shift, steps, counted);
  return withShares(pairs, period);
}
