import { ownMember } from '../../reference/own-member.ts';
import type { ServedObject } from '../configuration.ts';
import { isWhitelisted } from './compile-checks.ts';
import type { IndexedRule, KeyRestriction, ListRule, OpenHours } from './rule.ts';

function isSameRestriction(a: KeyRestriction | undefined, b: KeyRestriction | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.mode === b.mode && a.keys.size === b.keys.size && a.keys.isSubsetOf(b.keys);
}

function areSameLists(rule: ListRule, a: ServedObject, b: ServedObject): boolean {
  const [before = [], after = []] = [
    ownMember(a.connections, rule.field),
    ownMember(b.connections, rule.field),
  ];
  return (
    isWhitelisted(rule, a) === isWhitelisted(rule, b) &&
    before.length === after.length &&
    before.every((id, at) => id === after[at])
  );
}

function areSameHours(a: OpenHours | undefined, b: OpenHours | undefined): boolean {
  return a?.hours === b?.hours && a?.clock.zone === b?.clock.zone && a?.areViewers === b?.areViewers;
}

function asksTheSame(rule: IndexedRule, a: ServedObject, b: ServedObject): boolean {
  switch (rule.form) {
    case 'keys':
      return isSameRestriction(rule.restriction(a), rule.restriction(b));
    case 'bound':
      return rule.boundOf(a) === rule.boundOf(b);
    case 'hours':
      return areSameHours(rule.hoursOf(a), rule.hoursOf(b));
    case 'lists':
      return areSameLists(rule, a, b);
  }
}

/** Whether both versions ask the same of every opportunity. */
export function isSameTargeting(rules: readonly IndexedRule[], a: ServedObject, b: ServedObject): boolean {
  return a === b || (a.teamId === b.teamId && rules.every((rule) => asksTheSame(rule, a, b)));
}
