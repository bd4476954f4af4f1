import { ownMember } from '../../reference/own-member.ts';
import { weekHoursText } from '../../reference/week-hours.ts';
import { hourOfWeek } from '../../shared/zone-clock.ts';
import type { TargetedObject } from '../configuration.ts';
import type { Opportunity } from '../opportunity.ts';
import { type Refusal, refuse } from '../reasons.ts';
import { isOpen, whenOpen } from './hours.ts';
import type { BoundRule, Check, HoursRule, KeyRestriction, KeyRule, ListRule, Lists, Rule } from './rule.ts';

const shownMax = 20;

/** The wanted keys, or `{ not: … }`, cut short. */
export function shownRestriction({ mode, keys }: KeyRestriction): unknown {
  const some = [...keys].slice(0, shownMax);
  if (keys.size > shownMax) some.push(`and ${keys.size - shownMax} more`);
  return mode === 'only' ? some : { not: some };
}

function shownKeys(keys: readonly string[]): unknown {
  return keys.length > 1 ? keys : keys[0];
}

function names(keys: ReadonlySet<string>, key: string, { coveredBy }: KeyRule): boolean {
  for (let named: string | undefined = key; named !== undefined; named = coveredBy?.(named)) {
    if (keys.has(named)) return true;
  }
  return false;
}

/** `only` needs one of them to be named, `except` none. */
function admits({ mode, keys }: KeyRestriction, met: readonly string[], rule: KeyRule): boolean {
  return met.some((key) => names(keys, key, rule)) === (mode === 'only');
}

/** The set is made on first use, because most demand is only asked through its index. */
function keyCheck(rule: KeyRule, object: TargetedObject): Check | undefined {
  if (rule.restriction(object) === undefined) return undefined;
  let restriction: KeyRestriction | undefined;
  let wanted: unknown;
  return (opportunity) => {
    restriction ??= rule.restriction(object);
    const keys = rule.keysOf(opportunity);
    if (restriction === undefined || admits(restriction, keys, rule)) return undefined;
    wanted ??= shownRestriction(restriction);
    const field = rule.fieldOf ? rule.fieldOf(object, keys) : rule.field;
    const met = rule.metOf ? rule.metOf(opportunity) : shownKeys(keys);
    return refuse(rule.reason, { ...(field !== undefined && { field }), wanted, met });
  };
}

function boundCheck(rule: BoundRule, object: TargetedObject): Check | undefined {
  const bound = rule.boundOf(object);
  if (bound === undefined) return undefined;
  const { field, reason, show = (number: number) => number } = rule;
  const isMaximum = rule.bound === 'maximum';
  return (opportunity) => {
    const met = rule.measure(opportunity);
    if (met === undefined || (isMaximum ? met <= bound : met >= bound)) return undefined;
    return refuse(reason, {
      field,
      wanted: show(bound, object),
      met: rule.metOf?.(opportunity) ?? show(met, object),
    });
  };
}

function hoursCheck(rule: HoursRule, object: TargetedObject): Check | undefined {
  const open = rule.hoursOf(object);
  if (open === undefined) return undefined;
  const { field, reason } = rule;
  return (opportunity) => {
    const { timeMs } = opportunity;
    const viewerMs = open.areViewers ? rule.viewerOffsetMs(opportunity) : undefined;
    if (isOpen(open, timeMs, viewerMs === undefined ? undefined : hourOfWeek(timeMs + viewerMs)))
      return undefined;
    // Of use to explanations alone, and slow.
    return {
      reason,
      field,
      get wanted() {
        return weekHoursText(open.hours);
      },
      get met() {
        return whenOpen(open, timeMs, viewerMs);
      },
    };
  };
}

function listRefusal(rule: ListRule, wanted: unknown, opportunity: Opportunity): Refusal {
  return refuse(rule.reason, { field: rule.field, wanted, met: rule.subjectOf(opportunity) });
}

/** Objects without lists are checked too, because lists may become global at any time. */
function listCheck(rule: ListRule, object: TargetedObject, lists: Lists): Check {
  const own = ownMember(object.connections, rule.field) ?? [];
  const isWhitelist = isWhitelisted(rule, object);
  const { teamId } = object;
  return (opportunity) => {
    const holds = (listId: number) => rule.holds(lists, listId, opportunity);
    if (isWhitelist && !own.some(holds)) return listRefusal(rule, own, opportunity);
    const blocker =
      (isWhitelist ? undefined : own.find(holds)) ?? lists.global(rule.kind, teamId).find(holds);
    return blocker === undefined ? undefined : listRefusal(rule, { not: [blocker] }, opportunity);
  };
}

/** No lists: no restriction. */
export function isWhitelisted({ field, modeField }: ListRule, object: TargetedObject): boolean {
  const isListed = (ownMember(object.connections, field) ?? []).length > 0;
  return isListed && modeField !== undefined && object.settings[modeField] === 1;
}

function compile(rule: Rule, object: TargetedObject, lists: Lists): Check | undefined {
  switch (rule.form) {
    case 'keys':
      return keyCheck(rule, object);
    case 'bound':
      return boundCheck(rule, object);
    case 'hours':
      return hoursCheck(rule, object);
    case 'lists':
      return listCheck(rule, object, lists);
    case 'check':
      return rule.compile(object, lists);
  }
}

/** In the order of the rules. */
export function compileChecks(
  object: TargetedObject,
  rules: readonly Rule[],
  lists: Lists,
): readonly Check[] {
  return rules.flatMap((rule) => compile(rule, object, lists) ?? []);
}
