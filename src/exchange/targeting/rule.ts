import type { ConfigurationObject } from '../configuration.ts';
import type { IpAddress, Opportunity } from '../opportunity.ts';
import type { Reason, Refusal } from '../reasons.ts';

/** Compiled lists, by ID; a list that is inactive, absent or of another team holds nothing. */
export interface Lists {
  /** Whether the domain or one of its parents is in the list. */
  domain(listId: number, domain: string): boolean;
  app(listId: number, bundle: string): boolean;
  ip(listId: number, ip: IpAddress): boolean;
  /** The first keyword of the list that blocks the query; see `KeywordBlacklists`. */
  keyword(listId: number, query: string, mode: 0 | 1 | 2): string | undefined;
  /** IDs of the team's active lists with `Global` = 1. */
  global(kind: 'DomainList' | 'AppList' | 'IpList' | 'KeywordList', teamId: number): readonly number[];
}

/** Says why an opportunity is not for an object, or undefined where it is. */
export interface Check {
  (opportunity: Opportunity): Refusal | undefined;
  /** Made from a rule on keys: selection has asked the candidate index already and skips it. */
  readonly isIndexed?: boolean;
}

/**
 * A restriction by keys: the opportunity has some (its country; its sizes), the object wants some of them (`only`)
 * or none of them (`except`). An opportunity without keys is refused by `only` and passes `except`
 * (delivery, "Targeting"). Such rules are indexed as one bitmap a key.
 */
export interface KeyRestriction {
  readonly mode: 'only' | 'except';
  readonly keys: ReadonlySet<string>;
}

/** A rule on keys: one bitmap a key over all connected demand, one look-up an opportunity. */
export interface KeyRule {
  readonly form: 'keys';
  /** Field of the object that it reads, as explanations name it. */
  readonly field: string;
  readonly reason: Reason;
  /** Keys of the opportunity, in the form in which `restriction` gives them. */
  keysOf(opportunity: Opportunity): readonly string[];
  /** What the object restricts, or undefined where it does not. */
  restriction(object: ConfigurationObject): KeyRestriction | undefined;
  /** The field that a refusal names, where it depends on object and opportunity. */
  fieldOf?(object: ConfigurationObject, opportunity: Opportunity): string | undefined;
  /** What a refusal shows as met, where that is not the keys themselves. */
  metOf?(opportunity: Opportunity): unknown;
}

/** A rule that needs more than keys (lists, numbers, dates): checked on what the indexed rules have left. */
export interface CheckRule {
  readonly form: 'check';
  readonly field: string;
  readonly reason: Reason;
  /** The check of one object, or undefined where it restricts nothing. */
  compile(object: ConfigurationObject, lists: Lists): Check | undefined;
}

/** One targeting or filter rule: one file, one line in `rules.ts`. */
export type Rule = KeyRule | CheckRule;
