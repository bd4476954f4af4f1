import type { ComparisonName, PeriodName } from '../../reference/periods.ts';
import { dayMs } from '../days.ts';
import type { ReportQuestion } from './question.ts';
import { before, wholeDays, wholeMonths } from './zones.ts';

/** Days or months by the zone's clock, or milliseconds. */
export type Shift = { readonly days: number } | { readonly months: number } | { readonly ms: number };

/** Milliseconds since 1970. */
export interface ComparedPeriod {
  readonly fromMs: number;
  /** Of a running period, the same moment as now. */
  readonly untilMs: number;
  readonly shift: Shift;
  /** The interval that holds `untilMs`, of which only `share` counts; undefined if whole intervals are compared. */
  readonly last: LastInterval | undefined;
}

interface LastInterval {
  readonly fromMs: number;
  readonly untilMs: number;
  /** How much of it has passed. */
  readonly share: number;
}

type PeriodQuestion = Pick<
  ReportQuestion,
  'fromMs' | 'untilMs' | 'zone' | 'compareTo' | 'period' | 'askedMs' | 'comparedTimes'
>;

export const shiftedBy = (shift: Shift, ms: number, zone: string): number =>
  'ms' in shift ? ms - shift.ms : before(ms, zone, shift);

/** Of periods whose times do not say it: they still run, or may have the days of a month. */
const byName: Readonly<Partial<Record<PeriodName, Shift>>> = {
  Last7Days: { days: 7 },
  Last30Days: { days: 30 },
  ThisWeek: { days: 7 },
  ThisMonth: { months: 1 },
};

/** As many whole months, or days, or the same length. */
function rightBefore({ fromMs, untilMs, zone, period }: PeriodQuestion): Shift {
  const known = period && byName[period];
  if (known) return known;
  const months = wholeMonths(fromMs, untilMs, zone);
  if (months !== undefined) return { months };
  const days = wholeDays(fromMs, untilMs, zone);
  return days === undefined ? { ms: untilMs - fromMs } : { days };
}

const shifts: Readonly<Record<ComparisonName, (asked: PeriodQuestion) => Shift>> = {
  Period: rightBefore,
  Week: () => ({ days: 7 }),
  Month: () => ({ months: 1 }),
  Year: () => ({ months: 12 }),
};

/** The period is not over when the question is asked. */
export const isRunning = ({ fromMs, untilMs, askedMs = untilMs }: PeriodQuestion): boolean =>
  fromMs <= askedMs && askedMs < untilMs;

/** By steps of `stepMs`: what is counted in the one that holds the end counts pro rata. */
function lastInterval(
  fromMs: number,
  untilMs: number,
  endMs: number,
  stepMs: number,
): LastInterval | undefined {
  const begin = Math.max(fromMs, Math.floor(untilMs / stepMs) * stepMs);
  const end = Math.min(endMs, Math.ceil(untilMs / stepMs) * stepMs);
  return begin < untilMs && untilMs < end
    ? { fromMs: begin, untilMs: end, share: (untilMs - begin) / (end - begin) }
    : undefined;
}

/** Of a running period the same part, to the moment. */
export function comparedPeriod(asked: PeriodQuestion, stepMs: number): ComparedPeriod {
  const { fromMs, untilMs, zone, compareTo = 'Period', askedMs = untilMs, comparedTimes } = asked;
  if (comparedTimes) {
    const [begin, end] = comparedTimes;
    return { fromMs: begin, untilMs: end, shift: { ms: fromMs - begin }, last: undefined };
  }
  const shift = shifts[compareTo](asked);
  const begin = shiftedBy(shift, fromMs, zone);
  const whole = shiftedBy(shift, untilMs, zone);
  if (!isRunning(asked)) return { fromMs: begin, untilMs: whole, shift, last: undefined };
  const end = Math.min(whole, Math.max(begin, shiftedBy(shift, askedMs, zone)));
  return { fromMs: begin, untilMs: end, shift, last: lastInterval(begin, end, whole, stepMs) };
}

/** Undefined if there are no whole days. */
export function inCalendar(shift: Shift): Exclude<Shift, { readonly ms: number }> | undefined {
  if (!('ms' in shift)) return shift;
  return shift.ms % dayMs === 0 ? { days: shift.ms / dayMs } : undefined;
}
