import type { ReportedDay } from '../protocols/partnerstats/read-partner-stats.ts';
import { knownZone } from '../shared/zoned-time.ts';
import { startOfDay, textInZone } from '../statistics/asking/zones.ts';
import { dateOf, dayMs, dayOf, hourMs } from '../statistics/days.ts';
import type { FetchedDays, ReportedCounts } from '../store/reconciliation/interface.ts';

/** By then partners have closed a day. */
const closedAfterMs = 4 * hourMs;

/** In the partner's zone, numbered since 1970. */
export interface PartnerDays {
  /** The last `count` whole days. */
  last(nowMs: number, count: number): FetchedDays;
  at(ms: number): number;
  /** Closed days that the partner left out are 0. */
  filled(reported: readonly ReportedDay[], days: FetchedDays, nowMs: number): readonly ReportedCounts[];
}

function daysOf(zone: string): PartnerDays {
  const startMs = (day: number) => startOfDay(dateOf(day), zone);
  const at = (ms: number) => Date.parse(textInZone(ms, zone).slice(0, 10)) / dayMs;
  const spanOf = (day: number) => ({ fromMs: startMs(day), untilMs: startMs(day + 1) });
  return {
    at,
    last: (nowMs, count) => ({ fromDay: at(nowMs) - count, toDay: at(nowMs) - 1 }),
    filled(reported, { fromDay, toDay }, nowMs) {
      const byDay = new Map(reported.map((one) => [one.day, one]));
      const lastDay = Math.max(...reported.map(({ day }) => day));
      const isClosed = (day: number) => day < lastDay || startMs(day + 1) + closedAfterMs <= nowMs;
      const counts: ReportedCounts[] = [];
      for (let day = fromDay; day <= toDay; day += 1) {
        const found = byDay.get(day);
        const span = zone === 'UTC' ? {} : { span: spanOf(day) };
        if (found) counts.push({ ...found, ...span });
        else if (isClosed(day)) {
          counts.push({ day, impressions: 0, clicks: 0, nanos: 0, isMissing: true, ...span });
        }
      }
      return counts;
    },
  };
}

const utcDays: PartnerDays = { ...daysOf('UTC'), at: dayOf };

/** By the URL's fragment, as `zone=America/New_York`; UTC by default. Undefined if the zone is unknown. */
export function partnerDays(fragment: string): PartnerDays | undefined {
  const sent = fragment.includes('=') ? new URLSearchParams(fragment).get('zone') : null;
  if (sent === null) return utcDays;
  // A zone's + is a space if it was sent unescaped.
  const zone = knownZone(sent.trim().replaceAll(' ', '+'));
  return zone === undefined ? undefined : daysOf(zone);
}
