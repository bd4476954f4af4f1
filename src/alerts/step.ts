import type { Finding, StoredFinding } from '../store/alerts/interface.ts';
import type { Observed } from './judge.ts';
import type { Rule } from './rule.ts';

const minuteMs = 60_000;
/** After a longer time without a look, what was seen before it says nothing of the time between. */
const lookAwayMs = 5 * minuteMs;

/** When, and by which rule, a subject is looked at. */
export interface Look {
  readonly rule: Rule;
  /** The rule in words. */
  readonly words: string;
  readonly nowMs: number;
  /** When it was looked at before; 0 where it never was. */
  readonly checkedMs: number;
}

/** What becomes of what is known of a subject: nothing is left of what has never fired and holds no longer. */
export function step<F extends Finding>(open: F, seen: Observed, look: Look): F | undefined {
  return open.beganMs === undefined ? pending(open, seen, look) : firing(open, seen, look);
}

/** What begins to be known of a subject for which the condition holds. */
export function begin({ kind, id, name, value, compared, detail }: Observed, look: Look): Finding {
  const found: Finding = {
    ...{ kind, id, name, rule: look.words, heldSinceMs: look.nowMs, beganMs: undefined },
    ...{ clearedSinceMs: undefined, endedMs: undefined, ending: '' },
    ...{ firstValue: value, compared, lastValue: value, detail },
  };
  return look.rule.holdMinutes === 0 ? { ...found, beganMs: look.nowMs } : found;
}

const wasAway = ({ nowMs, checkedMs }: Look) => nowMs - checkedMs > lookAwayMs;

/** It fires once it has held for as long as the rule says. */
function pending<F extends Finding>(open: F, seen: Observed, look: Look): F | undefined {
  if (seen.holds !== 'yes') return undefined;
  const heldSinceMs = wasAway(look) ? look.nowMs : open.heldSinceMs;
  const isDue = look.nowMs - heldSinceMs >= look.rule.holdMinutes * minuteMs;
  const { value: firstValue, compared, detail } = seen;
  const now = { ...open, heldSinceMs, firstValue, compared, detail, lastValue: firstValue };
  return isDue ? { ...now, beganMs: look.nowMs } : now;
}

/** It ends once it has not held for as long as the rule says. */
function firing<F extends Finding>(open: F, seen: Observed, look: Look): F {
  const lastValue = seen.value ?? open.lastValue;
  // Without data it goes on, and what has been well so far counts for nothing.
  if (seen.holds !== 'no') {
    return { ...open, clearedSinceMs: undefined, lastValue, detail: seen.detail || open.detail };
  }
  const sinceMs = wasAway(look) ? look.nowMs : (open.clearedSinceMs ?? look.nowMs);
  const cleared = { ...open, clearedSinceMs: sinceMs, lastValue };
  const isDue = look.nowMs - sinceMs >= look.rule.endMinutes * minuteMs;
  return isDue ? { ...cleared, endedMs: look.nowMs, ending: 'over' } : cleared;
}

/** Whether a finding has to be written anew. */
export const isDifferent = (one: StoredFinding, other: StoredFinding): boolean =>
  (Object.keys(one) as (keyof StoredFinding)[]).some((name) => one[name] !== other[name]);
