import type { Rule } from '../../alerts/rule.ts';
import { durationText } from '../../alerts/words.ts';
import { minutesAsked } from '../../reference/cubes.ts';
import type { RetentionState } from '../../statistics/asking/plan-report.ts';
import type { Span } from '../../store/alerts/interface.ts';
import type { Store } from '../../store/interface.ts';
import type { AlertQuestions } from './alert-question.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Processes report twice a minute that they serve. */
const unsaidMs = minuteMs;
/** The share of a long window that may be missing: it moves no figure by more. */
const missingMost = 0.05;
const namesShown = 3;

const timeText = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
const minutesUp = (ms: number) => Math.ceil(ms / minuteMs) * minuteMs;

function gapsIn({ fromMs, untilMs }: Span, served: readonly Span[]): Span[] {
  const gaps: Span[] = [];
  let reachedMs = fromMs;
  for (const span of served) {
    if (span.fromMs > reachedMs) gaps.push({ fromMs: reachedMs, untilMs: span.fromMs });
    reachedMs = Math.max(reachedMs, span.untilMs);
  }
  if (served.length === 0 || reachedMs < untilMs - unsaidMs) gaps.push({ fromMs: reachedMs, untilMs });
  return gaps;
}

/** Until when too much is missing to judge. */
function missingUntil(span: Span, gaps: readonly Span[]): number | undefined {
  const missingMs = gaps.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0);
  const lengthMs = span.untilMs - span.fromMs;
  const toleratedMs = lengthMs > minutesAsked * minuteMs ? missingMost * lengthMs : 0;
  return missingMs > toleratedMs ? gaps.at(-1)?.untilMs : undefined;
}

/** In a database that is older than counts by the minute. */
const minutesBegan = ({ starts }: RetentionState) =>
  Math.max(...(['supply', 'demand'] as const).map((cube) => (starts.get(`${cube} minute`) ?? 0) * minuteMs));

/** In words, with when it can be judged; `""` if all was counted. */
export async function missingTime(
  { alerts }: Pick<Store, 'alerts'>,
  { now, before, isByMinute }: AlertQuestions,
  rule: Rule,
  kept: RetentionState,
): Promise<string> {
  const windowMs = rule.windowMinutes * minuteMs;
  const looked = { fromMs: now.fromMs, untilMs: Math.min(now.untilMs, kept.nowMs) };
  const begunMs = isByMinute ? minutesBegan(kept) : 0;
  const served = (await alerts.served(looked)).flatMap(({ fromMs, untilMs }) =>
    untilMs > begunMs ? [{ fromMs: Math.max(fromMs, begunMs), untilMs }] : [],
  );
  const untilMs = missingUntil(looked, gapsIn(looked, served));
  if (untilMs !== undefined) {
    return `no data: nothing was counted until ${timeText(untilMs)}; it will be judged from ${timeText(minutesUp(untilMs + windowMs))}`;
  }
  if (!before) return '';
  const beforeMs = missingUntil(before, gapsIn(before, await alerts.served(before)));
  if (beforeMs === undefined) return '';
  const againMs = minutesUp(beforeMs + windowMs + rule.daysBefore * dayMs);
  return `no data to compare with: nothing was counted until ${timeText(beforeMs)}; it will be judged from ${timeText(againMs)}`;
}

/** Which objects have counted for too short a time; `""` = none. */
export function newObjects(rule: Rule, names: readonly string[]): string {
  if (names.length === 0) return '';
  const shown = names.slice(0, namesShown).map((name) => name || 'the watched objects');
  const more = names.length > namesShown ? ` and ${names.length - namesShown} more` : '';
  return `no data: ${shown.join(', ')}${more} had no counts before the window of ${durationText(rule.windowMinutes)}`;
}
