import type { KeyRestriction } from './rule.ts';

const none: readonly string[] = [];

/** The one key of an opportunity, or none where the value is not known. */
export function singleKey(value: string): readonly string[] {
  return value === '' ? none : [value];
}

/** Only these keys; none listed: no restriction. */
export function onlyKeys(keys: readonly string[]): KeyRestriction | undefined {
  return keys.length === 0 ? undefined : { mode: 'only', keys: new Set(keys) };
}

/** All but these keys; none listed: no restriction. */
export function allButKeys(keys: readonly string[]): KeyRestriction | undefined {
  return keys.length === 0 ? undefined : { mode: 'except', keys: new Set(keys) };
}

/** By the value of a list's mode field: 1 = whitelist, else blacklist. */
export function restrictionByMode(
  mode: number | undefined,
  keys: readonly string[],
): KeyRestriction | undefined {
  return mode === 1 ? onlyKeys(keys) : allButKeys(keys);
}
