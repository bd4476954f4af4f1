import type { ConfigurationObject } from '../configuration.ts';
import { refuse } from '../reasons.ts';
import type { Check, KeyRestriction, KeyRule, Lists, Rule } from './rule.ts';

const shownMax = 20;

/** A restriction as a refusal tells it: what is wanted, or `{ not: … }`; long ones cut short. */
function shown({ mode, keys }: KeyRestriction): unknown {
  const some = [...keys].slice(0, shownMax);
  if (keys.size > shownMax) some.push(`and ${keys.size - shownMax} more`);
  return mode === 'only' ? some : { not: some };
}

function shownKeys(keys: readonly string[]): unknown {
  return keys.length > 1 ? keys : keys[0];
}

/** Whether a restriction lets keys pass: any of them for `only`, none of them for `except`. */
function admits({ mode, keys }: KeyRestriction, met: readonly string[]): boolean {
  return met.some((key) => keys.has(key)) === (mode === 'only');
}

/** The check of a rule on keys. The set of keys is made when it is first asked: most demand is only ever indexed. */
function keyCheck(rule: KeyRule, object: ConfigurationObject): Check | undefined {
  if (rule.restriction(object) === undefined) return undefined;
  let restriction: KeyRestriction | undefined;
  let wanted: unknown;
  const check: Check = (opportunity) => {
    restriction ??= rule.restriction(object);
    const keys = rule.keysOf(opportunity);
    if (restriction === undefined || admits(restriction, keys)) return undefined;
    wanted ??= shown(restriction);
    const field = rule.fieldOf ? rule.fieldOf(object, opportunity) : rule.field;
    const met = rule.metOf ? rule.metOf(opportunity) : shownKeys(keys);
    return refuse(rule.reason, { ...(field !== undefined && { field }), wanted, met });
  };
  return Object.assign(check, { isIndexed: true });
}

/** The checks of every rule that restricts anything in an object, in the order of the rules. */
export function compileChecks(
  object: ConfigurationObject,
  rules: readonly Rule[],
  lists: Lists,
): readonly Check[] {
  return rules.flatMap(
    (rule) => (rule.form === 'keys' ? keyCheck(rule, object) : rule.compile(object, lists)) ?? [],
  );
}
