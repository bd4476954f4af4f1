import type { DemandKindName, FieldWith, ListKind, SupplyKind } from '../../entities/kinds.ts';
import type { ServedObject } from '../configuration.ts';
import type { IpAddress, Opportunity } from '../opportunity.ts';
import type { Reason, Refusal } from '../reasons.ts';

/** Compiled lists, by ID. A list that is inactive or absent holds nothing. */
export interface Lists {
  /** Whether the domain or one of its parents is in the list. */
  domain(listId: number, domain: string): boolean;
  app(listId: number, bundle: string): boolean;
  ip(listId: number, ip: IpAddress): boolean;
  /** The first keyword of the list that blocks the query; see `KeywordBlacklists`. */
  keyword(listId: number, query: string, mode: 0 | 1 | 2): string | undefined;
  /** IDs of the team's active lists with `Global` = 1. */
  global(kind: ListKind, teamId: number): readonly number[];
}

/** Why an opportunity is not for an object; undefined where it is. */
export type Check = (opportunity: Opportunity) => Refusal | undefined;

export type RuleSubject = Pick<ServedObject, 'entity' | 'settings'>;

/** The name of a setting of supply or demand, with values of that type. */
export type SettingWith<Value> = FieldWith<Value, SupplyKind | DemandKindName>;

/** A supply object, with what its opportunities have in common beside its fields. */
export interface TargetedSupply extends RuleSubject {
  /** Its publisher's effective `SellerId`. */
  readonly sellerId: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** The least and the greatest number that any opportunity of a supply object can have; absent: unbounded. */
export interface NumberRange {
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}

/**
 * A restriction by keys: the opportunity has some (its country; its sizes), the object wants some of them (`only`) or
 * none of them (`except`). An opportunity without keys is refused by `only` and passes `except` (reference,
 * "Targeting"). Such rules are indexed as one bitmap a key.
 */
export interface KeyRestriction {
  readonly mode: 'only' | 'except';
  readonly keys: ReadonlySet<string>;
}

/** The keys that the opportunities of a supply object can have; `none`: they never have any. */
export type PossibleKeys = KeyRestriction | 'none';

/** A rule on keys: one bitmap for each key over all connected demand, and one look-up for each opportunity. */
export interface KeyRule {
  readonly form: 'keys';
  /** Field of the object that it reads, as explanations name it. */
  readonly field: string;
  readonly reason: Reason;
  /** Keys of the opportunity, in the form in which `restriction` gives them. */
  keysOf(opportunity: Opportunity): readonly string[];
  /** What the object restricts, or undefined where it does not. */
  restriction(object: RuleSubject): KeyRestriction | undefined;
  /** The key that covers this one: whoever wants or excepts it, wants or excepts this one too (tier-1 categories). */
  coveredBy?(key: string): string | undefined;
  /**
   * Which keys the opportunities of a supply object can have by its nature. Undefined where only the object's own
   * restriction says anything.
   */
  possibleKeys?(supply: TargetedSupply): PossibleKeys | undefined;
  /** Whether one opportunity of a supply object can have both keys; without this, only where they are the same. */
  canShare?(one: string, other: string, supply: TargetedSupply): boolean;
  /** The field that a refusal names, where it depends on the object and on the opportunity's keys. */
  fieldOf?(object: RuleSubject, met: readonly string[]): string | undefined;
  /** What a refusal shows as `met`, where that is not the keys themselves. */
  metOf?(opportunity: Opportunity): unknown;
}

/** A rule that compares a number of the opportunity with a bound of the object. */
export interface BoundRule {
  readonly form: 'bound';
  readonly field: string;
  readonly reason: Reason;
  /** Whether the bound is the greatest or the least number that is admitted. */
  readonly bound: 'maximum' | 'minimum';
  /** The opportunity's number. Where it is not known (undefined), the opportunity is admitted. */
  measure(opportunity: Opportunity): number | undefined;
  /** The object's bound, in the same unit; undefined where it restricts nothing. */
  boundOf(object: RuleSubject): number | undefined;
  /** The range of the number over all opportunities of a supply object; without this, any number. */
  possibleRange?(supply: TargetedSupply): NumberRange;
  /** How a refusal shows bound and number, where that is not the number itself. */
  show?(number: number): unknown;
}

/**
 * A rule on connected lists, and on the team's global ones, which block in every object, also beside a whitelist
 * (reference, "`Global` of a list"): one look-up a list and opportunity, however many objects share the list.
 */
export interface ListRule {
  readonly form: 'lists';
  readonly field: string;
  readonly reason: Reason;
  readonly kind: Exclude<ListKind, 'KeywordList'>;
  /** Field whose value 1 makes the lists a whitelist; without one they are always a blacklist. */
  readonly modeField?: SettingWith<number>;
  /** What is looked up, as a refusal shows it; undefined where the opportunity has none. */
  subjectOf(opportunity: Opportunity): string | undefined;
  /** Whether a list holds the opportunity's subject; false where it has none. */
  holds(lists: Lists, listId: number, opportunity: Opportunity): boolean;
}

/** A rule that fits none of the other forms. Only supply may have one, as it has no index. */
export interface CheckRule {
  readonly form: 'check';
  readonly field: string;
  readonly reason: Reason;
  /** Kind of the lists that the field names, where it names any. */
  readonly kind?: ListKind;
  /** The check of one object, or undefined where it restricts nothing. */
  compile(object: ServedObject, lists: Lists): Check | undefined;
}

/** A rule that the candidate index can decide for all connected demand at once. */
export type IndexedRule = KeyRule | BoundRule | ListRule;

/** One targeting or filter rule: one file, one line in `rules.ts`. */
export type Rule = IndexedRule | CheckRule;
