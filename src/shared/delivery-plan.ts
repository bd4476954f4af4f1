import type { LimitDays } from './limit-days.ts';
import { hoursPerWeek, type ZoneClock, zoneClock } from './zone-clock.ts';
import { zonedTime } from './zoned-time.ts';

const secondMs = 1000;
const minuteMs = 60_000;
const hourMs = 3_600_000;

/** Traffic by hour of the week, from Thursday 00:00 UTC (as 1970 began); without any, all hours are alike. */
export type WeekShape = readonly number[];

export interface PlannedTime {
  readonly startMs: number;
  /** Its last millisecond. */
  readonly endMs: number;
}

/** A time with limits of its own; 0 = unlimited. */
export interface Flight extends PlannedTime {
  readonly impressions: number;
  readonly nanos: number;
}

/** What an object has used before a time, by the store: never too much. */
export interface UsedBefore {
  readonly beforeMs: number;
  readonly impressions: number;
  readonly nanos: number;
}

/** What the statistics say of an object. */
export interface KnownTraffic {
  /** Of the week before. */
  readonly shape?: WeekShape | undefined;
  /** Before its present flight. */
  readonly used?: UsedBefore | undefined;
}

/** Whether it says nothing of the present flight yet. */
export const lacksFlight = ({ used }: KnownTraffic, flight: Flight | undefined): boolean =>
  flight !== undefined && used?.beforeMs !== flight.startMs;

/** Settings that plan delivery, as entities have them. */
export interface PlanSettings {
  readonly Pacing?: number | undefined;
  readonly Flights?:
    | readonly {
        readonly Start: string;
        readonly End: string;
        readonly Impressions: number;
        readonly Spend: number;
      }[]
    | undefined;
  readonly Type?: number | undefined;
  readonly Units?: number | undefined;
  readonly StartTime?: string | undefined;
  readonly EndTime?: string | undefined;
  readonly StartDate?: string | undefined;
  readonly EndDate?: string | undefined;
  readonly TimeZone?: string | undefined;
}

/** How an object's limits are spread over time: what of a limit is due at a moment. */
export interface DeliveryPlan {
  /** Of a day's limit; undefined: not spread by traffic. */
  ofDay(limit: number, timeMs: number): number | undefined;
  /** Of a limit of all days. */
  inAll(limit: number, timeMs: number): number;
  /** In order; empty: always in flight. */
  readonly flights: readonly Flight[];
  flightAt(timeMs: number): Flight | undefined;
  /** Of the present flight's limit; undefined: there is none. */
  inFlight(part: FlightPart, timeMs: number): FlightLine | undefined;
}

export type FlightPart = 'impressions' | 'nanos';

/** What may be used on all days, so that a flight's limit holds. */
export interface FlightLine {
  readonly limit: number;
  /** On all days before the flight. */
  readonly before: number;
  /** With what is due of the limit now. */
  readonly line: number;
}

const guaranteed = 4;
const pacings = { fast: 0, even: 1, ahead: 2 } as const;
/** A plan that is ahead has all of its limit due when so much of the traffic has passed. */
const aheadOf = 0.8;

/** A guaranteed deal is spread, whatever it says. */
export function pacingOf({ Pacing, Type, Units }: PlanSettings): number {
  return Math.max(Pacing || pacings.fast, Type === guaranteed && Units ? pacings.even : pacings.fast);
}

/** From the object's first moment to its last; undefined if one of them is open. */
export function plannedTime(settings: PlanSettings): PlannedTime | undefined {
  const { StartTime, StartDate, EndTime, EndDate, TimeZone } = settings;
  const startMs = zonedTime(StartTime || StartDate || '', TimeZone || 'UTC')?.startMs;
  const endMs = zonedTime(EndTime || EndDate || '', TimeZone || 'UTC')?.endMs;
  return startMs === undefined || endMs === undefined || endMs <= startMs ? undefined : { startMs, endMs };
}

const nanosPerUsd = 1e9;

/** By the clock of the object's `TimeZone`, without those whose times cannot be read. */
export function flightsOf({ Flights = [], TimeZone }: PlanSettings): readonly Flight[] {
  return Flights.flatMap(({ Start, End, Impressions, Spend }) => {
    const startMs = zonedTime(Start, TimeZone || 'UTC')?.startMs;
    const endMs = zonedTime(End, TimeZone || 'UTC')?.endMs;
    if (startMs === undefined || endMs === undefined) return [];
    return [{ startMs, endMs, impressions: Impressions, nanos: Math.round(nanosPerUsd * Spend) }];
  });
}

/** The day of a time, of 23 to 25 hours, or longer where the zone changes. */
export function dayAt(timeMs: number, clock: Pick<ZoneClock, 'dayAt'>): PlannedTime {
  const { startMs, endMs } = clock.dayAt(timeMs);
  return { startMs, endMs: endMs - 1 };
}

