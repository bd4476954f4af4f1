import { zoneClock } from '../../shared/zone-clock.ts';
import { zonedTime } from '../../shared/zoned-time.ts';
import type { BoundRule, RuleSubject } from './rule.ts';

/** By the clock of `TimeZone`; undefined if open. */
function spanIn({ settings }: RuleSubject, field: 'StartDate' | 'EndDate' | 'StartTime' | 'EndTime') {
  return zonedTime(settings[field] ?? '', settings.TimeZone || 'UTC');
}

const rest = {
  form: 'bound',
  reason: 'out_of_flight',
  measure: ({ timeMs }) => timeMs,
  possibleRange: ({ nowMs }) => ({ least: nowMs }),
} as const satisfies Partial<BoundRule>;

const ofDays = {
  ...rest,
  show: (timeMs: number, { settings }: RuleSubject) =>
    new Date(timeMs + zoneClock(settings.TimeZone ?? '').offsetMs(timeMs)).toISOString().slice(0, 10),
};

/** Days are those of `TimeZone`; `""` is open. */
export const startDate: BoundRule = {
  ...ofDays,
  field: 'StartDate',
  bound: 'minimum',
  boundOf: (object) => spanIn(object, 'StartDate')?.startMs,
};

export const endDate: BoundRule = {
  ...ofDays,
  field: 'EndDate',
  bound: 'maximum',
  boundOf: (object) => spanIn(object, 'EndDate')?.endMs,
};

const shownTime = (timeMs: number) => new Date(timeMs).toISOString();

/** By the clock of `TimeZone`; `""` is open. */
export const startTime: BoundRule = {
  ...rest,
  field: 'StartTime',
  bound: 'minimum',
  boundOf: (object) => spanIn(object, 'StartTime')?.startMs,
  show: shownTime,
};

export const endTime: BoundRule = {
  ...rest,
  field: 'EndTime',
  bound: 'maximum',
  boundOf: (object) => spanIn(object, 'EndTime')?.endMs,
  show: shownTime,
};
