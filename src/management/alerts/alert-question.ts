import { conditionOf, type Rule, shareOf } from '../../alerts/rule.ts';
import { type Fault, faultsBy, invalid } from '../../fields/fault.ts';
import { minutesAsked } from '../../reference/cubes.ts';
import type { MeasureName } from '../../reference/measures.ts';
import type { RetentionState } from '../../statistics/asking/plan-report.ts';
import type { ReportQuestion } from '../../statistics/asking/question.ts';
import { assertAnswerable } from '../../statistics/asking/run-report.ts';
import { before } from '../../statistics/asking/zones.ts';
import { readReportQuestion, type SentReport } from '../statistics/report-question.ts';

const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;
const dayMinutes = 1440;
const dayMs = dayMinutes * minuteMs;
const dayStart = (ms: number) => Math.floor(ms / dayMs) * dayMs;
/** The steps of time that figures are kept by, in minutes, the shortest first. Minutes are kept for two hours. */
const steps = [1, 15, 60, dayMinutes] as const;
/** What is counted reaches the database within seconds, and ads are shown soon after they are answered. */
const settlingMs = 2 * minuteMs;

/** Reason under which requests are refused whose site does not name the seller. */
const notNamed = 'ads_txt_violation';

/** A rule about a figure: also of what an ads.txt lacks, which is told by refusals of the hour. */
export function figureRule(rule: Rule): Rule {
  if (rule.condition !== 'AdsTxtMissing') return rule;
  const filter = { Field: 'Reason', Operator: 'In', Values: [notNamed] } as const;
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

/** The measures of a rule: its figure, what that is a share of, and what there must be enough of. */
function measuresOf({ measure, volumeOf }: Rule): MeasureName[] {
  const all = [measure, measure && shareOf(measure), volumeOf];
  return [...new Set(all.filter((name): name is MeasureName => name !== undefined))];
}

/** Whether the step of time that runs counts: a share needs no whole steps, and there is nothing only if there is none now. */
const includesRunning = ({ condition, measure }: Rule, isOfHour: boolean) =>
  isOfHour ||
  condition === 'Nothing' ||
  (!conditionOf(condition)?.isComparison && measure !== undefined && shareOf(measure) !== undefined);

/** From when until when, in milliseconds since 1970. */
interface Times {
  readonly fromMs: number;
  readonly untilMs: number;
}

const lengthOf = ({ fromMs, untilMs }: Times) => untilMs - fromMs;

const quartersOf = ({ fromMs, untilMs }: Times): Times => ({
  fromMs: Math.floor(fromMs / quarterMs) * quarterMs,
  untilMs: Math.ceil(untilMs / quarterMs) * quarterMs,
});

/** From when until when a rule looks, by steps of so many minutes: of minutes at those that are full. */
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

/** The question of a rule without its times, which are those of today. */
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

/** The questions of a rule: about its window, and about what that is compared with. */
export interface AlertQuestions {
  readonly now: ReportQuestion;
  readonly before: ReportQuestion | undefined;
  /** Which share of the time before is as long as the window: minutes of another day are known by the quarter hour. */
  readonly shareBefore: number;
  /**
   * Who counted something before the window, or before that of the comparison: those who may have nothing now have no row
   * in it, and of those who have just begun nothing can be missed. Empty where nobody is asked for.
   */
  readonly earlier: readonly ReportQuestion[];
  readonly isByMinute: boolean;
}

const isOfShare = ({ measure }: Rule) => measure !== undefined && shareOf(measure) !== undefined;

/** Whether a rule is misled by a time in which nobody counted: it is about too little, or compares. */
export const needsAllData = (rule: Rule): boolean =>
  rule.condition === 'Nothing' ||
  (rule.condition === 'Below' && !isOfShare(rule)) ||
  conditionOf(rule.condition)?.isComparison === true;

/** Whether a rule is about too little of what objects count by themselves. */
export const mayMissObjects = (rule: Rule): boolean =>
  rule.group !== undefined &&
  (rule.condition === 'Below' || rule.condition === 'Nothing') &&
  !isOfShare(rule);

/** Whether a rule is about some objects, each by itself or by its filters, and not about all there are. */
const isOfSome = ({ group, filters }: Rule) => group !== undefined || filters.length > 0;

const daysEarlier = 7;
const ofDemand = /^(?:Demand|Advertiser)/;

/** The questions after who counted something before a time, by the object where the rule is about some together. */
function earlierQuestions(
  rule: Rule,
  untimedOne: ReportQuestion,
  { fromMs, untilMs }: Times,
): ReportQuestion[] {
  const side = rule.filters.some(({ Field }) => ofDemand.test(Field)) ? 'Demand' : 'Supply';
  const asked = rule.group ? untimedOne : { ...untimedOne, groups: [side] as const };
  const quarter = quartersOf({ fromMs: untilMs, untilMs }).fromMs;
  // The minutes of the quarter hour that the window begins in are asked for by themselves.
  return [
    { ...asked, fromMs, untilMs: quarter },
    ...(quarter < untilMs ? [{ ...asked, fromMs: quarter, untilMs }] : []),
  ];
}

/** The first of what was kept before and is not whole is taken as it is: an alert works from the first day on. */
export const fromTheStart = (known: RetentionState): RetentionState => ({
  ...known,
  starts: new Map([...known.starts].map(([name]) => [name, 0])),
});

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

/**
 * The questions of a rule about a figure, by the shortest steps of time that it is kept by. Refuses with `invalid`, and
 * says what could be asked, where what is kept cannot answer them.
 */
export function alertQuestions(sent: Rule, teamId: number, known: RetentionState): AlertQuestions {
  const [rule, isOfHour] = [figureRule(sent), sent.condition === 'AdsTxtMissing'];
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
      const Message = `must be a multiple of ${minutes.toLocaleString('en')}: these figures are kept by ${keptBy[minutes] ?? 'quarter hours'}`;
      throw invalid([{ Path: 'Window', Code: 'out_of_range', Message }]);
    }
    // What is not kept by the minute is kept by longer steps.
    if (first.length === 0 && minutes > 1) first = faults;
  }
  throw invalid([...new Map(first.map((fault) => [`${fault.Path} ${fault.Message}`, fault])).values()]);
}