const flat: WeekShape = Array.from({ length: hoursPerWeek }, () => 1);
/** An hour without traffic last week still gets this part of the mean. */
const leastPart = 0.02;

/** Sums up to each hour of the week. */
function cumulated(shape: WeekShape): readonly number[] {
  const mean = shape.reduce((sum, hour) => sum + hour, 0) / hoursPerWeek;
  const used = shape.length === hoursPerWeek && mean > 0 ? shape : flat;
  const least = mean > 0 ? mean * leastPart : 0;
  const sums = [0];
  for (const hour of used) sums.push((sums.at(-1) ?? 0) + Math.max(hour, least));
  return sums;
}

/** Traffic since 1970, in the unit of the shape. */
function trafficBy(sums: readonly number[], timeMs: number): number {
  const hours = timeMs / hourMs;
  const weeks = Math.floor(hours / hoursPerWeek);
  const hour = Math.floor(hours) - weeks * hoursPerWeek;
  const [before = 0, after = 0] = [sums[hour], sums[hour + 1]];
  return weeks * (sums.at(-1) ?? 0) + before + (after - before) * (hours - Math.floor(hours));
}

/** The part of a time's traffic, from 0 to 1, that has passed at a moment. */
export type PassedPart = (timeMs: number) => number;

export function passedPart({ startMs, endMs }: PlannedTime, shape: WeekShape = []): PassedPart {
  const sums = cumulated(shape);
  const start = trafficBy(sums, startMs);
  const whole = trafficBy(sums, endMs) - start;
  return (timeMs) => {
    if (timeMs <= startMs) return 0;
    return timeMs >= endMs ? 1 : (trafficBy(sums, timeMs) - start) / whole;
  };
}

/** When so much of a time's traffic has passed, to the second. */
export function timeOfPart(time: PlannedTime, part: number, shape?: WeekShape): number {
  const passed = passedPart(time, shape);
  let [from, to] = [time.startMs, time.endMs];
  while (to - from > secondMs / 2) {
    const middle = (from + to) / 2;
    if (passed(middle) < part) from = middle;
    else to = middle;
  }
  return Math.round(to / secondMs) * secondMs;
}

/** Of a limit, when a part of the traffic has passed. */
export const partDue = (passed: number, pacing: number): number =>
  pacing === pacings.ahead ? Math.min(1, passed / aheadOf) : passed;

type Spread = (limit: number, timeMs: number) => number;

/** What of a time's limit is due: what its traffic brings, and what a minute does, at least one. */
function spreading(time: PlannedTime, shape: WeekShape | undefined, pacing: number): Spread {
  const passed = passedPart(time, shape);
  const minute = minuteMs / (time.endMs + 1 - time.startMs);
  return (limit, timeMs) => {
    const part = partDue(passed(timeMs), pacing);
    return Math.min(limit, Math.floor(limit * part + Math.max(1, limit * minute)));
  };
}

/** The spread of the time looked at last. */
function remembered<T extends PlannedTime>(
  find: (timeMs: number) => T | undefined,
  spread: (time: T) => Spread,
) {
  let last: { readonly time: T; readonly spread: Spread } | undefined;
  return (timeMs: number) => {
    if (last && timeMs >= last.time.startMs && timeMs <= last.time.endMs) return last;
    const time = find(timeMs);
    last = time && { time, spread: spread(time) };
    return last;
  };
}

/** Undefined if nothing is spread, and all is due at once. */
export function deliveryPlan(
  settings: PlanSettings,
  traffic: KnownTraffic = {},
  days: LimitDays | undefined = undefined,
): DeliveryPlan | undefined {
  const { shape, used } = traffic;
  const [pacing, flights] = [pacingOf(settings), flightsOf(settings)];
  if (pacing === pacings.fast && flights.length === 0) return undefined;
  const spread = (time: PlannedTime): Spread =>
    pacing === pacings.fast ? (limit) => limit : spreading(time, shape, pacing);
  const time = plannedTime(settings);
  const inAll = time && spread(time);
  const clock = days ?? zoneClock(settings.TimeZone ?? '');
  const dayOf = remembered((timeMs) => dayAt(timeMs, clock), spread);
  const flightOf = remembered(
    (timeMs) => flights.find(({ startMs, endMs }) => timeMs >= startMs && timeMs <= endMs),
    spread,
  );
  return {
    flights,
    ofDay: (limit, timeMs) => (settings.Pacing ? dayOf(timeMs)?.spread(limit, timeMs) : undefined),
    inAll: (limit, timeMs) => (inAll ? inAll(limit, timeMs) : limit),
    flightAt: (timeMs) => flightOf(timeMs)?.time,
    inFlight(part, timeMs) {
      const flight = flightOf(timeMs);
      const limit = flight?.time[part] ?? 0;
      if (!flight || limit === 0) return undefined;
      const before = used?.beforeMs === flight.time.startMs ? used[part] : 0;
      return { limit, before, line: before + flight.spread(limit, timeMs) };
    },
  };
}
