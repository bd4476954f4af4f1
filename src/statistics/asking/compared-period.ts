import type { ComparisonName, PeriodName } from '../../reference/periods.ts';
import { dayMs } from '../days.ts';
import type { ReportQuestion } from './question.ts';
import { before, wholeDays, wholeMonths } from './zones.ts';

/** Days or months by the zone's clock, or milliseconds. */
export type Shift = { readonly days: number } | { readonly months: number } | { readonly ms: number };

/** Milliseconds since 1970. */
export interface ComparedPeriod {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly shift: Shift;
}

type PeriodQuestion = Pick<
  ReportQuestion,
  'fromMs' | 'untilMs' | 'zone' | 'compareTo' | 'period' | 'askedMs'
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
  fromMs < askedMs && askedMs < untilMs;

/** Of a running period the same part, in whole steps of `stepMs`, without the one just begun. */
export function comparedPeriod(asked: PeriodQuestion, stepMs: number): ComparedPeriod {
  const { fromMs, untilMs, zone, compareTo = 'Period', askedMs = untilMs } = asked;
  const shift = shifts[compareTo](asked);
  const begin = shiftedBy(shift, fromMs, zone);
  if (!isRunning(asked)) return { fromMs: begin, untilMs: shiftedBy(shift, untilMs, zone), shift };
  const end = Math.floor(shiftedBy(shift, askedMs, zone) / stepMs) * stepMs;
  return { fromMs: begin, untilMs: Math.max(begin, end), shift };
}

/** Undefined if there are no whole days. */
export function inCalendar(shift: Shift): Exclude<Shift, { readonly ms: number }> | undefined {
  if (!('ms' in shift)) return shift;
  return shift.ms % dayMs === 0 ? { days: shift.ms / dayMs } : undefined;
}
