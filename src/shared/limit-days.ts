import { type ZoneDay, zoneClock } from './zone-clock.ts';

/** Until when days of limits were those of another zone. */
export interface FormerZone {
  /** IANA; `""` = UTC. */
  readonly Zone: string;
  /** See `keyOf`; until `UntilMs`. */
  readonly Turn: 0 | 1;
  /** Its last day begins, and goes on until one of the next zone begins. */
  readonly FromMs: number;
  readonly UntilMs: number;
}

/** Member of stored documents, in order of time; no field has this name, so nobody is shown it. */
export const formerZonesMember = 'FormerZones';

/** Undefined if it has none. */
export function formerZonesIn(
  document: Readonly<Record<string, unknown>>,
): readonly FormerZone[] | undefined {
  return document[formerZonesMember] as readonly FormerZone[] | undefined;
}

/** A day for which limits count. */
export interface LimitDay extends ZoneDay {
  readonly key: number;
  readonly turn: 0 | 1;
}

/** Days of an object's limits. */
export interface LimitDays {
  dayAt(timeMs: number): LimitDay;
}

const quarterMs = 900_000;
const quartersPerDay = 96;
/** Zones whose clocks change have midnights for which days of 23 and 25 hours have numbers one apart, too. */
const spareQuarters = 55;

/** Of the day that begins then: that of UTC days since 1970, and higher for each later one. */
const numberAt = (startMs: number) => Math.floor((startMs / quarterMs + spareQuarters) / quartersPerDay);

/**
 * By this, memory tells days apart: later ones have higher ones, and two that follow each other differ in the last bit.
 * Numbers may jump when the zone changes; `turn` then keeps to that.
 */
const keyOf = (number: number, turn: number) => 2 * number + ((number ^ turn) & 1);

/** The day's number, by which processes and the store know it; 0 of all days. */
export const dayNumber = (key: number): number => key >>> 1;

const utcDayMs = 86_400_000;

/** The day of an object without a zone is that of UTC. */
export function dayKey(days: LimitDays | undefined, timeMs: number): number {
  return days ? days.dayAt(timeMs).key : keyOf(Math.floor(timeMs / utcDayMs), 0);
}

const turnAfter = ({ Turn, FromMs, UntilMs }: FormerZone) =>
  ((numberAt(FromMs) ^ numberAt(UntilMs) ^ Turn ^ 1) & 1) as 0 | 1;

function dayIn(zone: string, formers: readonly FormerZone[], timeMs: number, turnLater: 0 | 1 = 0): LimitDay {
  const last = formers.at(-1);
  if (last && timeMs < last.FromMs) return dayIn(last.Zone, formers.slice(0, -1), timeMs, last.Turn);
  const isLast = last !== undefined && timeMs < last.UntilMs;
  const { startMs, endMs } = isLast
    ? { startMs: last.FromMs, endMs: last.UntilMs }
    : zoneClock(zone).dayAt(timeMs);
  const after = last ? turnAfter(last) : turnLater;
  const turn = isLast ? last.Turn : after;
  return { startMs, endMs, turn, key: keyOf(numberAt(startMs), turn) };
}

/** Undefined where they are those of UTC, and always were. */
export function limitDays(zone: string, formers: readonly FormerZone[] = []): LimitDays | undefined {
  if (formers.length === 0 && (zone === '' || zone === 'UTC')) return undefined;
  /** Those looked at last. */
  let [day, other]: readonly (LimitDay | undefined)[] = [];
  const isIn = (one: LimitDay, timeMs: number) => timeMs >= one.startMs && timeMs < one.endMs;
  return {
    dayAt(timeMs) {
      if (day && isIn(day, timeMs)) return day;
      const found = other && isIn(other, timeMs) ? other : dayIn(zone, formers, timeMs);
      [day, other] = [found, day];
      return found;
    },
  };
}

/** By then all servers have heard of a change. */
const heardMs = 3_600_000;
/** For so long, what an ad has used may come back to its day. */
const openMs = 7_200_000;

/** The first day of a zone that begins then or later. */
function nextStart(zone: string, timeMs: number): number {
  const { startMs, endMs } = zoneClock(zone).dayAt(timeMs);
  return startMs === timeMs ? startMs : endMs;
}

/**
 * Of an object whose zone changes at a time. Its day goes on until a day of the new zone begins that has no part in it, so
 * that no time has two limits; if it ends within the hour, the next one does.
 */
export function formerZonesAfter(
  { zone, formers = [] }: { readonly zone: string; readonly formers?: readonly FormerZone[] | undefined },
  next: string,
  timeMs: number,
): readonly FormerZone[] {
  const { startMs: FromMs, endMs, turn: Turn } = dayIn(zone, formers, timeMs + heardMs);
  const earlier = formers.filter((one) => one.FromMs < FromMs);
  const Zone = formers.find((one) => one.FromMs === FromMs)?.Zone ?? zone;
  // Another change on this day: the former zone's day is what has to end.
  const dueMs = Zone === zone ? endMs : dayIn(Zone, earlier, FromMs).endMs;
  let UntilMs = nextStart(next, Math.max(dueMs, timeMs + heardMs));
  while (numberAt(UntilMs) === numberAt(FromMs)) UntilMs = zoneClock(next).dayAt(UntilMs).endMs;
  return [...earlier.filter((one) => one.UntilMs > timeMs - openMs), { Zone, Turn, FromMs, UntilMs }];
}
