import type { Opportunity } from '../opportunity.ts';
import { type Reason, type Refusal, refuse } from '../reasons.ts';
import type { CheckRule, Lists } from './rule.ts';
import { numberIn } from './stored-values.ts';

interface ListRule<Subject> {
  readonly field: string;
  /** Field that makes the lists a whitelist; without one they are always a blacklist. */
  readonly modeField?: string;
  readonly kind: 'DomainList' | 'AppList' | 'IpList';
  readonly reason: Reason;
  /** What is looked up; undefined where the opportunity does not tell it. */
  subjectOf(opportunity: Opportunity): Subject | undefined;
  holds(lists: Lists, id: number, subject: Subject): boolean;
  /** How a refusal shows it. */
  shown(subject: Subject): string;
}

/**
 * A rule on connected lists and on the team's global ones, which block in every object, also beside a whitelist
 * (decisions, "`Global` on a list"). Lists may change and become global at any time, so the check of an object
 * without lists of its own asks too.
 */
export function listRule<Subject>(rule: ListRule<Subject>): CheckRule {
  const { field, modeField, kind, reason } = rule;
  const refusal = (wanted: unknown, subject: Subject | undefined): Refusal =>
    refuse(reason, { field, wanted, met: subject === undefined ? undefined : rule.shown(subject) });
  return {
    form: 'check',
    field,
    reason,
    compile(object, lists) {
      const own = object.connections[field] ?? [];
      const isWhitelist = own.length > 0 && modeField !== undefined && numberIn(object, modeField) === 1;
      const blocking = isWhitelist ? [] : own;
      const { teamId } = object;
      return (opportunity) => {
        const subject = rule.subjectOf(opportunity);
        if (subject === undefined) return isWhitelist ? refusal(own, undefined) : undefined;
        const holds = (id: number) => rule.holds(lists, id, subject);
        if (isWhitelist && !own.some(holds)) return refusal(own, subject);
        const blocker = blocking.find(holds) ?? lists.global(kind, teamId).find(holds);
        return blocker === undefined ? undefined : refusal({ not: [blocker] }, subject);
      };
    },
  };
}
