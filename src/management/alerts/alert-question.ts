import { conditionOf, type Rule, shareOf } from '../../alerts/rule.ts';
import { type Fault, faultsBy, invalid } from '../../fields/fault.ts';
import { minutesAsked } from '../../reference/cubes.ts';
import type { MeasureName } from '../../reference/measures.ts';
import { fromTheStart, type RetentionState } from '../../statistics/asking/plan-report.ts';
import type { ReportQuestion } from '../../statistics/asking/question.ts';
import { assertAnswerable } from '../../statistics/asking/run-report.ts';
import { before } from '../../statistics/asking/zones.ts';
import { readReportQuestion, type SentReport } from '../statistics/report-question.ts';

const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;
const dayMinutes = 1440;
const dayMs = dayMinutes * minuteMs;
const dayStart = (ms: number) => Math.floor(ms / dayMs) * dayMs;
/** In minutes, the shortest first. Minutes are kept for two hours. */
const steps = [1, 15, 60, dayMinutes] as const;
/** Counts reach the database within seconds, and ads are shown soon after the answer. */
const settlingMs = 2 * minuteMs;

/** Conditions that are a figure too: refusals of the hour, by reason. */
export function figureRule(rule: Rule): Rule {
  const reason = conditionOf(rule.condition)?.refusal;
  if (reason === undefined) return rule;
  const filter = { Field: 'Reason', Operator: 'In', Values: [reason] } as const;
  return {
    ...rule,
    condition: 'Above',
    measure: 'Refusals',
    threshold: 0,
    windowMinutes: 60,
    group: 'Supply',
    volumeOf: undefined,
    minVolume: 0,
    margin: 0,
    filters: [...rule.filters, filter],
  };
}

/** Its figure, the whole of a share, and the figure that needs a minimum. */
function measuresOf({ measure, volumeOf }: Rule): MeasureName[] {
  const all = [measure, measure && shareOf(measure), volumeOf];
  return [...new Set(all.filter((name): name is MeasureName => name !== undefined))];
}

/** Whether the running interval counts: a share needs no whole ones, and "nothing" must hold now. */
const includesRunning = ({ condition, measure }: Rule, isOfHour: boolean) =>
  isOfHour ||
  condition === 'Nothing' ||
  (!conditionOf(condition)?.isComparison && measure !== undefined && shareOf(measure) !== undefined);

interface Times {
  readonly fromMs: number;
  readonly untilMs: number;
}

const lengthOf = ({ fromMs, untilMs }: Times) => untilMs - fromMs;

const quartersOf = ({ fromMs, untilMs }: Times): Times => ({
  fromMs: Math.floor(fromMs / quarterMs) * quarterMs,
  untilMs: Math.ceil(untilMs / quarterMs) * quarterMs,
});

/** By intervals of `stepMinutes`; minutes must be full. */
function timesOf(rule: Rule, isOfHour: boolean, stepMinutes: number, nowMs: number): Times {
  const stepMs = stepMinutes * minuteMs;
  const windowMs = Math.ceil(rule.windowMinutes / stepMinutes) * stepMs;
  if (stepMinutes === 1) {
    const untilMs = Math.floor(nowMs / minuteMs) * minuteMs;
    return { fromMs: untilMs - windowMs, untilMs };
  }
  if (includesRunning(rule, isOfHour)) {
    const beganMs = Math.floor(nowMs / stepMs) * stepMs;
    return { fromMs: beganMs - windowMs, untilMs: beganMs + stepMs };
  }
  const untilMs = Math.floor((nowMs - settlingMs) / stepMs) * stepMs;
  return { fromMs: untilMs - windowMs, untilMs };
}

/** Its times are today's. */
function untimed(rule: Rule, teamId: number, nowMs: number): ReportQuestion {
  const sent = {
    Period: 'Today',
    TimeZone: rule.zone,
    Measures: measuresOf(rule),
    Filters: rule.filters,
    GroupBy: rule.group ? [rule.group] : [],
  } as unknown as SentReport;
  return readReportQuestion(sent, teamId, nowMs);
}

const keptBy: Readonly<Record<number, string>> = { 60: 'hours', [dayMinutes]: 'days of UTC' };

