import { zonedTime } from '../../shared/zoned-time.ts';
import type { BoundRule, RuleSubject } from './rule.ts';

const dayMs = 86_400_000;

/** UTC; undefined if open. */
function dayIn({ settings }: RuleSubject, field: 'StartDate' | 'EndDate'): number | undefined {
  const day = settings[field] ?? '';
  return day === '' ? undefined : Date.parse(`${day}T00:00:00Z`);
}

/** Undefined if open. */
function timeIn({ settings }: RuleSubject, field: 'StartTime' | 'EndTime') {
  return zonedTime(settings[field] ?? '', settings.TimeZone || 'UTC');
}

const rest = {
  form: 'bound',
  reason: 'out_of_flight',
  measure: ({ timeMs }) => timeMs,
  possibleRange: ({ nowMs }) => ({ least: nowMs }),
  show: (timeMs) => new Date(timeMs).toISOString().slice(0, 10),
} as const satisfies Partial<BoundRule>;

/** Days are UTC; `""` is open. */
export const startDate: BoundRule = {
  ...rest,
  field: 'StartDate',
  bound: 'minimum',
  boundOf: (object) => dayIn(object, 'StartDate'),
};

export const endDate: BoundRule = {
  ...rest,
  field: 'EndDate',
  bound: 'maximum',
  boundOf: (object) => {
    const day = dayIn(object, 'EndDate');
    return day === undefined ? undefined : day + dayMs - 1;
  },
};

const shownTime = (timeMs: number) => new Date(timeMs).toISOString();

/** By the clock of `TimeZone`; `""` is open. */
export const startTime: BoundRule = {
  ...rest,
  field: 'StartTime',
  bound: 'minimum',
  boundOf: (object) => timeIn(object, 'StartTime')?.startMs,
  show: shownTime,
};

export const endTime: BoundRule = {
  ...rest,
  field: 'EndTime',
  bound: 'maximum',
  boundOf: (object) => timeIn(object, 'EndTime')?.endMs,
  show: shownTime,
};
