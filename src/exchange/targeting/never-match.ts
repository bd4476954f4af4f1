import { type Refusal, refuse } from '../reasons.ts';
import { shownRestriction } from './compile-checks.ts';
import type {
  BoundRule,
  KeyRestriction,
  KeyRule,
  PossibleKeys,
  Rule,
  RuleSubject,
  TargetedSupply,
} from './rule.ts';
import { demandRules, supplyRules } from './rules.ts';

/** Lists with more pairs of keys are not compared. */
const comparisonsMax = 250_000;

type CanShare = ((one: string, other: string) => boolean) | undefined;

function isDisjoint(one: KeyRestriction, other: KeyRestriction, canShare: CanShare): boolean {
  if (!canShare) return one.keys.isDisjointFrom(other.keys);
  if (one.keys.size * other.keys.size > comparisonsMax) return false;
  const others = [...other.keys];
  return ![...one.keys].some((key) => others.some((theirs) => canShare(key, theirs)));
}

/** Whether no key passes both. */
function excludeEachOther(demand: KeyRestriction, supply: PossibleKeys, canShare: CanShare): boolean {
  if (supply === 'none') return demand.mode === 'only';
  if (demand.mode === supply.mode) return demand.mode === 'only' && isDisjoint(demand, supply, canShare);
  const [only, except] = demand.mode === 'only' ? [demand, supply] : [supply, demand];
  return only.keys.isSubsetOf(except.keys);
}

const rulesOfSupply: ReadonlySet<Rule> = new Set(supplyRules);

/** By the supply object's nature, else by its own restriction. */
function possibleKeysOf(rule: KeyRule, supply: TargetedSupply): PossibleKeys | undefined {
  return rule.possibleKeys?.(supply) ?? (rulesOfSupply.has(rule) ? rule.restriction(supply) : undefined);
}

function keyRefusal(rule: KeyRule, supply: TargetedSupply, demand: RuleSubject): Refusal | undefined {
  const wanted = rule.restriction(demand);
  const met = wanted && possibleKeysOf(rule, supply);
  const { canShare } = rule;
  const share: CanShare = canShare && ((one, other) => canShare(one, other, supply));
  if (!met || !excludeEachOther(wanted, met, share)) return undefined;
  const keys = met === 'none' ? [] : [...met.keys];
  const field = rule.fieldOf ? rule.fieldOf(demand, keys) : rule.field;
  return refuse(rule.reason, {
    ...(field !== undefined && { field }),
    wanted: shownRestriction(wanted),
    met: met === 'none' ? undefined : shownRestriction(met),
  });
}

function boundRefusal(rule: BoundRule, supply: TargetedSupply, demand: RuleSubject): Refusal | undefined {
  const bound = rule.boundOf(demand);
  const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY } =
    rule.possibleRange?.(supply) ?? {};
  if (bound === undefined) return undefined;
  const isOut = rule.bound === 'maximum' ? least > bound : most < bound;
  if (!isOut) return undefined;
  const { field, reason, show = (number: number) => number } = rule;
  return refuse(reason, {
    field,
    wanted: show(bound, demand),
    met: show(rule.bound === 'maximum' ? least : most, demand),
  });
}

/**
 * The first of a demand object's rules that refuses all that connected supply lets in; undefined if something may match
 * (reference, "Explanations"). Lists are not looked into, because their lines change.
 */
export function neverMatch(supply: TargetedSupply, demand: RuleSubject): Refusal | undefined {
  for (const rule of demandRules) {
    const refusal =
      (rule.form === 'keys' ? keyRefusal(rule, supply, demand) : undefined) ??
      (rule.form === 'bound' ? boundRefusal(rule, supply, demand) : undefined);
    if (refusal) return refusal;
  }
  return undefined;
}