export interface AlertQuestions {
  readonly now: ReportQuestion;
  readonly before: ReportQuestion | undefined;
  /** The window's part of the earlier time: minutes of another day are known by the quarter hour. */
  readonly shareBefore: number;
  /** Who counted before the window: newcomers miss nothing, and those who stopped have no row. Empty if not needed. */
  readonly earlier: readonly ReportQuestion[];
  readonly isByMinute: boolean;
}

const isOfShare = ({ measure }: Rule) => measure !== undefined && shareOf(measure) !== undefined;

/** A gap in counting misleads rules about too little and comparisons. */
export const needsAllData = (rule: Rule): boolean =>
  rule.condition === 'Nothing' ||
  (rule.condition === 'Below' && !isOfShare(rule)) ||
  conditionOf(rule.condition)?.isComparison === true;

export const mayMissObjects = (rule: Rule): boolean =>
  rule.group !== undefined &&
  (rule.condition === 'Below' || rule.condition === 'Nothing') &&
  !isOfShare(rule);

/** By object or filter. */
const isOfSome = ({ group, filters }: Rule) => group !== undefined || filters.length > 0;

const daysEarlier = 7;
const ofDemand = /^(?:Demand|Advertiser)/;

/** By object if the rule is about some together. */
function earlierQuestions(
  rule: Rule,
  untimedOne: ReportQuestion,
  { fromMs, untilMs }: Times,
): ReportQuestion[] {
  const side = rule.filters.some(({ Field }) => ofDemand.test(Field)) ? 'Demand' : 'Supply';
  const asked = rule.group ? untimedOne : { ...untimedOne, groups: [side] as const };
  const quarter = quartersOf({ fromMs: untilMs, untilMs }).fromMs;
  // The minutes of the window's first quarter hour are asked for separately.
  return [
    { ...asked, fromMs, untilMs: quarter },
    ...(quarter < untilMs ? [{ ...asked, fromMs: quarter, untilMs }] : []),
  ];
}

function questionsBy(
  stepMinutes: number,
  rule: Rule,
  untimedOne: ReportQuestion,
  nowMs: number,
  isOfHour: boolean,
): AlertQuestions {
  const times = timesOf(rule, isOfHour, stepMinutes, nowMs);
  const back = (ms: number) => before(ms, untimedOne.zone, { days: rule.daysBefore });
  const isComparison = conditionOf(rule.condition)?.isComparison === true;
  const compared = quartersOf({ fromMs: back(times.fromMs), untilMs: back(times.untilMs) });
  const earlier = isComparison
    ? { fromMs: dayStart(compared.fromMs - daysEarlier * dayMs), untilMs: compared.fromMs }
    : { fromMs: quartersOf(times).fromMs - dayMs, untilMs: times.fromMs };
  return {
    now: { ...untimedOne, ...times },
    before: isComparison ? { ...untimedOne, ...compared } : undefined,
    shareBefore: Math.min(1, lengthOf(times) / lengthOf(compared)),
    earlier: needsAllData(rule) && isOfSome(rule) ? earlierQuestions(rule, untimedOne, earlier) : [],
    isByMinute: stepMinutes === 1,
  };
}

/** By the shortest intervals kept. Refuses with `invalid`, naming what could be asked. */
export function alertQuestions(sent: Rule, teamId: number, known: RetentionState): AlertQuestions {
  const [rule, isOfHour] = [figureRule(sent), conditionOf(sent.condition)?.refusal !== undefined];
  const now = fromTheStart(known);
  const question = untimed(rule, teamId, now.nowMs);
  let first: readonly Fault[] = [];
  for (const minutes of steps) {
    if (minutes === 1 && rule.windowMinutes > minutesAsked) continue;
    const questions = questionsBy(minutes, rule, question, now.nowMs, isOfHour);
    const faults = [questions.now, questions.before, ...questions.earlier].flatMap((one) =>
      one ? faultsBy(() => assertAnswerable(one, now)) : [],
    );
    if (faults.length === 0) {
      if (rule.windowMinutes % minutes === 0) return questions;
      const Message = `must be a multiple of ${minutes.toLocaleString('en')}: these figures are counted by ${keptBy[minutes] ?? 'quarter hours'}`;
      throw invalid([{ Path: 'Window', Code: 'out_of_range', Message }]);
    }
    // Without minutes, longer intervals are tried.
    if (first.length === 0 && minutes > 1) first = faults;
  }
  throw invalid([...new Map(first.map((fault) => [`${fault.Path} ${fault.Message}`, fault])).values()]);
}
