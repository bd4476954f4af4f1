import type { Finding, StoredFinding } from '../store/alerts/interface.ts';
import type { Observation } from './judge.ts';
import type { Rule } from './rule.ts';

const minuteMs = 60_000;
/** A longer gap between looks says nothing of the time between. */
const lookAwayMs = 5 * minuteMs;

export interface Evaluation {
  readonly rule: Rule;
  readonly words: string;
  readonly nowMs: number;
  /** When it was last looked at; 0 = never. */
  readonly checkedMs: number;
}

/** Drops a finding that never fired and holds no longer. */
export function advanceFinding<F extends Finding>(
  open: F,
  seen: Observation,
  evaluation: Evaluation,
): F | undefined {
  return open.beganMs === undefined ? pending(open, seen, evaluation) : firing(open, seen, evaluation);
}

export function openFinding(
  { kind, id, name, value, compared, detail }: Observation,
  evaluation: Evaluation,
): Finding {
  const found: Finding = {
    kind,
    id,
    name,
    rule: evaluation.words,
    heldSinceMs: evaluation.nowMs,
    beganMs: undefined,
    clearedSinceMs: undefined,
    endedMs: undefined,
    ending: '',
    firstValue: value,
    compared,
    lastValue: value,
    detail,
  };
  return evaluation.rule.holdMinutes === 0 ? { ...found, beganMs: evaluation.nowMs } : found;
}

const wasAway = ({ nowMs, checkedMs }: Evaluation) => nowMs - checkedMs > lookAwayMs;

/** Fires once it has held for as long as the rule says. */
function pending<F extends Finding>(open: F, seen: Observation, evaluation: Evaluation): F | undefined {
  if (seen.holds !== 'yes') return undefined;
  const heldSinceMs = wasAway(evaluation) ? evaluation.nowMs : open.heldSinceMs;
  const isDue = evaluation.nowMs - heldSinceMs >= evaluation.rule.holdMinutes * minuteMs;
  const { value: firstValue, compared, detail } = seen;
  const now = { ...open, heldSinceMs, firstValue, compared, detail, lastValue: firstValue };
  return isDue ? { ...now, beganMs: evaluation.nowMs } : now;
}

/** Ends once it has not held for as long as the rule says. */
function firing<F extends Finding>(open: F, seen: Observation, evaluation: Evaluation): F {
  const lastValue = seen.value ?? open.lastValue;
  // Without data it goes on, and what was well so far counts for nothing.
  if (seen.holds !== 'no') {
    return { ...open, clearedSinceMs: undefined, lastValue, detail: seen.detail || open.detail };
  }
  const sinceMs = wasAway(evaluation) ? evaluation.nowMs : (open.clearedSinceMs ?? evaluation.nowMs);
  const cleared = { ...open, clearedSinceMs: sinceMs, lastValue };
  const isDue = evaluation.nowMs - sinceMs >= evaluation.rule.endMinutes * minuteMs;
  return isDue ? { ...cleared, endedMs: evaluation.nowMs, ending: 'over' } : cleared;
}

/** Whether it must be written again. */
export const isDifferent = (one: StoredFinding, other: StoredFinding): boolean =>
  (Object.keys(one) as (keyof StoredFinding)[]).some((name) => one[name] !== other[name]);
