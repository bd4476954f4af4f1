import type { Observations } from '../../alerts/evaluate.ts';
import { judgeMeasurement, type Measurement, type Observation } from '../../alerts/judge.ts';
import { conditionOf, type Rule, shareOf } from '../../alerts/rule.ts';
import { durationText, figureText, inSentence } from '../../alerts/words.ts';
import type { MeasureName, MeasureValues } from '../../reference/measures.ts';
import { fromTheStart, type RetentionState } from '../../statistics/asking/plan-report.ts';
import type { ReportQuestion } from '../../statistics/asking/question.ts';
import { type ReportRow, runReport } from '../../statistics/asking/run-report.ts';
import type { Subject } from '../../store/alerts/interface.ts';
import type { Store } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import { readRetention } from '../statistics/answer-report.ts';
import {
  type AlertQuestions,
  alertQuestions,
  figureRule,
  mayMissObjects,
  needsAllData,
} from './alert-question.ts';
import { missingTime, newObjects } from './missing-data.ts';
import { watchedObjects } from './watched-objects.ts';

export type FigureContext = Pick<Context, 'store' | 'now' | 'keptDays'>;

const subjectKey = ({ kind, id }: Subject) => `${kind}:${id}`;

/** Its object, or all together. */
function subjectOf({ group }: Rule, { values }: ReportRow): Subject | undefined {
  if (!group) return { kind: '', id: 0 };
  const [first = '', second = 0] = values[0] ?? [];
  const subject =
    group === 'Publisher' || group === 'Advertiser'
      ? { kind: group, id: Number(first) }
      : { kind: String(first), id: Number(second) };
  // Supply alone has no demand and no advertiser.
  return subject.kind === '' || subject.id === 0 ? undefined : subject;
}

type BySubject = ReadonlyMap<string, Subject & { readonly figures: MeasureValues }>;

async function ask(
  store: Store,
  rule: Rule,
  question: ReportQuestion,
  now: RetentionState,
): Promise<BySubject> {
  const { rows } = await runReport(store.statistics, question, now);
  return new Map(
    rows.flatMap((row) => {
      const subject = subjectOf(rule, row);
      return subject ? [[subjectKey(subject), { ...subject, figures: row.figures }] as const] : [];
    }),
  );
}

/** Sums are scaled by the share, rates are not; null is a rate of nothing. */
function figureIn(figures: MeasureValues, name: MeasureName, share: number): number | null {
  const { [name]: figure = 0 } = figures;
  if (figure === null || share === 1 || shareOf(name) !== undefined) return figure;
  return Math.round(1e6 * share * figure) / 1e6;
}

function measured({ measure, volumeOf }: Rule, figures: MeasureValues = {}, share = 1): Measurement {
  const of = (name: MeasureName | undefined) => (name && figureIn(figures, name, share)) ?? 0;
  const base = measure && shareOf(measure);
  const value = measure === undefined ? 0 : figureIn(figures, measure, share);
  return { value, volume: of(volumeOf), of: base && of(base) };
}

/** If a rule is about some objects together, all are one. */
async function askEarlier(store: Store, rule: Rule, { earlier }: AlertQuestions, now: RetentionState) {
  const parts = await Promise.all(earlier.map((question) => ask(store, rule, question, now)));
  return new Map(parts.flatMap((part) => [...part]));
}

/** `""` if the rule says nothing of either. */
function volumeText({ measure, volumeOf }: Rule, { volume, of }: Measurement): string {
  const share = measure && shareOf(measure);
  if (share && of !== undefined) return `of ${figureText(of, share)} ${inSentence(share)}`;
  return volumeOf ? `with ${figureText(volume, volumeOf)} ${inSentence(volumeOf)}` : '';
}

function detailOf(rule: Rule, now: Measurement, { compared }: Pick<Observation, 'compared'>): string {
  const isComparison = conditionOf(rule.condition)?.isComparison === true;
  const before =
    compared === null || !isComparison
      ? ''
      : `${figureText(compared, rule.measure)} ${durationText(rule.daysBefore * 1440)} before`;
  return [volumeText(rule, now), before].filter(Boolean).join(', ');
}

/** Including subjects without figures. */
async function askAll(store: Store, rule: Rule, questions: AlertQuestions, now: RetentionState) {
  const found = await ask(store, rule, questions.now, now);
  const before = questions.before && (await ask(store, rule, questions.before, now));
  const earlier = await askEarlier(store, rule, questions, now);
  const isNew = (name: string) => questions.earlier.length > 0 && !earlier.has(name);
  // Those who counted something before may have nothing now.
  const missed = mayMissObjects(rule)
    ? [...earlier.values()].filter(({ figures }) => (measured(rule, figures).value ?? 0) !== 0)
    : [];
  return { found, before, missed, isNew };
}

/** Refuses with `invalid` if they cannot be asked for. */
export async function observeFigures(
  context: FigureContext,
  teamId: number,
  sent: Rule,
  known: readonly Subject[],
): Promise<Observations> {
  const { store } = context;
  const rule = figureRule(sent);
  const kept = await readRetention(context);
  const questions = alertQuestions(sent, teamId, kept);
  const { found, before, missed, isNew } = await askAll(store, rule, questions, fromTheStart(kept));
  const missing = needsAllData(rule) ? await missingTime(store, questions, rule, kept) : '';
  const isKnown = new Set(known.map(subjectKey));
  const subjects = new Map(
    [...found.values(), ...(before?.values() ?? []), ...missed, ...known].map((one) => [
      subjectKey(one),
      one,
    ]),
  );
  const judged = [...subjects].flatMap(([name, { kind, id }]) => {
    const then = before && measured(rule, before.get(name)?.figures, questions.shareBefore);
    const figures = measured(rule, found.get(name)?.figures);
    const result = judgeMeasurement(rule, figures, then);
    const isMissing = missing !== '' || isNew(name);
    // Gaps cannot refute "enough", but any comparison.
    const isUnknown = isMissing && (before !== undefined || result.holds !== 'no');
    const holds = isUnknown ? 'unknown' : result.holds;
    return holds === 'yes' || holds === 'unknown' || isKnown.has(name)
      ? [{ kind, id, ...result, holds, detail: detailOf(rule, figures, result) } as const]
      : [];
  });
  const watched = await watchedObjects(store, teamId, judged);
  const observed = judged.flatMap((one) => {
    const name = watched.get(subjectKey(one));
    return name === undefined ? [] : [{ ...one, name }];
  });
  const unknown = observed.filter(({ holds }) => holds === 'unknown').map(({ name }) => name);
  return { observed, noData: missing || newObjects(rule, unknown) };
}
