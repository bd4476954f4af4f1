import { type ZoneClock, zoneClock } from '../../shared/zone-clock.ts';
import type { Opportunity } from '../opportunity.ts';

const minuteMs = 60_000;
const clocksOf = new Map<string, readonly ZoneClock[]>();

/** The CLDR's; `country` is ISO 3166-1 alpha-2, so that there are few. */
function clocksIn(country: string): readonly ZoneClock[] {
  const known = clocksOf.get(country);
  if (known) return known;
  const locale: Intl.Locale & { getTimeZones?(): readonly string[] | undefined } = new Intl.Locale(
    `und-${country}`,
  );
  const clocks = (locale.getTimeZones?.() ?? []).map(zoneClock);
  clocksOf.set(country, clocks);
  return clocks;
}

/**
 * How far the viewer's clock is ahead of UTC: as a bid request says, else that of the country, if all of it has the same
 * time then; else undefined.
 */
export function viewerOffsetMs({
  utcOffsetMinutes,
  country,
  timeMs,
}: Pick<Opportunity, 'utcOffsetMinutes' | 'country' | 'timeMs'>): number | undefined {
  if (utcOffsetMinutes !== undefined) return utcOffsetMinutes * minuteMs;
  if (country === '') return undefined;
  const [first, ...others] = clocksIn(country);
  const offsetMs = first?.offsetMs(timeMs);
  return others.every((clock) => clock.offsetMs(timeMs) === offsetMs) ? offsetMs : undefined;
}
