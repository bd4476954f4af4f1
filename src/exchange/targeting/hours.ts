import { weekTimeText } from '../../reference/week-hours.ts';
import { hourOfWeek, hoursPerWeek, zoneClock } from '../../shared/zone-clock.ts';
import { viewerOffsetMs } from '../reading/viewer-offset.ts';
import type { HoursRule, OpenHours } from './rule.ts';

const ofViewer = 1;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const quarterMs = 15 * minuteMs;

/** In the hours of `Hours`; `""` is always. */
export const hours: HoursRule = {
  form: 'hours',
  field: 'Hours',
  reason: 'outside_hours',
  hoursOf({ settings: { Hours = '', HoursOf, TimeZone = '' } }) {
    if (Hours === '') return undefined;
    return { hours: Hours, clock: zoneClock(TimeZone), areViewers: HoursOf === ofViewer };
  },
  viewerOffsetMs,
};

/** `viewerHour`: of the week, if the object goes by the viewer's clock. */
export function isOpen(
  { hours, clock }: OpenHours,
  timeMs: number,
  viewerHour = hourOfWeek(timeMs + clock.offsetMs(timeMs)),
): boolean {
  return hours[viewerHour] === '1';
}

function whenNext({ hours, clock }: OpenHours, timeMs: number, viewerMs: number | undefined): string {
  // All clocks change at quarter hours. The longest wait is a week, longer by what they are set back meanwhile.
  const end = timeMs + (hoursPerWeek + 1) * hourMs;
  for (let at = Math.ceil((timeMs + 1) / quarterMs) * quarterMs; at <= end; at += quarterMs) {
    const hour = hourOfWeek(at + (viewerMs ?? clock.offsetMs(at)));
    if (hours[hour] === '1') return `opens ${weekTimeText(hour)}`;
  }
  return 'never opens';
}

/**
 * As `Sunday 22:15 (Europe/Berlin), opens Monday 08:00`, by clocks as they are then; how the viewer's changes is not
 * known.
 */
export function whenOpen(open: OpenHours, timeMs: number, viewerMs: number | undefined): string {
  const localMs = timeMs + (viewerMs ?? open.clock.offsetMs(timeMs));
  const whose = viewerMs === undefined ? open.clock.zone : "the viewer's time";
  const minute = Math.floor(localMs / minuteMs) % 60;
  return `${weekTimeText(hourOfWeek(localMs), minute)} (${whose}), ${whenNext(open, timeMs, viewerMs)}`;
}
