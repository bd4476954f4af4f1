import { Refusal } from '../fields/fault.ts';
import type { AlertEnding } from '../reference/alert-conditions.ts';
import type {
  AlertJudgement,
  AlertStore,
  DueAlert,
  Finding,
  StoredFinding,
  Subject,
} from '../store/alerts/interface.ts';
import type { Destination } from '../store/sending/interface.ts';
import { advanceFinding, type Evaluation, isDifferent, openFinding } from './advance-finding.ts';
import type { Observation } from './judge.ts';
import { type Rule, remindMsOf, ruleOf } from './rule.ts';
import { ruleInWords } from './words.ts';

const minuteMs = 60_000;
/** Per read and minute; those left come first in the next. */
const alertsPerRead = 50;
const alertsPerMinute = 1000;
/** Part of a minute spent on questions. */
const workMs = 45_000;
/** Objects for which one alert fires or may soon. */
const openMax = 500;

export interface Observations {
  readonly observed: readonly Observation[];
  /** In words; `""` if there are data. */
  readonly noData: string;
}

export interface EvaluationOptions {
  readonly store: AlertStore;
  readonly now: () => number;
  /** Looks at subjects for which the condition holds, and at known watched ones. Rejects with an error for people. */
  readonly observe: (
    alert: Pick<DueAlert, 'teamId' | 'document'>,
    rule: Rule,
    known: readonly Subject[],
  ) => Promise<Observations>;
  /** Undefined while it is muted. */
  readonly tells: (document: DueAlert['document'], nowMs: number) => readonly Destination[] | undefined;
  /** For failures that are no alert's fault. */
  readonly onFailure: (error: unknown) => void;
  /** Once aborted, nothing more is begun. */
  readonly signal?: AbortSignal;
}

const subjectKey = ({ kind, id }: Subject) => `${kind}:${id}`;

/** Drops those that never fired. */
function endAll(open: readonly StoredFinding[], nowMs: number, ending: AlertEnding) {
  const fired = open.filter(({ beganMs }) => beganMs !== undefined);
  return {
    changed: fired.map((finding) => ({ ...finding, endedMs: nowMs, ending })),
    dropped: open.filter(({ beganMs }) => beganMs === undefined).map(({ findingId }) => findingId),
  };
}

function updateFindings(
  open: readonly StoredFinding[],
  observed: readonly Observation[],
  evaluation: Evaluation,
) {
  const bySubject = new Map(observed.map((one) => [subjectKey(one), one]));
  const gone = endAll(
    open.filter((finding) => !bySubject.has(subjectKey(finding))),
    evaluation.nowMs,
    'gone',
  );
  const changed: StoredFinding[] = [...gone.changed];
  const dropped: number[] = [...gone.dropped];
  for (const finding of open) {
    const found = bySubject.get(subjectKey(finding));
    if (!found) continue;
    const next = advanceFinding(finding, found, evaluation);
    if (!next) dropped.push(finding.findingId);
    else if (isDifferent(finding, next)) changed.push(next);
  }
  const known = new Set(open.map(subjectKey));
  const fresh = observed.filter((one) => one.holds === 'yes' && !known.has(subjectKey(one)));
  const room = Math.max(0, openMax - open.length);
  const added: Finding[] = fresh.slice(0, room).map((one) => openFinding(one, evaluation));
  return { added, changed, dropped, left: fresh.length - added.length };
}

const leftText = (left: number) =>
  left === 0
    ? ''
    : `the condition is true for ${left} more objects; an alert can fire for ${openMax} at a time: filter, or add several alerts`;

async function judgeOne(alert: DueAlert, nowMs: number, options: EvaluationOptions): Promise<AlertJudgement> {
  const { id: alertId, teamId, document, isActive, checkedMs } = alert;
  const rule = ruleOf(document);
  const key = JSON.stringify(rule);
  const judged = {
    alertId,
    teamId,
    atMs: nowMs,
    rule: key,
    problem: '',
    noData: '',
    remindMs: remindMsOf(document),
    added: [],
    changed: [],
    dropped: [],
  };
  const to = options.tells(document, nowMs);
  if (!isActive) return { ...judged, to, ...endAll(alert.open, nowMs, 'inactive') };
  const isChanged = alert.rule !== '' && alert.rule !== key;
  const former = isChanged ? endAll(alert.open, nowMs, 'changed') : { changed: [], dropped: [] };
  const open = isChanged ? [] : alert.open;
  // First what ended by the change: the same subject may start again in the next minute.
  if (isChanged && alert.open.length > 0) return { ...judged, to, ...former };
  try {
    const { observed, noData } = await options.observe(alert, rule, open);
    const look = { rule, words: ruleInWords(rule), nowMs, checkedMs };
    const { left, ...findings } = updateFindings(open, observed, look);
    return { ...judged, to, ...findings, problem: leftText(left), noData };
  } catch (error) {
    return { ...judged, to, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** False if it failed for a reason of its own. */
async function judgeAndWrite(alert: DueAlert, minute: number, options: EvaluationOptions): Promise<boolean> {
  try {
    await options.store.write(await judgeOne(alert, minute, options));
    return true;
  } catch (error) {
    // Without a database all others would fail too: the next minute tries again.
    if (error instanceof Refusal && error.code === 'unavailable') throw error;
    options.onFailure(error);
    return false;
  }
}

/**
 * Judges all alerts for this minute that nobody has judged. Findings and messages are written together, once per
 * alert and minute. One alert's fault never rejects; no database is `Refusal('unavailable')`.
 */
export async function evaluateAlerts(options: EvaluationOptions): Promise<void> {
  const { store, now, signal } = options;
  const startMs = now();
  const minute = Math.floor(startMs / minuteMs) * minuteMs;
  const failed = new Set<number>();
  for (let done = 0; done < alertsPerMinute; done += alertsPerRead) {
    const due = await store.due(minute, alertsPerRead);
    const alerts = due.filter(({ id }) => !failed.has(id));
    for (const alert of alerts) {
      if (signal?.aborted || now() - startMs > workMs) return;
      if (!(await judgeAndWrite(alert, minute, options))) failed.add(alert.id);
    }
    if (due.length < alertsPerRead || alerts.length === 0) return;
  }
}
