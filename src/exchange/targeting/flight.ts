import { type Refusal, refuse } from '../reasons.ts';
import type { CheckRule } from './rule.ts';
import { textIn } from './stored-values.ts';

const dayMs = 86_400_000;

/** A rule on one end of a campaign's flight; `isOut` compares with the first millisecond of that day, UTC. */
function flightRule(
  field: 'StartDate' | 'EndDate',
  isOut: (timeMs: number, dayStartMs: number) => boolean,
): CheckRule {
  return {
    form: 'check',
    field,
    reason: 'out_of_flight',
    compile(object) {
      const wanted = textIn(object, field);
      if (wanted === '') return undefined;
      const dayStartMs = Date.parse(`${wanted}T00:00:00Z`);
      return ({ timeMs }): Refusal | undefined => {
        if (!isOut(timeMs, dayStartMs)) return undefined;
        return refuse('out_of_flight', { field, wanted, met: new Date(timeMs).toISOString().slice(0, 10) });
      };
    },
  };
}

/** No auction before a campaign's first day (decisions, "Every resource": UTC, inclusive, `""` open). */
export const startDate = flightRule('StartDate', (timeMs, startMs) => timeMs < startMs);

/** No auction after a campaign's last day. */
export const endDate = flightRule('EndDate', (timeMs, endMs) => timeMs >= endMs + dayMs);
