import { type Fault, invalid, Refusal } from '../../fields/fault.ts';
import { dayMs, hourMs, quarterMs } from '../days.ts';
import { type ComparedPeriod, comparedPeriod, isRunning } from './compared-period.ts';
import { type Counterparts, counterparts } from './counterparts.ts';
import type { ReportPlan } from './plan-report.ts';
import type { ReportQuestion } from './question.ts';
import { type Interval, textInZone } from './zones.ts';

export interface PlannedComparison extends Counterparts {
  readonly period: ComparedPeriod;
  readonly plan: ReportPlan;
}

/** For running periods, the shortest first, where kept. */
const stepsOfRunning = [quarterMs, hourMs, dayMs];

function ofComparison(
  { Code, Message, Remedies = [] }: Fault,
  { zone }: ReportQuestion,
  { fromMs, untilMs }: ComparedPeriod,
): Fault {
  const [from, until] = [textInZone(fromMs, zone), textInZone(untilMs, zone)];
  return {
    Path: 'CompareTo',
    Code,
    Message: `compares with the time from ${from} to ${until}, which ${Message}; or leave out CompareTo`,
    // A later beginning is the compared period's.
    Remedies: [...Remedies.filter(({ From }) => From === undefined), { LeaveOut: ['CompareTo'] }],
  };
}

/** Refuses with `invalid`, as `planOf` does, if what is kept cannot answer. */
export function planComparison(
  question: ReportQuestion,
  steps: readonly Interval[],
  planOf: (intervals: readonly Interval[]) => ReportPlan,
): PlannedComparison {
  const planned = (stepMs: number) => {
    const period = comparedPeriod(question, stepMs);
    const found = counterparts(question, steps, period);
    try {
      return { ...found, period, plan: planOf(found.intervals) };
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'invalid') throw error;
      return invalid(error.faults.map((fault) => ofComparison(fault, question, period)));
    }
  };
  let first: Refusal | undefined;
  for (const stepMs of isRunning(question) ? stepsOfRunning : [quarterMs]) {
    const found = planned(stepMs);
    if (!(found instanceof Refusal)) return found;
    first ??= found;
  }
  throw first;
}
