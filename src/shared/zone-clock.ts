import { Instant, type ZonedDateTime } from './temporal.ts';

/** A day by a zone's clock; of 23 to 25 hours. */
export interface ZoneDay {
  readonly startMs: number;
  /** When the next one begins. */
  readonly endMs: number;
}

/** What a zone's clock shows, in milliseconds since 1970; cheap enough for each auction. */
export interface ZoneClock {
  /** IANA. */
  readonly zone: string;
  /** Ahead of UTC. */
  offsetMs(timeMs: number): number;
  dayAt(timeMs: number): ZoneDay;
}

export const hoursPerWeek = 168;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** 1970 began on a Thursday, weeks begin on Monday. */
const firstHour = 72;

/** From Monday 00:00, of a time by the clock that shows it. */
export function hourOfWeek(localMs: number): number {
  const hour = (Math.floor(localMs / hourMs) + firstHour) % hoursPerWeek;
  return hour < 0 ? hour + hoursPerWeek : hour;
}

const utc: ZoneClock = {
  zone: 'UTC',
  offsetMs: () => 0,
  dayAt(timeMs) {
    const startMs = Math.floor(timeMs / dayMs) * dayMs;
    return { startMs, endMs: startMs + dayMs };
  },
};

interface Span extends ZoneDay {
  readonly offsetMs: number;
}

/** Of the spans looked at last, one that holds the time. */
function remembered<S extends ZoneDay>(most: number, find: (timeMs: number) => S): (timeMs: number) => S {
  let spans: readonly S[] = [];
  return (timeMs) => {
    for (const span of spans) if (timeMs >= span.startMs && timeMs < span.endMs) return span;
    const found = find(timeMs);
    spans = [found, ...spans.slice(0, most - 1)];
    return found;
  };
}

const nanosPerMs = 1_000_000;

function clockOf(zone: string): ZoneClock {
  const at = (timeMs: number): ZonedDateTime =>
    Instant.fromEpochMilliseconds(timeMs).toZonedDateTimeISO(zone);
  const offsets = remembered<Span>(4, (timeMs) => {
    const now = at(timeMs);
    // The transition before a time is not the one at that time.
    const began = at(timeMs + 1).getTimeZoneTransition('previous');
    return {
      startMs: began?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
      endMs: now.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
      offsetMs: now.offsetNanoseconds / nanosPerMs,
    };
  });
  const days = remembered<ZoneDay>(4, (timeMs) => {
    const start = at(timeMs).startOfDay();
    return {
      startMs: start.epochMilliseconds,
      endMs: start.add({ days: 1 }).startOfDay().epochMilliseconds,
    };
  });
  return { zone, offsetMs: (timeMs) => offsets(timeMs).offsetMs, dayAt: days };
}

/** More than there are zones; other spellings of one are rare. */
const clocksMax = 1000;
const clocks = new Map<string, ZoneClock>();

/** Of a zone that exists; `""` = UTC. The same object for the same name. */
export function zoneClock(zone: string): ZoneClock {
  if (zone === '' || zone === 'UTC') return utc;
  const known = clocks.get(zone);
  if (known) return known;
  if (clocks.size >= clocksMax) clocks.clear();
  const clock = clockOf(zone);
  clocks.set(zone, clock);
  return clock;
}
