import type { Opportunity } from '../opportunity.ts';
import { type Reason, refuse } from '../reasons.ts';
import type { CheckRule } from './rule.ts';
import { numberIn } from './stored-values.ts';

interface BoundRule {
  readonly field: string;
  readonly reason: Reason;
  /** Whether the field is the greatest or the least value that is admitted. */
  readonly bound: 'maximum' | 'minimum';
  /** Of the opportunity, in the field's unit; undefined, where it is not known, is admitted. */
  measure(opportunity: Opportunity): number | undefined;
}

/** A rule that compares a number with a field; 0 in the field restricts nothing (specification, wire convention 7). */
export function boundRule({ field, reason, bound, measure }: BoundRule): CheckRule {
  const isOut = bound === 'maximum' ? isAbove : isBelow;
  return {
    form: 'check',
    field,
    reason,
    compile(object) {
      const wanted = numberIn(object, field) ?? 0;
      if (wanted === 0) return undefined;
      return (opportunity) => {
        const met = measure(opportunity);
        return met !== undefined && isOut(met, wanted) ? refuse(reason, { field, wanted, met }) : undefined;
      };
    },
  };
}

function isAbove(met: number, wanted: number): boolean {
  return met > wanted;
}

function isBelow(met: number, wanted: number): boolean {
  return met < wanted;
}
