import { judge, type Measured, type Observed } from '../../alerts/judge.ts';
import { conditionOf, type Rule, shareOf } from '../../alerts/rule.ts';
import { durationText, figureText } from '../../alerts/words.ts';
import type { Figures, MeasureName } from '../../reference/measures.ts';
import type { KeptNow } from '../../statistics/asking/plan-report.ts';
import type { ReportQuestion } from '../../statistics/asking/question.ts';
import { type ReportRow, runReport } from '../../statistics/asking/run-report.ts';
import type { Subject } from '../../store/alerts/interface.ts';
import type { Store } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import { keptNow } from '../statistics/answer-report.ts';
import { type AlertQuestions, alertQuestions, figureRule, fromTheStart } from './alert-question.ts';
import { watchedObjects } from './watched-objects.ts';

/** What looking at figures works with. */
export type FigureContext = Pick<Context, 'store' | 'now' | 'keptDays'>;

const nameOf = ({ kind, id }: Subject) => `${kind}:${id}`;

/** The subject of a row: its object, or all together. */
function subjectOf({ group }: Rule, { values }: ReportRow): Subject | undefined {
  if (!group) return { kind: '', id: 0 };
  const [first = '', second = 0] = values[0] ?? [];
  const subject =
    group === 'Publisher' || group === 'Advertiser'
      ? { kind: group, id: Number(first) }
      : { kind: String(first), id: Number(second) };
  // What concerns supply alone has no demand, and no advertiser.
  return subject.kind === '' || subject.id === 0 ? undefined : subject;
}

/** Figures of subjects by name. */
type BySubject = ReadonlyMap<string, Subject & { readonly figures: Figures }>;

async function ask(store: Store, rule: Rule, question: ReportQuestion, now: KeptNow): Promise<BySubject> {
  const { rows } = await runReport(store.statistics, question, now);
  return new Map(
    rows.flatMap((row) => {
      const subject = subjectOf(rule, row);
      return subject ? [[nameOf(subject), { ...subject, figures: row.figures }] as const] : [];
    }),
  );
}

/** A figure of a share of the time: sums are less by so much, rates are the same; null is a rate of nothing. */
function figureIn(figures: Figures, name: MeasureName, share: number): number | null {
  const { [name]: figure = 0 } = figures;
  if (figure === null || share === 1 || shareOf(name) !== undefined) return figure;
  return Math.round(1e6 * share * figure) / 1e6;
}

function measured({ measure, volumeOf }: Rule, figures: Figures = {}, share = 1): Measured {
  const of = (name: MeasureName | undefined) => (name && figureIn(figures, name, share)) ?? 0;
  const base = measure && shareOf(measure);
  const value = measure === undefined ? 0 : figureIn(figures, measure, share);
  return { value, volume: of(volumeOf), of: base && of(base) };
}

/** Those who counted something before, and may have nothing now. */
async function askEarlier(store: Store, rule: Rule, { earlier }: AlertQuestions, now: KeptNow) {
  if (!earlier) return [];
  const counted = await ask(store, rule, earlier, now);
  return [...counted.values()].filter(({ figures }) => (measured(rule, figures).value ?? 0) !== 0);
}

function detailOf(rule: Rule, { compared }: Pick<Observed, 'compared'>): string {
  if (compared === null || !conditionOf(rule.condition)?.isComparison) return '';
  return `${figureText(compared, rule.measure)} ${durationText(rule.daysBefore * 1440)} before`;
}

/** Looks at the figures that a rule is about. Refuses with `invalid` where they cannot be asked for. */
export async function lookAtFigures(
  context: FigureContext,
  teamId: number,
  sent: Rule,
  known: readonly Subject[],
): Promise<readonly Observed[]> {
  const { store } = context;
  const rule = figureRule(sent);
  const kept = await keptNow(context);
  const questions = alertQuestions(sent, teamId, kept);
  const now = fromTheStart(kept);
  const found = await ask(store, rule, questions.now, now);
  const before = questions.before && (await ask(store, rule, questions.before, now));
  const earlier = await askEarlier(store, rule, questions, now);
  const isKnown = new Set(known.map(nameOf));
  const subjects = new Map(
    [...found.values(), ...(before?.values() ?? []), ...earlier, ...known].map((one) => [nameOf(one), one]),
  );
  const judged = [...subjects].flatMap(([name, { kind, id }]) => {
    const then = before && measured(rule, before.get(name)?.figures, questions.shareBefore);
    const result = judge(rule, measured(rule, found.get(name)?.figures), then);
    return result.holds === 'yes' || isKnown.has(name)
      ? [{ kind, id, ...result, detail: detailOf(rule, result) }]
      : [];
  });
  const watched = await watchedObjects(store, teamId, judged);
  return judged.flatMap((one) => {
    const name = watched.get(nameOf(one));
    return name === undefined ? [] : [{ ...one, name }];
  });
}
